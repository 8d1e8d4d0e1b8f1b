"""The page as a phone at home has it: over HTTPS on the hub's own name, in a browser that was taught to trust it."""

import json
import os
import re
import subprocess

import pytest
from playwright.sync_api import expect

import chromium
from hub import Hub, eventually, tandem
from mqtt import mosquitto_pub
from pages import PHONE, add_plant, browser, has_worker, is_back, sign_in_by_hand  # noqa: F401


@pytest.fixture
def hub(data, web):
    hub = Hub(data, web=web, lan="linden").start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def home(hub, tmp_path):
    """A home folder whose browser trusts the hub's authority, as `tandem authority` prints it."""
    store = tmp_path / "home/.pki/nssdb"
    store.mkdir(parents=True)
    pem = tmp_path / "authority.pem"
    pem.write_text(tandem("authority", "--data", hub.data).stdout)
    subprocess.run(["certutil", "-N", "-d", f"sql:{store}", "--empty-password"], check=True)
    subprocess.run(["certutil", "-A", "-d", f"sql:{store}", "-n", "Tandem", "-t", "C,,", "-i", pem], check=True)
    return tmp_path / "home"


@pytest.fixture
def opened(hub, browser, tmp_path):  # noqa: F811
    contexts = []

    def open_with(home):
        context = browser.browser_type.launch_persistent_context(
            tmp_path / f"profile-{len(contexts)}",
            **chromium.options(f"--host-resolver-rules=MAP {hub.name} 127.0.0.1"), base_url=hub.origin,
            env={**os.environ, "HOME": str(home)}, viewport=PHONE, locale="en-GB",
        )  # fmt: skip
        contexts.append(context)
        return context.pages[0]

    yield open_with
    for context in contexts:
        context.close()


def enter(page):
    """Past the wizard that a new device is led through, to the place that was asked for."""
    page.add_init_script("localStorage.setItem('tandem.welcomed', '1')")
    sign_in_by_hand(page)


def test_a_browser_that_was_not_taught_refuses_the_page(hub, opened, tmp_path):
    page = opened(tmp_path)
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto("/")


def test_an_invitation_that_was_opened_without_the_s_comes_to_https_with_its_code(hub, home, opened):
    page = opened(home)
    code = hub.post("/api/invitations")["code"]
    page.goto(f"http://{hub.name}:{hub.https_port}/join#{code}")
    assert page.url == f"{hub.origin}/join#{code}"
    expect(page.get_by_label("Invitation code")).to_have_value(code)


def test_the_capability_test_is_passed_over_https(hub, home, opened):
    page = opened(home)
    page.goto("/welcome")
    assert page.evaluate("() => isSecureContext && location.hostname") == hub.name
    expect(page.get_by_text("Works offline").first).to_be_visible()
    rows = page.locator("li, .row").filter(has_text=re.compile("Secure page|Works offline"))
    expect(rows.filter(has_text="Secure page").first).to_contain_text(re.compile("over HTTPS|trust", re.I))
    expect(page.get_by_text("Only on a page that came over HTTPS which this device trusts.")).to_have_count(0)


def test_it_comes_over_http_2_and_lives_by_the_websocket(hub, home, opened):
    plant, device = add_plant(hub)
    page = opened(home)
    with page.expect_websocket() as socket:
        enter(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    spoken = page.evaluate(
        "() => performance.getEntries().filter((one) => 'nextHopProtocol' in one && one.transferSize > 0)"
        ".map((one) => one.nextHopProtocol)"
    )
    assert spoken and set(spoken) == {"h2"}
    assert socket.value.url.startswith(f"wss://{hub.name}:{hub.https_port}/api/live?")
    mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "41.5")
    expect(page.get_by_role("link", name=re.compile("Fern")).get_by_role("meter")).to_have_attribute("aria-valuenow", "41.5")


def test_it_opens_and_keeps_what_was_noted_while_the_hub_is_killed(hub, home, opened):
    plant, device = add_plant(hub)
    page = opened(home)
    enter(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    has_worker(page)
    hub.kill()
    page.reload()
    page.get_by_role("link", name=re.compile("Fern")).click()
    page.get_by_role("button", name="I watered it").click()
    log = page.get_by_role("region", name="Watering log")
    expect(log.get_by_text("Waiting to be sent")).to_be_visible()
    page.reload()
    expect(log.get_by_text("Waiting to be sent")).to_be_visible()
    hub.start()
    is_back(page)
    eventually(lambda: len(hub.get(f"/api/plants/{plant['id']}/waterings")) == 1, 30, "the delivery")
    expect(log.get_by_text("Waiting to be sent")).to_have_count(0)


def test_it_can_be_installed_from_there(hub, home, opened):
    page = opened(home)
    enter(page)
    has_worker(page)
    session = page.context.new_cdp_session(page)
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert json.loads(session.send("Page.getAppManifest")["data"])["name"] == "Tandem"


def renew_authority(hub):
    """The hub makes its certificates anew: no device trusts it any more."""
    hub.kill()
    assert tandem("authority", "--new", "--yes", "--data", hub.data).returncode == 0
    hub.start()


def test_a_phone_whose_trust_was_lost_finds_the_way_back_to_the_wizard(hub, home, opened):
    """From the app of the last visit, and from before signing in: both come from the device, the warning does not."""
    page = opened(home)
    enter(page)
    has_worker(page)
    renew_authority(hub)
    for _ in range(2):
        page.goto("/")
        page.get_by_role("button", name="Why?").or_(page.get_by_role("heading", name="The hub does not answer")).first.wait_for()
        if page.get_by_role("button", name="Why?").is_visible():
            page.get_by_role("button", name="Why?").click()
        link = page.get_by_role("link", name="Open the hub’s page again")
        expect(link).to_be_visible()
        with page.expect_event("requestfailed", lambda one: "/welcome?network" in one.url) as failed:
            link.click()
        assert "ERR_CERT_AUTHORITY_INVALID" in failed.value.failure
        page.goto("/settings")
        page.evaluate("() => { indexedDB.deleteDatabase('tandem'); }")
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto("/welcome?network")
