"""Settings: ntfy and email, webhooks, and programs that read, on a phone."""

import re

import pytest
from playwright.sync_api import expect

from http_receiver import Receiver
from mail_server import PASSWORD, USER, MailServer
from hub import eventually, free_port
from pages import PHONE, assert_nothing_overflows, browser, hub, sign_in, watched  # noqa: F401


@pytest.fixture
def page(hub, browser):  # noqa: F811
    yield from watched(hub, browser, (PHONE, "light"))


@pytest.fixture
def mila(hub):  # noqa: F811
    return hub.post("/api/people", {"name": "Mila", "face": "fox"})


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def fits(page):
    assert_nothing_overflows(page)
    wide = page.evaluate("() => [...document.querySelectorAll('dialog *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1).length")
    assert wide == 0


def test_a_topic_of_ntfy_is_added_tried_and_removed(hub, page, mila, receiver):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_text("ntfy and email").locator("xpath=ancestor::div[contains(@class, 'row')]").get_by_role("button", name="Add").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Mila").click()
    sheet.get_by_label("Address", exact=True).fill("http://ntfy.example/our-topic")
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet).to_contain_text("http is for addresses in your home network")
    page.wrongs.clear()
    fits(page)
    sheet.get_by_label("Address", exact=True).fill(f"{receiver.url}/our-topic")
    sheet.get_by_role("button", name="Add", exact=True).click()
    row = page.get_by_role("button", name=re.compile("our-topic"))
    expect(row).to_contain_text("for Mila, nothing sent yet")
    row.click()
    page.get_by_role("button", name=re.compile("Try it")).click()
    assert "Mila" in receiver.next().json["message"]
    page.reload()
    expect(row).to_contain_text("last")
    expect(page.get_by_role("main")).to_contain_text("reminders by ntfy, at 127.0.0.1 in the house")
    fits(page)
    row.click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)


def test_an_email_account_and_an_address_with_its_code(hub, page, mila, tmp_path):  # noqa: F811
    server = MailServer(tmp_path / "mail", free_port())
    try:
        sign_in(page, "/settings")
        page.get_by_text("ntfy and email").locator("xpath=ancestor::div[contains(@class, 'row')]").get_by_role("button", name="Add").click()
        page.get_by_role("button", name="Email", exact=True).click()
        page.get_by_role("button", name="Add an email account").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("Mail server").fill("localhost")
        sheet.get_by_role("button", name="STARTTLS, port 587").click()
        sheet.get_by_label("Username", exact=True).fill(USER)
        sheet.get_by_label("Password", exact=True).fill("wrong")
        sheet.get_by_text("More", exact=True).click()
        sheet.get_by_label("Port", exact=True).fill(str(server.port))
        sheet.get_by_label("Or its certificate’s fingerprint, SHA-256").fill(server.fingerprint)
        sheet.get_by_role("button", name="Sign in and keep").click()
        expect(sheet).to_contain_text("The mail server does not let Tandem in")
        page.wrongs.clear()
        fits(page)
        sheet.get_by_label("Password", exact=True).fill(PASSWORD)
        sheet.get_by_role("button", name="Sign in and keep").click()
        expect(page.get_by_text(f"Emails are sent by {USER}")).to_be_visible()
        page.get_by_text("ntfy and email").locator("xpath=ancestor::div[contains(@class, 'row')]").get_by_role("button", name="Add").click()
        page.get_by_role("button", name="Email", exact=True).click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("Address", exact=True).fill("tess@linden.example")
        sheet.get_by_role("button", name="Add", exact=True).click()
        code = re.search(rb"Subject: (\d{8}) ", server.next().content).group(1).decode()
        page.get_by_label("Code", exact=True).fill(code)
        page.get_by_role("button", name="Confirm", exact=True).click()
        expect(page.get_by_role("button", name=re.compile("tess@linden.example.*for Tess"))).to_be_visible()
        fits(page)
    finally:
        server.close()


def test_a_program_gets_a_token_that_is_shown_once(hub, page, mila):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("button", name="Let a program read").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("Grafana")
    sheet.get_by_role("button", name="Make the token").click()
    expect(sheet).to_contain_text("Choose at least one thing")
    page.wrongs.clear()
    sheet.locator(".choice").first.click()
    sheet.get_by_role("button", name="Mila").click()
    sheet.get_by_role("button", name="30 days").click()
    fits(page)
    sheet.get_by_role("button", name="Make the token").click()
    expect(sheet.get_by_text("The token is shown only this once.")).to_be_visible()
    token = sheet.locator("code").first.text_content()
    fits(page)
    sheet.get_by_role("button", name="Done").click()
    row = page.get_by_role("listitem").filter(has_text="Grafana")
    expect(row).to_contain_text("not read yet")
    assert token not in page.content()
    row.get_by_role("button", name="End").click()
    page.get_by_role("button", name="End it").click()
    expect(row).to_have_count(0)


def test_a_webhook_is_added_and_people_appear_when_somebody_says_so(hub, page, mila, receiver):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("button", name="Add a webhook").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("Node-RED")
    sheet.get_by_label("Address", exact=True).fill(f"{receiver.url}/hook")
    expect(sheet.get_by_text("Nobody appears until you say so.")).to_be_hidden()
    sheet.get_by_role("switch").first.check(force=True)
    expect(sheet.get_by_text("Nobody appears until you say so.")).to_be_visible()
    fits(page)
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet.get_by_text("The key is shown only this once.")).to_be_visible()
    sheet.get_by_role("button", name="Done").click()
    row = page.get_by_role("button", name=re.compile("Node-RED"))
    expect(row).to_contain_text("nothing told yet")
    row.click()
    page.get_by_role("button", name=re.compile("Try it")).click()
    assert receiver.next().json["event"] == "try"
    eventually(lambda: hub.get("/api/webhooks")["webhooks"][0].get("lastAt"))
    fits(page)


def test_new_versions_are_looked_for_where_an_adult_says_so(hub, page, receiver):  # noqa: F811
    receiver.content["/api/v1/repos/owner/tandem/releases/latest"] = {"tag_name": "v999.1.0"}
    sign_in(page, "/settings")
    page.get_by_role("button", name="Look for new versions").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("The project’s address").fill(f"{receiver.url}/owner")
    sheet.get_by_role("button", name="Keep").click()
    expect(sheet).to_contain_text("names no project")
    page.wrongs.clear()
    fits(page)
    sheet.get_by_label("The project’s address").fill(f"{receiver.url}/owner/tandem")
    sheet.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("main")).to_contain_text("Version 999.1.0 is there")
    expect(page.get_by_role("link", name="What is new")).to_have_attribute("href", f"{receiver.url}/owner/tandem")
    fits(page)
    page.get_by_role("button", name="Change where it asks").click()
    sheet.get_by_label("The project’s address").fill("")
    sheet.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="Look for new versions")).to_be_visible()
