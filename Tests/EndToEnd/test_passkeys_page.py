"""Passkeys on the page, with Chromium’s virtual authenticator (WebAuthn of the DevTools protocol) in the device’s stead."""

import contextlib
import re
import types

import pytest
from playwright.sync_api import Error, expect

from hub import PASSWORD
from pages import (
    EACH_WAY, PHONE, assert_nothing_overflows, browser, fill_in, hub, sign_in, sign_in_by_hand, watched,  # noqa: F401
)  # fmt: skip


class Authenticator:
    """The device’s own, such as a fingerprint reader, that says yes at once."""

    def __init__(self, page):
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("WebAuthn.enable", {"enableUI": False})
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
        }})["authenticatorId"]  # fmt: skip

    def credentials(self):
        return self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def set(self, what, **how):
        self.cdp.send(f"WebAuthn.{what}", {"authenticatorId": self.id, **how})

    def count_back(self):
        """As a copy that was made before the last uses."""
        [credential] = self.credentials()
        self.set("removeCredential", credentialId=credential["credentialId"])
        self.set("addCredential", credential={**credential, "signCount": 0})


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    # A passkey belongs to a name, and the hub’s own address is a number.
    named = types.SimpleNamespace(url=f"http://localhost:{hub.port}")
    for page in watched(named, browser, looks):
        page.is_offline_expected = True  # leaving a page may close its connection before it is open
        yield page


@pytest.fixture
def authenticator(page):
    return Authenticator(page)


def section(page):
    return page.get_by_role("region", name="Your passkeys")


def make(page, name="My phone", password=PASSWORD):
    section(page).get_by_role("button", name="Make a passkey").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_label("Password", exact=True).fill(password)
    dialog.get_by_role("button", name="Go on").click()
    return dialog


def signed_out(page):
    page.context.clear_cookies()
    page.evaluate("() => localStorage.clear()")
    page.goto("/")


def is_in(page):
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()


@EACH_WAY
def test_an_adult_makes_a_passkey_and_comes_in_with_it(hub, page, authenticator):  # noqa: F811
    sign_in_by_hand(page, "/settings")
    make(page)
    row = section(page).get_by_role("button", name=re.compile("^My phone"))
    expect(row).to_contain_text("not used yet")
    assert_nothing_overflows(page)
    assert [one["rpId"] for one in authenticator.credentials()] == ["localhost"]
    # While the field offers nothing by itself, the button asks.
    authenticator.set("setAutomaticPresenceSimulation", enabled=False)
    signed_out(page)
    button = page.get_by_role("button", name="Use a passkey")
    expect(button).to_be_visible()
    assert_nothing_overflows(page)
    authenticator.set("setAutomaticPresenceSimulation", enabled=True)
    if not page.get_by_role("navigation", name="Places").is_visible():
        with contextlib.suppress(Error):  # the field’s own question may be answered meanwhile, and the button be gone
            button.click(timeout=5000)
    is_in(page)
    page.goto("/settings")
    expect(section(page).get_by_role("button", name=re.compile("^My phone"))).to_contain_text("used")
    assert hub.get("/api/passkeys")["passkeys"][0]["usedAt"] > 0


def test_the_field_of_the_email_offers_a_passkey(page, authenticator):
    sign_in_by_hand(page, "/settings")
    make(page)
    expect(section(page).get_by_role("button", name=re.compile("^My phone"))).to_be_visible()
    signed_out(page)
    # The virtual authenticator answers what the field offers at once, as if it had been chosen there.
    expect(page.get_by_label("Email")).to_have_attribute("autocomplete", "username webauthn")
    is_in(page)


def test_the_password_stays_a_way_back_where_the_device_does_not_know_who_it_is(page, authenticator):
    sign_in_by_hand(page, "/settings")
    make(page)
    expect(section(page).get_by_role("button", name=re.compile("^My phone"))).to_be_visible()
    authenticator.set("setUserVerified", isUserVerified=False)
    signed_out(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("The browser’s question was closed, or nobody answered it.")).to_be_visible()
    fill_in(page)
    is_in(page)


def test_a_copied_passkey_is_refused_and_settings_say_so(page, authenticator):
    sign_in_by_hand(page, "/settings")
    make(page)
    row = section(page).get_by_role("button", name=re.compile("^My phone"))
    expect(row).to_be_visible()
    for _ in range(2):
        signed_out(page)
        is_in(page)
    authenticator.count_back()
    signed_out(page)
    expect(page.get_by_text("This passkey has counted less than before")).to_be_visible()
    fill_in(page)
    is_in(page)
    page.goto("/settings")
    expect(row).to_contain_text("Somebody may have a copy of it")
    assert_nothing_overflows(page)


def test_a_passkey_is_named_and_removed(hub, page, authenticator):  # noqa: F811
    sign_in_by_hand(page, "/settings")
    make(page, name="Old phone")
    section(page).get_by_role("button", name=re.compile("^Old phone")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Tablet")
    dialog.get_by_role("button", name="Save").click()
    section(page).get_by_role("button", name=re.compile("^Tablet")).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_role("dialog", name="Remove Tablet?").get_by_role("button", name="Remove").click()
    expect(section(page).get_by_role("button", name=re.compile("^Tablet"))).to_have_count(0)
    assert hub.get("/api/passkeys")["passkeys"] == []


def test_a_second_one_on_the_same_device_and_a_wrong_password_are_said(page, authenticator):
    sign_in_by_hand(page, "/settings")
    make(page)
    expect(section(page).get_by_role("button", name=re.compile("^My phone"))).to_be_visible()
    dialog = make(page, name="Again")
    expect(dialog.get_by_text("This device has a passkey of yours for this hub already.")).to_be_visible()
    dialog.get_by_label("Password", exact=True).fill("a wrong password")
    dialog.get_by_role("button", name="Go on").click()
    expect(dialog.get_by_text("That password does not belong to this email.")).to_be_visible()


def test_at_a_number_the_page_says_why_none_can_be_made(hub, browser):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "dark")):
        page.is_offline_expected = True
        sign_in(page, "/settings")
        expect(section(page)).to_contain_text("this page was opened by a number")
        expect(section(page).get_by_role("button", name="Make a passkey")).to_have_count(0)
        assert_nothing_overflows(page)


def test_on_a_family_device_none_is_made(page, authenticator):
    sign_in_by_hand(page, "/settings")
    page.evaluate(
        """async (password) => {
            const send = (method, path, body) => fetch(path, {
                method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
            });
            await send("PUT", "/api/session/shared", { isShared: true });
            await send("POST", "/api/session/confirm", { password });
        }""",
        PASSWORD,
    )
    page.reload()
    expect(section(page)).to_contain_text("The family shares this device")
    expect(section(page).get_by_role("button", name="Make a passkey")).to_have_count(0)
    page.wrongs[:] = [one for one in page.wrongs if "403" not in one]  # what is for adults, until the password is typed
