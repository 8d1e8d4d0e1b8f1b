"""The wizard behind the QR code: what it says to which device, and how it stands on a plain page."""

import re

import pytest
from playwright.sync_api import expect

import chromium
from hub import Hub, tandem
from pages import DESKTOP, PHONE, assert_nothing_overflows, browser, note, watched, whole_browser  # noqa: F401
from single_modules import modules  # noqa: F401

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.1 Mobile/15E148 Safari/604.1"
)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0"
    " Mobile Safari/537.36"
)
ANDROID_FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0"
MAC_SAFARI = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0"
    " Safari/605.1.15"
)
WINDOWS_EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0"
    " Safari/537.36 Edg/130.0.0.0"
)
LINUX_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"

ALL = dict(worker=True, motion=True, motionAsks=False, bluetooth=True, midi=True, push=True, vibrate=True, persist=True)
SAFARI = {**ALL, "bluetooth": False, "midi": False, "vibrate": False}
FIREFOX = {**ALL, "bluetooth": False}


def judged(modules, agent, has, trust="trusted", found=None, touch=0, **more):
    """What the wizard says to a device: {id: capability}."""
    here = {
        "isSecure": True, "isHTTPS": True, "isLoopback": False, "isInstalled": False, "has": has,
        "notifications": "default", "isPersistent": False, "room": None, **more,
    }  # fmt: skip
    hub = {"origin": "https://linden.local:8443", "trust": trust}
    all = modules.evaluate(
        """async ([agent, touch, here, hub, found]) => {
            const { deviceKind } = await import("/pages/welcome/device-kind.js");
            const { capabilities } = await import("/pages/welcome/capabilities.js");
            const { declarations } = await import("/build.js");
            const device = { ...deviceKind({ userAgent: agent, maxTouchPoints: touch }), ...here };
            return capabilities(device, hub, found, declarations);
        }""",
        [agent, touch, here, hub, found or {}],
    )
    assert len(all) == 8 and all[0]["id"] == "secure"
    return {one["id"]: one for one in all}


@pytest.mark.parametrize(
    "agent, touch, expected",
    [
        (IPHONE, 5, ("ios", "iPhone", "Safari", "ios")),
        (MAC_SAFARI, 5, ("ios", "iPad", "Safari", "ios")),  # an iPad says that it is a Mac, with a screen to touch
        (IPHONE.replace("Version/18.1", "CriOS/130.0"), 5, ("ios", "iPhone", "Chrome", "ios")),
        (ANDROID, 5, ("android", "Android phone", "Chrome", "android")),
        (ANDROID.replace(" Mobile", ""), 5, ("android", "Android tablet", "Chrome", "android")),
        (ANDROID.replace("Chrome", "SamsungBrowser/27.0 Chrome"), 5,
         ("android", "Android phone", "Samsung Internet", "android")),
        (ANDROID_FIREFOX, 5, ("android", "Android phone", "Firefox", "android")),
        (MAC_SAFARI, 0, ("mac", "Mac", "Safari", "mac")),
        (WINDOWS_EDGE, 10, ("windows", "Windows computer", "Edge", "windows")),
        (LINUX_FIREFOX, 0, ("linux", "Linux computer", "Firefox", "firefox")),
        ("curl/8", 0, ("other", "device", "this browser", "linux")),
    ],
)
def test_devices_and_browsers_are_told_apart(modules, agent, touch, expected):
    kind = modules.evaluate(
        """async ([agent, touch]) => {
            const { deviceKind, trustKind } = await import("/pages/welcome/device-kind.js");
            const kind = deviceKind({ userAgent: agent, maxTouchPoints: touch });
            return [kind.system, kind.noun, kind.browser, trustKind(kind)];
        }""",
        [agent, touch],
    )
    assert tuple(kind) == expected


