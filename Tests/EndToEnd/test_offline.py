"""Without the hub, and over its upgrades: the service worker in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from another_build import address_of, another_build, build_of, files_of, is_kept, manifest_of
from hub import eventually
from pages import PHONE, add_plant, assert_nothing_overflows, browser, has_worker, hub, is_back, kept, sign_in, watched  # noqa: F401
from pages import offline_page as page  # noqa: F401


def page_build(page):
    return page.evaluate("() => document.documentElement.dataset.build")


def kept_builds(page):
    return {name.removeprefix("tandem-") for name in page.evaluate("caches.keys()")}


def text_of(page, path):
    """What the page gets for a path of its own origin: text, or None where nobody answers."""
    return page.evaluate("(path) => fetch(path).then((answer) => answer.text(), () => null)", path)


def bytes_of(page, path):
    return page.evaluate("(path) => fetch(path).then(async (answer) => [...await answer.bytes()])", path)


def in_place_of(hub, web):
    """The same hub, on the same port, with another web folder."""
    hub.kill()
    hub.flags[hub.flags.index("--web") + 1] = str(web)
    hub.start()


def test_the_house_opens_while_the_hub_is_killed(hub, page):
    plant, device = add_plant(hub)
    sign_in(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    has_worker(page)
    hub.kill()
    page.reload()
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()  # as the last visit was told
    for path in ("/", "/settings", "/welcome", f"/plants/{plant['id']}"):
        page.goto(path)
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()
        expect(page.locator("h1")).not_to_be_empty()
        assert_nothing_overflows(page)
        page.wait_for_load_state("networkidle")
        # What needs the hub says so where it stands, once, or on each card: that the hub is away the strip has said.
        said = page.locator(".cards .away" if path == "/" else "main .away, main .notice").filter(has_text=re.compile("hub (does not answer|answers)"))
        expect(said.filter(visible=True)).to_have_count(4 if path == "/" else 1)
    expect(page.locator("main .notice")).to_have_count(0)
    expect(page.get_by_role("button", name="I watered it")).to_be_visible()


def test_a_house_that_was_opened_without_the_hub_comes_to_life_with_it(hub, page):
    add_plant(hub)
    sign_in(page, "/settings")
    has_worker(page)
    hub.kill()
    page.reload()
    expect(page.get_by_text("It comes back when the hub answers.").first).to_be_visible()
    hub.start()
    is_back(page)
    expect(page.get_by_text("It comes back when the hub answers.")).to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="Fern sensor")).to_be_visible()


def test_who_signed_out_leaves_no_name_on_the_device(hub, page):
    add_plant(hub)
    sign_in(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    has_worker(page)
    page.goto("/settings")
    page.get_by_role("button", name=re.compile("Sign out")).first.click()
    expect(page.get_by_label("Email")).to_be_visible()
    hub.kill()
    page.reload()
    expect(page.get_by_role("heading", name="The hub does not answer")).to_be_visible()
    assert kept(page) == {}


def test_a_sign_in_that_ended_meanwhile_leads_to_the_sign_in(hub, page):
    sign_in(page)
    has_worker(page)
    hub.kill()
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    page.context.clear_cookies()
    hub.start()
    page.reload()
    expect(page.get_by_label("Email")).to_be_visible()


def test_the_worker_never_answers_for_the_hub(hub, page, web):
    """Neither the API nor anything else that is not of the page's own list comes from the worker or its cache."""
    sign_in(page)
    has_worker(page)
    page.reload()
    answers = {}
    page.on("response", lambda answer: answers.__setitem__(answer.url.removeprefix(hub.url), answer))
    others = ["/api/session", "/api/plants", "/healthz", "/openapi.json", "/authority.crt", "/User/login", "/Trivia/1"]
    for path in others:
        assert text_of(page, path) is not None
        assert not answers[path].from_service_worker, path
    cached = page.evaluate(
        "async () => (await Promise.all((await caches.keys()).map(async (name) =>"
        " (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()"
    )
    assert sorted(cached) == sorted(f"/{path}" for path in manifest_of(web)["files"] if is_kept(path))
    kept_page, policy = page.evaluate(
        "async () => { const answer = await caches.match('/index.html');"
        " return [await answer.text(), answer.headers.get('content-security-policy')]; }"
    )
    assert 'rel="preload"' not in kept_page, "it asks who is signed in once it is drawn"
    assert policy == hub.request("GET", "/")[2]["content-security-policy"]
    hub.kill()
    for path in others:
        assert text_of(page, path) is None, path
    for path in ("/api/plants", "/openapi.json", "/User/login"):  # typed into the address bar
        with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
            page.goto(path)
    page.wrongs[:] = [one for one in page.wrongs if "(Not Found)" not in one]  # such as /User/login at the hub


def test_everything_of_the_build_is_there_offline_the_charts_too(hub, page, web):
    sign_in(page)
    has_worker(page)
    hub.kill()
    for path in files_of(web):
        assert page.evaluate("(path) => fetch(path).then((one) => one.ok)", path), path
    wasm = address_of(web, "wasm/plants.wasm")
    assert len(bytes_of(page, wasm)) == len(files_of(web)[wasm])


