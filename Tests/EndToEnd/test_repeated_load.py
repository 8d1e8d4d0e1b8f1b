"""What a page that was here before asks of the network: little, and nothing twice."""

import collections
import json
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from every_screen import EMAIL, PASSWORD
from hub import Hub
from pages import PHONE, browser, fill_in, has_worker, new_page  # noqa: F401

MOST_BYTES, MOST_REQUESTS = 8_000, 14  # header fields and all, of one load
QUIET = 1_500  # milliseconds without a request after which none comes that belongs to the load
PLACES = ["/", "/drums", "/brushing"]


@pytest.fixture(scope="module")
def hub(tmp_path_factory, web):
    """The household of the demo, with weeks behind it."""
    hub = Hub(tmp_path_factory.mktemp("demo") / "data", command="demo", web=web).start(within=180)
    yield hub.sign_in(EMAIL, PASSWORD)
    hub.close()


@pytest.fixture(scope="module")
def page(hub, browser):  # noqa: F811
    """A phone that has been everywhere before, with the worker of its page."""
    page = new_page(hub, browser, (PHONE, "light"), has_haste=True)
    page.set_default_timeout(60_000)
    page.goto("/")
    fill_in(page, EMAIL, PASSWORD)
    expect(page.get_by_role("navigation", name="Places")).to_be_visible(timeout=60_000)
    has_worker(page)
    for path in PLACES:
        page.goto(path)
        settled(page)
    yield page
    page.context.close()


def settled(page):
    """Waits until the page has shown what it has, and asked for all that it asks for."""
    page.wait_for_function("() => document.querySelector('main h1') && !document.querySelector('.skeleton')")
    page.wait_for_function(
        "(quiet) => performance.now() - Math.max(0, ...performance.getEntriesByType('resource')"
        ".map((one) => one.responseEnd || Infinity)) > quiet",
        arg=QUIET,
    )


class Asked:
    """What a page asks of the network meanwhile: paths, and bytes by path, without what a worker or a cache had."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.urls, self.here, self.paths, self.bytes = {}, set(), [], collections.Counter()
        self.session.on("Network.requestWillBeSent", lambda one: self.urls.update({one["requestId"]: one["request"]["url"]}))
        self.session.on("Network.requestServedFromCache", lambda one: self.here.add(one["requestId"]))
        self.session.on("Network.responseReceived", self.answered)
        self.session.on("Network.loadingFinished", self.finished)
        self.session.send("Network.enable")

    def answered(self, one):
        answer = one["response"]
        router = answer.get("serviceWorkerRouterInfo", {}).get("actualSourceType")
        is_workers = router == "cache" or (answer.get("fromServiceWorker") and router != "network")
        if is_workers or answer.get("fromDiskCache") or answer["url"].startswith(("data:", "blob:")):
            self.here.add(one["requestId"])
        if one["requestId"] not in self.here:
            self.paths.append(self.path(one))

    def finished(self, one):
        if one["requestId"] not in self.here:
            self.bytes[self.path(one)] += one["encodedDataLength"]

    def path(self, one):
        url = urlsplit(self.urls.get(one["requestId"], ""))
        return url.path + (f"?{url.query}" if url.query else "")

    def __str__(self):
        return json.dumps(self.bytes.most_common(), indent=1)


@pytest.mark.parametrize("path", PLACES)
def test_a_load_that_is_repeated_asks_for_little_and_for_nothing_twice(page, path):
    asked = Asked(page)
    page.goto(path)
    settled(page)
    asked.session.detach()
    assert [one for one, count in collections.Counter(asked.paths).items() if count > 1] == [], asked
    assert len(asked.paths) <= MOST_REQUESTS, asked
    assert asked.bytes.total() < MOST_BYTES, asked


def test_today_does_not_ask_for_songs_and_drums_has_them_without_the_hub(hub, browser):  # noqa: F811
    page = new_page(hub, browser, (PHONE, "light"), has_haste=True)
    page.is_offline_expected = True
    page.goto("/")
    with page.expect_response("**/api/drums/songs"):  # once, when there is nothing better to do
        fill_in(page, EMAIL, PASSWORD)
    has_worker(page)
    settled(page)
    asked = Asked(page)
    page.goto("/")
    settled(page)
    assert "/api/drums" in asked.paths and "/api/drums/songs" not in asked.paths, asked
    page.context.set_offline(True)
    page.goto("/drums")
    expect(page.get_by_text("Ode to Joy").first).to_be_visible()
    page.context.close()


def test_the_browser_keeps_no_answer_that_a_child_could_look_up_in_its_cache(page):
    page.goto("/drums")
    settled(page)
    for path in ("/api/session", "/api/drums", "/api/brushing", "/api/reminders"):
        kept = page.evaluate(
            "(path) => fetch(path, { cache: 'only-if-cached', mode: 'same-origin' }).then((one) => one.ok, () => false)", path
        )
        assert not kept, path


def test_the_manifest_and_the_icons_come_from_the_worker(page):
    page.goto("/")
    settled(page)
    page.context.set_offline(True)
    for path in ("/manifest.webmanifest", "/icons/icon-192.png", "/icons/apple-touch-icon.png"):
        assert page.evaluate("(path) => fetch(path).then((one) => one.status, () => 0)", path) == 200, path
    page.context.set_offline(False)


def test_a_strangers_first_load_asks_for_all_at_once_and_shows_nothing_of_it_after_signing_in(hub, browser):  # noqa: F811
    """On a slow network each round trip is half a second: what the sign-in and Today want comes with the page itself."""
    page = new_page(hub, browser, (PHONE, "light"))
    page.set_default_timeout(60_000)
    asked = collections.Counter()
    page.on("request", lambda one: asked.update([urlsplit(one.url).path]) if "/api/" in one.url else None)
    page.goto("/")
    expect(page.get_by_label("Email")).to_be_visible()
    overviews = [f"/api/{slug}" for slug in ("plants", "brushing", "drums", "toy", "lab")]
    # The question for a passkey comes with the field that offers it, and nobody waits for it.
    assert asked.pop("/api/session/passkey/challenge", 0) <= 1
    assert asked == collections.Counter(["/api/session", "/api/setup", *overviews])
    by_page = "(names) => performance.getEntriesByType('resource').filter((one) => names.includes(new URL(one.name).pathname))" \
        ".map((one) => one.initiatorType)"  # fmt: skip
    assert set(page.evaluate(by_page, ["/api/setup", *overviews])) == {"link"}
    fill_in(page, EMAIL, PASSWORD)
    expect(page.locator(".card-disc").first).to_be_visible()
    page.context.close()
    assert not page.wrongs, page.wrongs