@pytest.mark.parametrize(
    "agent, better",
    [
        (IPHONE, None), (IPHONE.replace("Version/18.1", "CriOS/130.0"), "Safari"), (ANDROID, None),
        (ANDROID_FIREFOX, "Chrome"), (LINUX_FIREFOX, None),
    ],
)  # fmt: skip
def test_a_browser_in_which_the_steps_cannot_be_gone_is_told(modules, agent, better):
    words = modules.evaluate(
        """async (agent) => {
            const { betterBrowser, deviceKind } = await import("/pages/welcome/device-kind.js");
            return betterBrowser(deviceKind({ userAgent: agent }));
        }""",
        agent,
    )
    assert (words is None) if better is None else (f"in {better}" in words)


def states(all):
    return {name: one["state"] for name, one in all.items()}


def test_an_iphone_is_told_what_it_will_never_do_and_the_way_round(modules):
    can = judged(modules, IPHONE, {**SAFARI, "motionAsks": True}, touch=5)
    assert states(can) == {
        "secure": "works", "offline": "works", "motion": "try", "bluetooth": "never", "midi": "never", "push": "do",
        "vibration": "never", "storage": "try",
    }  # fmt: skip
    assert "the hub holds by its own Bluetooth" in can["bluetooth"]["around"] and "pads" in can["bluetooth"]["around"]
    assert "Sound" in can["vibration"]["around"] and "colour" in can["vibration"]["around"]
    assert "home screen" in can["push"]["says"] and "calendar feed" in can["push"]["around"]
    assert "asks you first" in can["motion"]["says"]


def test_chrome_on_linux_is_told_of_its_flag(modules):
    chrome = WINDOWS_EDGE.replace("Windows NT 10.0; Win64; x64", "X11; Linux x86_64").removesuffix(" Edg/130.0.0.0")
    one = judged(modules, chrome, {**ALL, "bluetooth": False})["bluetooth"]
    assert one["state"] == "do" and "chrome://flags" in one["says"] and one["around"]


def test_an_iphone_with_tandem_on_its_home_screen_may_have_notifications(modules):
    at_home = dict(isInstalled=True, touch=5)
    assert judged(modules, IPHONE, SAFARI, **at_home)["push"]["state"] == "try"
    assert judged(modules, IPHONE, SAFARI, found={"push": "granted"}, **at_home)["push"]["state"] == "works"
    refused = judged(modules, IPHONE, SAFARI, found={"push": "denied"}, **at_home)["push"]
    assert refused["state"] == "do" and "Settings, Notifications" in refused["says"]
    old = judged(modules, IPHONE.replace("18_1", "15_8"), SAFARI, touch=5)["push"]
    assert old["state"] == "never" and "16.4" in old["says"]


def test_an_android_phone_can_all_of_it(modules):
    can = judged(modules, ANDROID, ALL, touch=5)
    assert states(can) == {
        "secure": "works", "offline": "works", "motion": "try", "bluetooth": "try", "midi": "try", "push": "try",
        "vibration": "try", "storage": "try",
    }  # fmt: skip
    found = dict(motion="works", bluetooth="works", midi="works", push="granted", vibration="felt", storage="persistent")
    assert set(states(judged(modules, ANDROID, ALL, touch=5, found=found)).values()) == {"works"}
    assert judged(modules, ANDROID, ALL, found={"vibration": "sent"})["vibration"]["state"] == "asked"


@pytest.mark.parametrize(
    "capability, found, state, words",
    [
        ("motion", "refused", "do", "You said no"),
        ("motion", "silent", "try", "Move the phone"),
        ("bluetooth", "missing", "do", "Switch it on"),
        ("midi", "refused", "do", "Site settings"),
        ("push", "denied", "do", "Site settings"),
        ("vibration", "not-felt", "do", "Silent mode"),
        ("storage", "refused", "do", "home screen"),
    ],
)
def test_what_was_refused_says_what_to_do(modules, capability, found, state, words):
    one = judged(modules, ANDROID, ALL, touch=5, found={capability: found})[capability]
    assert one["state"] == state and words in one["says"] and one["word"] == "Try again"


