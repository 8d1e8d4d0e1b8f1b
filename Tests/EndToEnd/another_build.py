"""Web folders of other builds, made from the one that `make web` made."""

import base64
import hashlib
import json
import re
import shutil

TEXTS = (".html", ".js", ".css", ".json", ".webmanifest")


def build_of(web):
    return json.loads((web / "manifest.json").read_text())["build"]


def another_build(web, folder, build="b0b0b0b0b0b0", spoil=None):
    """
    A copy of a web folder under another build's name, in which every file differs. `spoil`: a path below the build
    that is served with other bytes than its service worker was told.
    """
    old = build_of(web)
    shutil.copytree(web, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    (folder / "app" / old).rename(folder / "app" / build)
    for path in sorted(folder.rglob("*")):
        if path.suffix in TEXTS and path.name != "manifest.json":
            text = path.read_text().replace(old, build)
            comment = {".js": f"\n// {build}\n", ".css": f"\n/* {build} */\n"}.get(path.suffix, "\n")
            path.write_text(text + comment)
        elif path.suffix == ".wasm":
            # A custom section (WebAssembly, 5.5.3) with an empty name.
            path.write_bytes(path.read_bytes() + b"\0\1\0")
    worker = folder / "sw.js"
    files = {
        str(path.relative_to(folder)): hash_of(path)
        for path in sorted(folder.rglob("*")) if path.is_file() and (path.name == "index.html" or "app" in path.parts)
    }  # fmt: skip
    text, count = re.subn(r"(?s)const FILES = \{.*?\n\};", lambda _: f"const FILES = {json.dumps(files)};", worker.read_text())
    assert count == 1
    worker.write_text(text)
    if spoil:
        (folder / "app" / build / spoil).write_text("// not what the worker was told\n")
    everything = {
        str(path.relative_to(folder)): hash_of(path)
        for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json"
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps({"build": build, "files": everything}))
    return folder


def hash_of(path):
    return "sha256-" + base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
