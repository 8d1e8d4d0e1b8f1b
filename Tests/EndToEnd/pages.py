"""Pages of the hub in a real browser, and what several tests do in them. `from pages import browser, hub` brings the
fixtures, `from pages import offline_page as page` a page that outlives its hub.
"""

import pytest
from playwright.sync_api import expect, sync_playwright

import chromium
from hub import EMAIL, PASSWORD, Hub

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
EACH_WAY = pytest.mark.parametrize(
    "looks", [(size, theme) for size in (PHONE, DESKTOP) for theme in ("light", "dark")],
    ids=["phone, light", "phone, dark", "desktop, light", "desktop, dark"],
)  # fmt: skip
# The last is what the browser itself writes of a service worker that it was just about to fetch.
OF_A_HUB_THAT_IS_AWAY = ("ERR_", "WebSocket", "error occurred when fetching the script")
expect.set_options(timeout=15_000)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.options())
        yield browser
        browser.close()


@pytest.fixture
def hub(data, web):
    hub = Hub(data, web=web).start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def offline_page(hub, browser):
    """A phone's page whose hub may go away: what that writes to the console is no fault."""
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        yield page


def watched(hub, browser, looks):
    size, theme = looks
    context = browser.new_context(
        viewport=size, color_scheme=theme, base_url=hub.url, reduced_motion="reduce", locale="en-GB"
    )
    page = context.new_page()
    page.wrongs = []
    page.is_offline_expected = False
    page.on("pageerror", lambda error: page.wrongs.append(f"error: {error}"))
    page.on("console", lambda message: note(page, message))
    page.on("response", lambda answer: answer.status >= 500 and page.wrongs.append(f"{answer.status} {answer.url}"))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) =>"
        " console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))"
    )
    yield page
    context.close()
    assert not page.wrongs, page.wrongs


def note(page, message):
    if message.type not in ("error", "warning"):
        return
    words = message.text
    # The browser writes every 401 to its console; the sign-in page begins with one. And a hub that was killed is away.
    if "401" in words or (page.is_offline_expected and any(one in words for one in OF_A_HUB_THAT_IS_AWAY)):
        return
    page.wrongs.append(f"{message.type}: {words} {message.location.get('url', '')}")


def sign_in(page, path="/plants"):
    page.goto(path)
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()


def assert_nothing_overflows(page):
    wide = page.evaluate(
        "() => document.documentElement.scrollWidth > innerWidth && [...document.querySelectorAll('body *')]"
        ".filter((node) => node.getBoundingClientRect().right > innerWidth + 1)"
        ".slice(0, 3).map((node) => node.outerHTML.slice(0, 120))"
    )
    assert not wide, wide


def add_plant(hub, name="Fern", art="fern", **more):
    device = hub.add_device(f"{name} sensor")
    body = {"name": name, "place": "Shelf", "art": art, "limits": {"low": 30, "high": 75}, "sensors": [device.id], **more}
    return hub.post("/api/plants", body), device


def has_worker(page):
    """Waits until the page's own build is kept whole and answers for it."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def is_back(page):
    """Has the page look for the hub now and not when its back-off ends."""
    page.evaluate("() => { dispatchEvent(new Event('online')); }")


def kept(page):
    """What this device keeps of the last visit, by name."""
    return page.evaluate(
        "() => Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith('tandem.kept.'))"
        ".map(([name, value]) => [name.slice('tandem.kept.'.length), JSON.parse(value)]))"
    )
