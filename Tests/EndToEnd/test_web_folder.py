"""How the web folder is served: forms, tags, types, and what a damaged one says."""

import gzip
import http.client
import json
import re
import shutil
import subprocess

import pytest

from another_build import address_of, another_build, build_of, files_of, is_kept
from hub import ROOT, Hub, tandem


@pytest.fixture(scope="module")
def hub(prepared, web, tmp_path_factory):
    data = tmp_path_factory.mktemp("web") / "data"
    shutil.copytree(prepared, data)
    hub = Hub(data, web=web).start()
    yield hub
    hub.close()


def ask(hub, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def served(web, path):
    """A path with {the address of a file} in it."""
    return re.sub(r"\{(.*)\}", lambda found: address_of(web, found[1]), path)


@pytest.mark.parametrize(
    "accept, coding",
    [
        ("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("*", "br"), ("*;q=0", None),
        ("br;q=0.1, gzip;q=1", "br"), ("GZIP", "gzip"), ("*, br;q=0", "gzip"), ("identity", None), ("", None), (None, None),
        ("brr, xgzip", None), (";;,,q=1", None), ("gzip;q=banana", None),
    ],
)  # fmt: skip
def test_a_browser_gets_a_form_that_it_can_read(hub, web, accept, coding):
    """RFC 9110, 12.5.3."""
    path = address_of(web, "all.css")
    answer, body = ask(hub, path, **({} if accept is None else {"Accept_Encoding": accept}))
    assert answer.status == 200 and answer.headers["Content-Encoding"] == coding
    assert "Accept-Encoding" in answer.headers["Vary"]
    plain = (web / path[1:]).read_bytes()
    if coding == "br":
        body = subprocess.run(["brotli", "--decompress", "--stdout"], input=body, capture_output=True, check=True).stdout
    assert (gzip.decompress(body) if coding == "gzip" else body) == plain


def test_each_form_has_a_tag_of_its_own_and_is_not_sent_twice(hub, web):
    """RFC 9110, 8.8.3.3 and 13.1.2."""
    tags = {}
    for coding in ("br", "gzip", "identity"):
        answer, _ = ask(hub, "/", Accept_Encoding=coding)
        tags[coding] = answer.headers["ETag"]
        for header in (tags[coding], f'"other", W/{tags[coding]}', "*"):
            again, body = ask(hub, "/", Accept_Encoding=coding, If_None_Match=header)
            assert again.status == 304 and body == b""
            assert again.headers["ETag"] == tags[coding] and again.headers["Vary"] and again.headers["Cache-Control"]
    assert len(set(tags.values())) == 3
    answer, body = ask(hub, "/", Accept_Encoding="br", If_None_Match=tags["gzip"])
    assert answer.status == 200 and body


def test_each_language_of_the_page_has_its_own_web_manifest(hub, web):
    answer, body = ask(hub, "/manifest.webmanifest")
    english = json.loads(body)
    addresses = json.loads((web / "manifest.json").read_text())["addresses"]
    languages = {path[len("language/") : -len(".json")]: at for path, at in addresses.items() if re.match(r"language/.*\.json$", path)}
    for tag, address in languages.items():
        sentences = json.loads(ask(hub, address)[1])
        answer, body = ask(hub, f"/manifest.{tag}.webmanifest")
        assert answer.status == 200 and answer.headers["Content-Type"] == "application/manifest+json"
        said = json.loads(body)
        assert said["lang"] == tag and said["id"] == english["id"] and said["start_url"] == english["start_url"]
        assert said["description"] == sentences[english["description"]]
        names = [sentences.get(one["name"], one["name"]) for one in english["shortcuts"]]
        assert [one["name"] for one in said["shortcuts"]] == names and len(names) > 0
        assert [one["url"] for one in said["shortcuts"]] == [one["url"] for one in english["shortcuts"]]


@pytest.mark.parametrize("coding", ["br", "identity"])
@pytest.mark.parametrize("path", ["/", "/sw.js", "/manifest.webmanifest", "/icons/icon-192.png"])
def test_head_says_what_get_would(hub, path, coding):
    one, body = ask(hub, path, Accept_Encoding=coding)
    other, nothing = ask(hub, path, "HEAD", Accept_Encoding=coding)
    assert nothing == b"" and other.headers["Content-Length"] == str(len(body))
    for header in ("ETag", "Content-Type", "Content-Encoding", "Cache-Control", "Vary"):
        assert one.headers[header] == other.headers[header]


@pytest.mark.parametrize(
    "path, kind, kept",
    [
        ("/", "text/html; charset=utf-8", "no-cache"), ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"), ("/icons/icon-512.png", "image/png", "no-cache"),
        ("{first.js}", "text/javascript; charset=utf-8", "immutable"),
        ("{wasm/plants.wasm}", "application/wasm", "immutable"),
        ("/wasm/brushing.wasm", "application/wasm", "no-cache"),
        ("/plants/anything", "text/html; charset=utf-8", "no-cache"),
    ],
)  # fmt: skip
def test_each_file_has_its_type_and_its_time(hub, web, path, kind, kept):
    answer, _ = ask(hub, served(web, path))
    assert answer.status == 200 and answer.headers["Content-Type"] == kind
    assert kept in answer.headers["Cache-Control"]
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/drums", "/drums/play/ode-to-joy"])
def test_bluetooth_and_midi_are_for_the_pages_of_the_hub_only(hub, path):
    """https://www.w3.org/TR/permissions-policy-1/: what is not named has its default, which of Bluetooth is self. Named,
    it would be a warning in the console of each browser without Bluetooth."""
    answer, _ = ask(hub, path)
    policy = answer.headers["Permissions-Policy"]
    assert "midi=(self)" in policy and "bluetooth" not in policy
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/sw.js", "{first.js}", "/plants/anything"])
def test_the_pages_are_isolated_from_those_of_other_sites(hub, web, path):
    """https://html.spec.whatwg.org/#coep: what a page and its workers need to ask the browser how much memory they take."""
    answer, _ = ask(hub, served(web, path))
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


def test_the_rules_of_a_companion_have_an_address_that_stays(hub, web):
    for module in (web / "wasm").glob("*.wasm"):
        answer, body = ask(hub, f"/wasm/{module.name}")
        assert body == files_of(web)[address_of(web, f"wasm/{module.name}")] and body[:4] == b"\0asm"
        again, nothing = ask(hub, f"/wasm/{module.name}", If_None_Match=answer.headers["ETag"])
        assert again.status == 304 and nothing == b""


@pytest.mark.parametrize("path", ["{all.css}.br", "/manifest.json", "/app/all.css", "/app/other/main.js", "/../manifest.json", "/%2e%2e/x.js"])
def test_only_the_files_of_the_page_are_served(hub, web, path):
    answer, _ = ask(hub, served(web, path))
    assert answer.status in (400, 404)


def test_the_worker_knows_every_file_of_its_build(web):
    """What it pre-caches is what the manifest lists, by the same hashes."""
    build = build_of(web)
    files = json.loads((web / "manifest.json").read_text())["files"]
    text = (web / "sw.js").read_text()
    assert f'const BUILD = "{build}";' in text and "{{" not in text
    listed = json.loads(re.search(r"const FILES = (\{.*\});", text).group(1))
    assert listed == {path: one for path, one in files.items() if is_kept(path)}


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_damaged_folder_is_reported_before_anything_is_served(web, tmp_path, data, damage):
    folder = another_build(web, tmp_path / "web")
    (victim,) = (folder / "app").glob("main-*.js")
    if damage == "gone":
        victim.unlink()
    else:
        victim.write_text("changed")
    result = tandem("serve", "--data", data, "--web", folder, "--port", "0", "--mqtt-port", "0", check=False)
    assert result.returncode != 0 and victim.name in result.stdout + result.stderr and "make web" in result.stdout + result.stderr


@pytest.fixture
def tree(tmp_path):
    """What `make web` reads of a checkout, without the engines."""
    for folder in ("Web", "scripts", *(f"Companions/{one.parent.name}/Web" for one in (ROOT / "Companions").glob("*/Web"))):
        shutil.copytree(ROOT / folder, tmp_path / "tree" / folder)
    return tmp_path / "tree"


def made(tree):
    """The web folder of that tree: {address: text}."""
    result = subprocess.run([tree / "scripts/web.sh"], capture_output=True, text=True)
    assert result.returncode == 0 and "is ready" in result.stdout, result.stdout + result.stderr
    return {path: content.decode(errors="replace") for path, content in files_of(tree / "web-build").items()}


def with_words(files, words):
    """The address of the one script that holds these words."""
    (path,) = [path for path, text in files.items() if path.endswith(".js") and words in text]
    return path


SHELL, SHARED = "Skip to content", "The part that draws charts did not come from the hub."
BRUSHING, PLANTS = "Start brushing", "I watered it"


def test_a_change_of_one_companion_has_no_phone_fetch_another(tree):
    """Nor the shell, nor what companions share: not even where it takes of them what nobody took before."""
    before = made(tree)
    screen = tree / "Companions/Drums/Web/songs/songs-screen.js"
    taken = 'import { lostTrust } from "../../app/lost-trust.js";\nimport { isInstalled } from "../../offline/install.js";\n'
    screen.write_text(taken + screen.read_text() + 'console.info("Quite another", lostTrust, isInstalled);\n')
    sheet = tree / "Companions/Drums/Web/screens.css"
    sheet.write_text(sheet.read_text() + ".quite-another { color: var(--ink); }\n")
    after = made(tree)
    assert with_words(after, "Quite another") not in before
    for words in (SHELL, SHARED, BRUSHING, PLANTS):
        assert with_words(after, words) == with_words(before, words), words
    sheets = [path for path in after if path not in before and path.endswith(".css")]
    assert len(sheets) == 1 and "/drums/screens-" in sheets[0]


def test_a_sixth_companion_is_a_folder_and_an_icon(tree):
    """No list names it, and what phones have of the others stays."""
    before = made(tree)
    folder = tree / "Companions/Kettle/Web"
    folder.mkdir(parents=True)
    (folder / "screens.js").write_text(
        'import { lazyScreens } from "../app/lazy-screens.js";\n'
        'const later = lazyScreens(() => import("./all-screens.js"));\n'
        'export default { icon: "kettle", screens: [later("/kettle", "openKettle", ["kettle/kettle.css"])],'
        ' today: async () => ({ headline: "Water boils", says: "", at: null, figure: null }) };\n'
    )
    (folder / "all-screens.js").write_text('export { openKettle } from "./kettle-screen.js";\n')
    (folder / "kettle-screen.js").write_text(
        'import { button } from "../elements/button.js";\n'
        'export const openKettle = ({ screen }) => screen.append(button("Boil it", {}));\n'
    )
    (folder / "kettle.css").write_text(".kettle { color: var(--ink); }\n")
    icon = '<symbol id="kettle" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></symbol>'
    (folder / "icons.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">\n  {icon}\n</svg>\n')
    (folder / "companion.json").write_text('{"slug": "kettle", "title": "Tea kettle", "paint": "moss"}\n')
    after = made(tree)
    assert with_words(after, "Boil it") != with_words(after, "Water boils")
    for words in (SHELL, SHARED, BRUSHING, PLANTS):
        assert with_words(after, words) == with_words(before, words), words
    worker = (tree / "web-build/sw.js").read_text()
    assert 'const COMPANIONS = ["plants","brushing","drums","toy","lab","kettle"];' in worker
    shortcuts = json.loads((tree / "web-build/manifest.webmanifest").read_text())["shortcuts"]
    assert [one["url"] for one in shortcuts] == ["/plants", "/brushing", "/drums", "/toy", "/lab", "/kettle"]
    assert shortcuts[-1]["name"] == "Tea kettle" and (tree / "web-build/icons/shortcut-kettle.png").exists()
    assert 'id="icon-kettle"' in (tree / "web-build/index.html").read_text()
    [styles] = [text for text in after.values() if '[data-companion="plants"]' in text or "[data-companion=plants]" in text]
    assert re.search(r'data-companion="?kettle"?\],\s*\[data-paint="?moss', styles), "the kettle has its paint"


@pytest.mark.parametrize(
    "declared, words",
    [
        ('{"slug": "kettle", "title": "Kettle", "paint": "mauve"}', "mauve"), ('{"slug": "Kettle!", "paint": "moss"}', "slug"),
        ('{"slug": "kettle"}', "paint"), ('{"slug": "plants", "paint": "moss"}', "the same slug"),
    ],
)  # fmt: skip
def test_a_companion_that_declares_what_cannot_be_is_told_so(tree, declared, words):
    folder = tree / "Companions/Kettle/Web"
    folder.mkdir(parents=True)
    (folder / "screens.js").write_text("export default { screens: [] };\n")
    icon = '<symbol id="kettle" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></symbol>'
    (folder / "icons.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">\n  {icon}\n</svg>\n')
    (folder / "companion.json").write_text(declared)
    result = subprocess.run([tree / "scripts/web.sh"], capture_output=True, text=True)
    assert result.returncode != 0 and words in result.stderr
    assert not (tree / "web-build").exists()


def test_an_import_that_brings_nothing_later_is_refused(tree):
    """What the page begins with cannot be put off: an import() of it would only be one request more."""
    shell = tree / "Web/app/shell.js"
    shell.write_text(shell.read_text() + 'export const put = () => import("./api.js");\n')
    result = subprocess.run([tree / "scripts/web.sh"], capture_output=True, text=True)
    assert result.returncode != 0 and "app/api.js" in result.stderr and "import()" in result.stderr
    assert not (tree / "web-build").exists()