def test_a_new_version_is_offered_and_never_forced(hub, page, web, tmp_path):
    """Page and WebAssembly stay of one build until the person has the new one opened."""
    old, new = build_of(web), build_of(another_build(web, tmp_path / "new"))
    files, wasm = files_of(web), address_of(web, "wasm/plants.wasm")
    screens = [path for path in files if "all-screens" in path]  # of all companions: most are not open here
    sign_in(page)
    has_worker(page)
    page.evaluate("() => { window.sameDocument = true; document.documentElement.dataset.session = ''; }")
    in_place_of(hub, tmp_path / "new")
    is_back(page)
    page.wait_for_function("() => navigator.serviceWorker.getRegistration().then((one) => one.waiting !== null)")
    bar = page.get_by_text("A new version is here.")
    expect(bar).to_be_hidden()  # a session runs
    page.evaluate("() => { delete document.documentElement.dataset.session; }")
    expect(bar).to_be_visible()
    assert_nothing_overflows(page)

    # The hub has only the new one; the page still has all of its own.
    assert page.evaluate("window.sameDocument") is True
    assert bytes_of(page, wasm) == list(files[wasm])
    assert all(text_of(page, path) == files[path].decode() for path in screens)
    second = page.context.new_page()
    second.goto("/plants")
    expect(second.get_by_role("navigation", name="Places")).to_be_visible()
    assert page_build(second) == old

    page.get_by_role("button", name="Reload").click()
    page.wait_for_function("() => window.sameDocument === undefined")
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert page_build(page) == new
    scripts = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [one for one in scripts if one.removeprefix(hub.url) in files]
    new_wasm = address_of(tmp_path / "new", "wasm/plants.wasm")
    assert bytes_of(page, new_wasm) == list(files_of(tmp_path / "new")[new_wasm])

    # The other tab was not reloaded, is told as well, and finds its own files for as long as it is open.
    assert page_build(second) == old
    expect(second.get_by_text("A new version is here.")).to_be_visible()
    tidy = "() => navigator.serviceWorker.controller.postMessage({ type: 'TIDY' })"
    page.evaluate(tidy)
    assert all(text_of(second, path) == files[path].decode() for path in screens)
    assert kept_builds(page) == {old, new}
    second.close()

    def tidied():
        page.evaluate(tidy)
        return kept_builds(page) == {new}

    eventually(tidied, what="the old build's removal")


def test_a_hub_that_went_back_to_an_older_version_is_followed(hub, page, web, tmp_path):
    old = build_of(web)
    other = another_build(web, tmp_path / "other")
    sign_in(page)
    has_worker(page)
    for folder, build in ((other, build_of(other)), (web, old)):
        in_place_of(hub, folder)
        is_back(page)
        page.get_by_role("button", name="Reload").click()
        page.wait_for_function("(build) => document.documentElement?.dataset.build === build", arg=build)
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()
        has_worker(page)
    assert page_build(page) == old


def test_a_build_that_does_not_come_whole_is_not_taken(hub, page, web, tmp_path):
    """One file is another than its hash says: the build before stays, also offline."""
    old = build_of(web)
    spoiled = another_build(web, tmp_path / "spoiled", spoil="main-*.js")
    sign_in(page)
    has_worker(page)
    in_place_of(hub, spoiled)
    page.evaluate(
        "() => { navigator.serviceWorker.getRegistration().then((one) => one.addEventListener('updatefound', () =>"
        " one.installing.addEventListener('statechange', (event) => { window.fate = event.target.state; }))); }"
    )
    is_back(page)
    page.wait_for_function("() => window.fate === 'redundant'")
    expect(page.get_by_text("A new version is here.")).to_be_hidden()
    hub.kill()
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert page_build(page) == old
    # The browser tells its console why it refused the file.
    page.wrongs[:] = [one for one in page.wrongs if "integrity" not in one]


def test_a_page_whose_first_worker_did_not_come_finds_the_next(hub, page, web, tmp_path):
    """The script of the first worker was lost on the way, and the hub upgraded before the page asked again."""
    new = another_build(web, tmp_path / "new")
    page.route("**/sw.js", lambda route: route.abort())
    page.context.route("**/sw.js", lambda route: route.abort())
    sign_in(page)
    expect(page.locator("h1")).to_be_visible()  # its screen has come as well
    in_place_of(hub, new)
    page.context.unroute("**/sw.js")
    page.unroute("**/sw.js")
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    has_worker(page)
    assert page_build(page) == build_of(new) and kept_builds(page) == {build_of(new)}
    page.wrongs[:] = [one for one in page.wrongs if "fetching the script" not in one]


def test_it_can_be_installed(hub, page, web):
    sign_in(page)
    has_worker(page)
    session = page.context.new_cdp_session(page)
    data = session.send("Page.getAppManifest")
    assert data["errors"] == [] and data["url"] == f"{hub.url}/manifest.webmanifest"
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [], [{"errorId": "in-incognito", "errorArguments": []}]
    )  # fmt: skip
    manifest = json.loads(data["data"])
    assert manifest["id"] == manifest["scope"] == manifest["start_url"] == "/"
    assert [one["url"] for one in manifest["shortcuts"]] == ["/plants", "/brushing", "/drums", "/toy", "/lab"]
    icons = manifest["icons"] + [icon for one in manifest["shortcuts"] for icon in one["icons"]]
    icons.append({"src": page.locator("link[rel=apple-touch-icon]").get_attribute("href"), "sizes": "180x180"})
    for icon in icons:
        size = page.evaluate(
            "async (src) => { const image = new Image(); image.src = src; await image.decode();"
            " return `${image.naturalWidth}x${image.naturalHeight}`; }",
            icon["src"],
        )
        assert size == icon["sizes"]