@pytest.mark.parametrize("agent, browser_name", [(LINUX_FIREFOX, "Firefox"), (MAC_SAFARI, "Safari")])
def test_a_computer_without_bluetooth_for_pages_is_shown_the_browsers_that_have_it(modules, agent, browser_name):
    can = judged(modules, agent, FIREFOX if browser_name == "Firefox" else SAFARI)
    assert can["bluetooth"]["state"] == "do" and "Chrome or Edge" in can["bluetooth"]["says"]
    assert browser_name in can["bluetooth"]["says"]
    assert can["motion"]["state"] == can["vibration"]["state"] == "never"
    assert can["motion"]["around"] and can["vibration"]["around"]


@pytest.mark.parametrize("agent", [IPHONE, ANDROID, WINDOWS_EDGE, LINUX_FIREFOX])
@pytest.mark.parametrize("plain", [True, False], ids=["without HTTPS", "past the warning"])
def test_what_needs_trust_is_locked_with_the_reason_and_never_tried(modules, agent, plain):
    # A plain page is given none of these interfaces by its browser.
    has = dict.fromkeys(ALL, False) | {"vibrate": True, "motion": True} if plain else ALL
    can = judged(
        modules, agent, has, trust="unknown" if plain else "untrusted", isSecure=not plain, isHTTPS=not plain,
        found={"push": "granted", "storage": "persistent"},
    )  # fmt: skip
    assert can["secure"]["state"] == "do"
    assert ("https://linden.local:8443" in can["secure"]["says"]) == plain
    for name in ("offline", "push", "storage"):
        assert can[name]["state"] == "locked" and "HTTPS" in can[name]["says"] and can[name]["around"]
        assert can[name]["word"] is None
    for one in can.values():
        assert one["state"] in ("do", "locked", "never", "try") and one["says"]
        assert one["state"] != "never" or one["around"], one


@pytest.mark.parametrize("agent", [IPHONE, ANDROID, ANDROID_FIREFOX, MAC_SAFARI, WINDOWS_EDGE, LINUX_FIREFOX, "curl/8"])
def test_what_can_never_work_has_a_way_round(modules, agent):
    for has in (ALL, SAFARI, dict.fromkeys(ALL, False)):
        for one in judged(modules, agent, has).values():
            assert one["state"] != "never" or one["around"], one


# The page itself.


@pytest.fixture(scope="module")
def hub(prepared, tmp_path_factory, web):
    """A hub on the local network."""
    from hub import copy_of

    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("welcome") / "data"), web=web, lan="linden").start().signed_in()
    yield hub
    hub.close()


def visit(browser, base, agent=None, size=PHONE, script=""):  # noqa: F811
    """A page that came from somewhere, as a device."""
    context = browser.new_context(
        viewport=size, base_url=base, user_agent=agent, reduced_motion="reduce", locale="en-GB",
        ignore_https_errors=True,
    )  # fmt: skip
    page = context.new_page()
    page.wrongs, page.is_offline_expected = [], False
    page.on("pageerror", lambda error: page.wrongs.append(f"error: {error}"))
    page.on("console", lambda message: note(page, message))
    page.add_init_script(script)
    return page


def row(page, name):
    return page.get_by_role("listitem").filter(has=page.get_by_text(name, exact=True))


