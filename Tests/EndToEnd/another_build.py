"""Web folders of other builds, made from the one that `make web` made."""

import base64
import hashlib
import json
import re
import shutil

TEXTS = (".html", ".js", ".css", ".json", ".webmanifest")
# The hash in a name below app/, as esbuild writes it and as scripts/web.sh does.
HASHED = re.compile(r"-([0-9A-Z]{8}|[0-9a-f]{10})\.\w+$")


def manifest_of(web):
    return json.loads((web / "manifest.json").read_text())


def build_of(web):
    return manifest_of(web)["build"]


def address_of(web, path):
    """Where a file is served that no module imports, such as "wasm/plants.wasm"."""
    return manifest_of(web)["addresses"][path]


def files_of(web):
    """Address and bytes of all that a page has of its build."""
    return {f"/{path}": (web / path).read_bytes() for path in manifest_of(web)["files"] if path.startswith("app/")}


def is_kept(path):
    """Whether the worker keeps a file of the folder: all of the page, its manifests and icons."""
    return path == "index.html" or path.endswith(".webmanifest") or path.startswith(("app/", "icons/"))


def another_build(web, folder, build="b0b0b0b0b0b0", spoil=None):
    """
    A copy of a web folder under another build's name, in which every file differs, and so has another address. `spoil`:
    what the one file below app/ is called that is served with other bytes than its service worker was told.
    """
    manifest = manifest_of(web)
    names = {manifest["build"]: build}
    for path in manifest["files"]:
        if path.startswith("app/") and (found := HASHED.search(path)):
            other = hashlib.sha256(f"{build} {found[1]}".encode()).hexdigest()[: len(found[1])]
            names[found[1]] = other.upper() if len(other) == 8 else other
    old = re.compile("|".join(map(re.escape, names)))

    def renamed(text):
        return old.sub(lambda found: names[found[0]], text)

    for path in manifest["files"]:
        source, copy = web / path, folder / (renamed(path) if path.startswith("app/") else path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in TEXTS:
            comment = {".js": f"\n// {build}\n", ".css": f"\n/* {build} */\n"}.get(source.suffix, "\n")
            copy.write_text(renamed(source.read_text()) + comment)
        elif source.suffix == ".wasm":
            # A custom section (WebAssembly, 5.5.3) with an empty name.
            copy.write_bytes(source.read_bytes() + b"\0\1\0")
        else:
            shutil.copy(source, copy)
    worker = folder / "sw.js"
    all = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    files = {path: hash_of(file) for path, file in all.items() if is_kept(path)}
    text, count = re.subn(r"const FILES = \{.*\};", lambda _: f"const FILES = {json.dumps(files)};", worker.read_text())
    assert count == 1
    worker.write_text(text)
    if spoil:
        (victim,) = (folder / "app").rglob(spoil)
        victim.write_text("// not what the worker was told\n")
    everything = {str(path.relative_to(folder)): hash_of(path) for path in folder.rglob("*") if path.is_file()}
    addresses = {path: renamed(address) for path, address in manifest["addresses"].items()}
    (folder / "manifest.json").write_text(json.dumps({"build": build, "addresses": addresses, "files": everything}))
    return folder


def hash_of(path):
    return "sha256-" + base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
