"""Accounts that last: a password is changed, one that was forgotten is chosen anew, and an adult leaves."""

import re

import pytest
from playwright.sync_api import expect

from hub import EMAIL, PASSWORD, Problem, tandem
from pages import PHONE, assert_nothing_overflows, browser, hub, sign_in, watched  # noqa: F401

TOM = {"email": "tom@example.org", "password": "the password of Tom"}
NEW = "quite another password"


@pytest.fixture
def page(hub, browser):  # noqa: F811
    code = hub.post("/api/invitations")["code"]
    hub.post("/api/accounts", {"code": code, "name": "Tom", **TOM})
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True  # leaving a page may close its connection before it is open
        yield page


def comes_in(hub, email, password):  # noqa: F811
    try:
        return bool(hub.post("/api/session", {"email": email, "password": password}))
    except Problem as problem:
        assert problem.status == 401
        return False


def signed_out(page):
    page.context.clear_cookies()
    page.goto("about:blank")


def test_a_password_is_changed_in_settings(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("button", name=re.compile("^Tess tess@")).click()
    page.get_by_role("button", name="Change password").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password", exact=True).fill(PASSWORD)
    dialog.get_by_label("New password", exact=True).fill("short")
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog.get_by_text("A password has at least 8 characters.")).to_be_visible()
    dialog.get_by_label("New password", exact=True).fill(NEW)
    dialog.get_by_role("button", name="Change password").click()
    expect(page.get_by_text(re.compile("Your password is changed"))).to_be_visible()
    page.wrongs = [words for words in page.wrongs if "status of 422" not in words]
    # This device stays, the others are out.
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert not comes_in(hub, EMAIL, PASSWORD) and comes_in(hub, EMAIL, NEW)


def test_all_other_sign_ins_of_an_account_are_ended_at_once(hub, page):  # noqa: F811
    tom = hub.page_cookie(*TOM.values())
    sign_in(page, "/settings")
    page.get_by_role("button", name="End my other sign-ins").click()
    page.get_by_role("dialog").get_by_role("button", name="End them").click()
    expect(page.get_by_text("Your other sign-ins have ended.")).to_be_visible()
    assert_nothing_overflows(page)
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    expect(page.get_by_role("button", name="End my other sign-ins")).to_have_count(0)
    with pytest.raises(Problem):
        hub.get("/api/session")
    cookie = {"Cookie": f"tandem_session={tom}", "Authorization": ""}
    assert hub.request("GET", "/api/session", headers=cookie)[1]["person"]["name"] == "Tom"


def test_who_forgot_a_password_gets_a_code_from_another_adult(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("button", name=re.compile("^Tom")).click()
    page.get_by_role("button", name="New password").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="QR code for Tom’s new password")).to_be_visible()
    assert_nothing_overflows(page)
    link = dialog.get_by_text("/reset#").inner_text()
    signed_out(page)
    page.goto(link)
    expect(page.get_by_label("Code", exact=True)).to_have_value(link.split("#")[1])
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_role("button", name="Use this password").click()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert not comes_in(hub, *TOM.values()) and comes_in(hub, TOM["email"], NEW)


def test_the_consoles_code_is_for_whoever_has_nobody_to_ask(hub, page):  # noqa: F811
    printed = tandem("user", "reset", EMAIL, "--data", hub.data).stdout
    code = printed.splitlines()[0]
    assert re.fullmatch(r"\w{4}-\w{4}-\w{4}", code)
    refused = tandem("user", "reset", "nobody@example.org", "--data", hub.data, check=False)
    assert refused.returncode != 0 and "Nobody signs in with nobody@example.org" in refused.stderr
    page.goto("/")
    page.get_by_role("link", name="I forgot my password").click()
    page.get_by_label("Code", exact=True).fill(code.lower().replace("-", " "))
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_role("button", name="Use this password").click()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert comes_in(hub, EMAIL, NEW)


def test_an_adult_leaves_and_says_what_stays_and_the_last_one_hands_over_first(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("button", name=re.compile("^Tom")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Remove Tom").click()
    dialog = dialog.last
    expect(dialog.get_by_role("button", name="Stays here")).to_have_attribute("aria-pressed", "true")
    dialog.get_by_role("button", name="Remove Tom").click()
    expect(page.get_by_text("adult, cannot sign in")).to_be_visible()
    assert not comes_in(hub, *TOM.values())
    page.get_by_role("button", name=re.compile("^Tess tess@")).click()
    page.get_by_role("dialog").get_by_role("button", name="Leave this household").click()
    expect(page.get_by_role("heading", name="Hand the household over first")).to_be_visible()
    page.get_by_role("dialog").last.get_by_role("button", name="Invite an adult").click()
    invitation = page.get_by_role("dialog").last.get_by_text("/join#").inner_text().split("#")[1]
    page.keyboard.press("Escape")
    hub.post("/api/accounts", {"code": invitation, "name": "Eva", "email": "eva@example.org", "password": NEW})
    page.reload()
    page.get_by_role("button", name=re.compile("^Tess tess@")).click()
    page.get_by_role("dialog").get_by_role("button", name="Leave this household").click()
    dialog = page.get_by_role("dialog").last
    dialog.get_by_role("button", name="Goes too").click()
    dialog.get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert not comes_in(hub, EMAIL, PASSWORD) and comes_in(hub, "eva@example.org", NEW)
