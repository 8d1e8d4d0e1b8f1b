"""Pages of the hub in a real browser, and what several tests do in them. `from pages import browser, hub` brings the
fixtures, `from pages import offline_page as page` a page that outlives its hub.
"""

import contextlib
import itertools
import weakref

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from hub import EMAIL, PASSWORD, Hub

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# Each size and each theme once.
EACH_WAY = pytest.mark.parametrize("looks", [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone, light", "desktop, dark"])
# The last is what the browser itself writes of a service worker that it was just about to fetch.
OF_A_HUB_THAT_IS_AWAY = ("ERR_", "WebSocket", "error occurred when fetching the script")
expect.set_options(timeout=30_000)
# The page registers its worker when it has nothing better to do, and the worker takes in the whole build: more work than
# most tests are. Here it has nothing better to do once `has_worker` is asked, or where it shows what the worker can.
WITHOUT_HASTE = """(() => {
    if (!globalThis.ServiceWorkerContainer) return; // about:blank
    const { register } = ServiceWorkerContainer.prototype;
    const wanted = new Promise((done) => { globalThis.wantWorker = done; });
    ServiceWorkerContainer.prototype.register = async function (...how) {
        if (!this.controller && !["/settings", "/welcome"].includes(location.pathname)) await wanted;
        return register.apply(this, how);
    };
})();"""


@pytest.fixture(scope="module")
def browser(launched):
    return launched()


@pytest.fixture(scope="module")
def whole_browser(launched):
    """One with what the headless shell has not: sensors, and notifications."""
    return launched(is_whole=True)


@pytest.fixture
def hub(data, web):
    hub = Hub(data, web=web).start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def offline_page(hub, browser):
    """A phone's page whose hub may go away: what that writes to the console is no fault."""
    for page in watched(hub, browser, (PHONE, "light"), has_haste=True):
        page.is_offline_expected = True
        yield page


def watched(hub, browser, looks, has_haste=False):
    page = new_page(hub, browser, looks, has_haste)
    yield page
    page.context.close()
    assert not page.wrongs, page.wrongs


def new_page(hub, browser, looks, has_haste=False, locale="en-GB"):
    """A page of a device of its own, which notes in `wrongs` what is wrong with it.

    has_haste: whether the worker comes by itself, without `has_worker`. locale: of the phone, whose language the page speaks.
    """
    size, theme = looks
    context = browser.new_context(
        viewport=size, color_scheme=theme, base_url=hub.url, reduced_motion="reduce", locale=locale
    )
    if not has_haste:
        context.add_init_script(WITHOUT_HASTE)
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
    return page


@contextlib.contextmanager
def kept_open(hub, browser):
    """For tests that only look: a function that returns the one page of some looks, the same for each of them."""
    pages = {}

    def page_of(looks):
        key = str(looks)
        if key not in pages:
            pages[key] = new_page(hub, browser, looks)
        pages[key].wrongs.clear()
        return pages[key]

    yield page_of
    for page in pages.values():
        page.context.close()


def note(page, message):
    if message.type not in ("error", "warning"):
        return
    words = message.text
    # Where a test catches requests, the browser takes none that it has asked for ahead.
    if "A preload for" in words and "unknown reason" in words:
        return
    # The browser writes every 401 to its console; the sign-in page begins with one. And a hub that was killed is away.
    if "401" in words or (page.is_offline_expected and any(one in words for one in OF_A_HUB_THAT_IS_AWAY)):
        return
    address = message.location.get("url", "")
    # The answer to a page that asks how far the hub is with a session of which nothing has arrived.
    if "404" in words and "/active/" in address:
        return
    page.wrongs.append(f"{message.type}: {words} {address}")


# Of each device that is opened another sign-in than of the one before, as in a household.
DEVICES, SIGN_INS = weakref.WeakKeyDictionary(), itertools.count()


def sign_in(page, path="/plants"):
    """Opens a place on a device on which somebody has signed in before."""
    if page.context not in DEVICES:
        DEVICES[page.context] = Hub.cookies[next(SIGN_INS) % len(Hub.cookies)]
    page.context.add_cookies([{
        "name": "tandem_session", "value": DEVICES[page.context], "domain": "127.0.0.1", "path": "/",
        "httpOnly": True, "sameSite": "Strict",
    }])  # fmt: skip
    page.goto(path)
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()


def sign_in_by_hand(page, path="/plants"):
    """Opens a place, and types what lets somebody in."""
    page.goto(path)
    fill_in(page)
    # Passwords are hashed slowly by intention, and more so by a debug build on a busy machine.
    expect(page.get_by_role("navigation", name="Places")).to_be_visible(timeout=60_000)


def fill_in(page, email=EMAIL, password=PASSWORD):
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


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
    """Waits until the page's own build is stored whole and answers for it."""
    page.evaluate("() => globalThis.wantWorker?.()")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=90_000)


def is_back(page):
    """Has the page look for the hub now and not when its back-off ends."""
    page.evaluate("() => { dispatchEvent(new Event('online')); }")


def kept(page):
    """What this device keeps of the last visit, by name."""
    return page.evaluate(
        "() => Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith('tandem.cache.'))"
        ".map(([name, value]) => [name.slice('tandem.cache.'.length), JSON.parse(value)]))"
    )


def stands_still(page):
    """From now on time passes only as the test says, however slow the machine is."""
    # The clock is stopped a little ahead of what it shows; on a busy machine that has passed before it is asked to stop.
    for ahead in (200, 1_000, 5_000):
        try:
            return page.clock.pause_at(page.evaluate(f"() => new Date(Date.now() + {ahead}).toISOString()"))
        except PlaywrightError as error:
            if "to the past" not in str(error) or ahead == 5_000:
                raise