@pytest.mark.parametrize("agent, size", [(IPHONE, PHONE), (ANDROID, PHONE), (None, DESKTOP)])
def test_at_the_hub_itself_nothing_is_to_do_and_the_capabilities_are_shown(hub, browser, agent, size):  # noqa: F811
    page = visit(browser, hub.url, agent, size)
    page.goto("/welcome")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are at the hub itself")
    expect(row(page, "Secure page")).to_contain_text("Works")
    if agent == IPHONE:
        expect(row(page, "Bluetooth")).to_contain_text("Not here")
        expect(row(page, "Vibration")).to_contain_text("Sound, and a flash of colour")
    assert_nothing_overflows(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Email")).to_be_visible()
    assert not page.wrongs, page.wrongs
    page.context.close()


PLAIN = "http://linden.home.arpa"


@pytest.fixture(scope="module")
def plain(browser, hub):  # noqa: F811
    """Chromium of its own, to which the hub has a name without HTTPS."""
    launched = browser.browser_type.launch(
        **chromium.options("--host-resolver-rules=MAP linden.home.arpa 127.0.0.1")
    )
    yield launched
    launched.close()


@pytest.mark.parametrize("agent", [IPHONE, ANDROID])
def test_on_a_plain_page_what_needs_https_is_greyed_with_the_reason(hub, plain, agent):
    page = visit(plain, f"{PLAIN}:{hub.port}", agent)
    page.goto("/welcome")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page is not secure yet")
    for name in ("Works offline", "Notifications", "Storage is kept"):
        expect(row(page, name)).to_contain_text("Needs HTTPS")
        expect(row(page, name).get_by_role("button")).to_have_count(0)
    address = hub.get("/api/welcome")["origin"]  # with its number where nothing announces its name
    expect(row(page, "Secure page")).to_contain_text(address)
    expect(page.get_by_text(re.compile("trusts your hub"))).to_have_count(0)  # said of no page that came without
    expect(page.get_by_role("link", name=address)).to_have_attribute("href", f"{address}/welcome")
    assert_nothing_overflows(page)
    assert not page.wrongs, page.wrongs
    page.context.close()


@pytest.mark.parametrize(
    "protocol, name, message, expected",
    [
        ("https:", "SecurityError", "An SSL certificate error occurred when fetching the script.", "untrusted"),
        ("https:", "TypeError", "An unknown error occurred when fetching the script.", "untrusted"),
        ("https:", "TypeError", "A bad HTTP response code (404) was received when fetching the script.", "trusted"),
        ("https:", "SecurityError", "The user denied permission to use Service Worker.", "unknown"),
        ("http:", "TypeError", "An unknown error occurred when fetching the script.", "unknown"),
        ("https:", None, None, "trusted"),
    ],
)
def test_a_worker_that_is_refused_is_no_trust(modules, protocol, name, message, expected):
    """Chromium says of one and the same certificate the first or the second."""
    asked = modules.evaluate(
        """async ([protocol, name, message]) => {
            const { readTrust } = await import("/pages/welcome/environment.js");
            const asked = [];
            const register = async (...how) => {
                asked.push(how);
                if (name) throw Object.assign(new Error(message), { name });
            };
            const location = { protocol };
            const trust = await readTrust({ isSecureContext: true, location, navigator: { serviceWorker: { register } } });
            return { trust, asked };
        }""",
        [protocol, name, message],
    )
    assert asked["trust"] == expected
    assert asked["asked"] == [["/sw.js", {"scope": "/", "updateViaCache": "none"}]]  # as the house registers it


def test_a_new_phone_is_led_through_the_wizard_once(hub, browser):  # noqa: F811
    """Over HTTPS that it does not trust: Chromium lets the page come, and refuses the service worker."""
    launched = browser.browser_type.launch(
        **chromium.options(f"--host-resolver-rules=MAP {hub.name} 127.0.0.1")
    )
    page = visit(
        launched, f"https://{hub.name}:{hub.https_port}", IPHONE,
        script="navigator.serviceWorker.register = async () => {"
        " throw new DOMException('An SSL certificate error occurred when fetching the script.', 'SecurityError'); };",
    )  # fmt: skip
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect this iPhone")
    expect(page.get_by_role("heading", name="Certificate Trust Settings")).to_be_visible()
    shown = ":".join(page.get_by_role("list", name=re.compile("Fingerprint")).locator("span").all_inner_texts())
    assert shown == tandem("authority", "--fingerprint", "--data", hub.data).stdout.strip()
    assert page.get_by_role("link", name="Load the profile").get_attribute("href") == "/authority.mobileconfig"
    page.get_by_role("button", name="Android").click()
    expect(page.get_by_role("heading", name="CA certificate, Install anyway")).to_be_visible()
    assert page.get_by_role("link", name="Load the certificate").get_attribute("download") == "tandem-authority.crt"
    assert_nothing_overflows(page)
    page.get_by_role("button", name="Skip for now").click()
    expect(page.get_by_label("Email")).to_be_visible()
    page.goto("/")
    expect(page.get_by_label("Email")).to_be_visible()  # and not the wizard again
    assert not page.wrongs, page.wrongs
    launched.close()


# As a browser that went past its warning; and, once the device has learnt to trust the hub, as any other.
UNTIL_TRUSTED = (
    "navigator.serviceWorker.register = async () => {"
    " if (localStorage.getItem('test.trusts')) return Object.assign(new EventTarget(), { update: async () => {} });"
    " throw new DOMException('An SSL certificate error occurred when fetching the script.', 'SecurityError'); };"
)


def test_an_invited_phone_learns_to_trust_the_hub_first_and_keeps_its_invitation(hub, browser):  # noqa: F811
    launched = browser.browser_type.launch(
        **chromium.options(f"--host-resolver-rules=MAP {hub.name} 127.0.0.1")
    )
    code = hub.post("/api/invitations")["code"]
    link = f"https://{hub.name}:{hub.https_port}/join#{code}"
    page = visit(launched, f"https://{hub.name}:{hub.https_port}", IPHONE, script=UNTIL_TRUSTED)
    say = page.get_by_role("heading", level=1)
    page.goto(link)
    for _ in range(2):  # a page that the phone threw away while somebody was in its settings is the same again
        expect(say).to_have_text("Connect this iPhone")
        expect(page.get_by_text("Your invitation waits below.")).to_be_visible()
        expect(page.get_by_role("link", name="Load the profile")).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        assert page.url == link
        assert_nothing_overflows(page)
        page.reload()
    expect(say).to_have_text("Connect this iPhone")
    page.evaluate("() => { localStorage.setItem('test.trusts', '1'); }")
    page.reload()  # it trusts the hub now: nothing is left to do but to join
    expect(page.get_by_label("Invitation code")).to_have_value(code)
    expect(say).to_have_text(re.compile("^Join "))
    page.evaluate("() => { localStorage.removeItem('test.trusts'); }")
    page.reload()
    page.get_by_role("button", name="Accept the invitation").click()  # and who does not want to wait for trust
    expect(page.get_by_label("Invitation code")).to_have_value(code)
    page.reload()
    expect(page.get_by_label("Invitation code")).to_have_value(code)  # is not led there again
    assert not page.wrongs, page.wrongs
    launched.close()


@pytest.mark.parametrize("place", ["join", "reset"])
def test_a_link_with_a_code_on_a_plain_page_leads_to_the_secure_one_with_its_code(hub, plain, place):
    page = visit(plain, f"{PLAIN}:{hub.port}", IPHONE)
    page.goto(f"/{place}#8965-5090")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page is not secure yet")
    address = hub.get("/api/welcome")["origin"]
    expect(page.get_by_role("link", name=address)).to_have_attribute("href", f"{address}/{place}#8965-5090")
    expect(page.get_by_label("Password")).to_have_count(0)
    assert not page.wrongs, page.wrongs
    page.context.close()


def test_a_press_finds_out_and_is_answered_in_words(hub, whole_browser):  # noqa: F811
    page = visit(
        whole_browser, hub.url, ANDROID,
        script="Notification.requestPermission = async () => 'denied';"
        "navigator.storage.persist = async () => true; navigator.vibrate = () => true;",
    )  # fmt: skip
    page.goto("/welcome")
    page.get_by_role("button", name="Try: Notifications").click()
    expect(row(page, "Notifications")).to_contain_text("You said no")
    page.get_by_role("button", name="Ask: Storage is kept").click()
    expect(row(page, "Storage is kept")).to_contain_text("is not thrown away")
    page.get_by_role("button", name="Try: Vibration").click()
    page.get_by_role("button", name="Yes: Did it buzz?").click()
    expect(row(page, "Vibration")).to_contain_text("You felt it")
    assert not page.wrongs, page.wrongs
    page.context.close()
