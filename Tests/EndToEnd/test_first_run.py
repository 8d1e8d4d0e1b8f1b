"""A new hub set up in five steps, as the family meets it; and who is there, on the device that they share."""

import re

import pytest
from playwright.sync_api import expect

from hub import EMAIL, PASSWORD, Hub, Problem, code_of, eventually
from pages import (  # noqa: F401
    DESKTOP, EACH_WAY, PHONE, assert_nothing_overflows, browser, fill_in, has_worker, sign_in, watched,
)  # fmt: skip

LONG = "Maximiliana Theodora Franziska von und zu Lindenstraße-Obert"  # 60 characters


@pytest.fixture
def fresh(tmp_path, web):
    """A hub that nobody has an account on."""
    hub = Hub(tmp_path / "data", web=web).start()
    yield hub
    hub.close()


def refused(page):
    """What the hub refuses, a browser writes to its console."""
    page.wrongs = [words for words in page.wrongs if not re.search(r"status of 4\d\d", words)]


def step(page, number):
    expect(page.get_by_text(f"Step {number} of 5")).to_be_visible()
    expect(page.locator("[aria-current=step]")).to_have_count(1)
    assert_nothing_overflows(page)


@EACH_WAY
def test_a_house_is_founded_in_five_steps(fresh, browser, looks):  # noqa: F811
    for page in watched(fresh, browser, looks):
        page.goto("/")
        step(page, 1)
        page.get_by_role("button", name="Go on", exact=True).click()
        expect(page.get_by_text("Please fill this in.")).to_be_visible()
        page.get_by_label("Household").fill("Linden Street 5")
        page.get_by_role("button", name="Go on", exact=True).click()
        step(page, 2)

        # Back, and the name is still there; a reload, and so is the step.
        page.get_by_role("button", name="Back").click()
        expect(page.get_by_label("Household")).to_have_value("Linden Street 5")
        page.get_by_role("button", name="Go on", exact=True).click()
        page.reload()
        step(page, 2)

        page.get_by_label(re.compile("Code")).fill("WRONG-CODE")
        page.get_by_label("Your name").fill("Tess")
        page.get_by_label("Email").fill(EMAIL)
        page.get_by_label("Password", exact=True).fill("short")
        page.get_by_role("button", name="Create account").click()
        # All that is wrong, at once.
        expect(page.get_by_label(re.compile("Code"))).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")
        assert_nothing_overflows(page)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label(re.compile("Code")).fill(code_of(fresh))
        page.get_by_role("button", name="Create account").click()

        step(page, 3)
        page.get_by_label("Name", exact=True).fill("Mila")
        page.get_by_label("Year of birth").fill("1066")
        page.get_by_role("radio", name="Owl").check(force=True)
        page.get_by_role("button", name="Add child").click()
        expect(page.get_by_label("Year of birth")).to_have_attribute("aria-invalid", "true")
        page.get_by_label("Year of birth").fill("2018")
        page.get_by_role("button", name="Add child").click()
        expect(page.get_by_role("button", name="Remove Mila")).to_be_visible()

        page.reload()  # in the middle: the hub knows how far the house has come
        step(page, 3)
        expect(page.get_by_role("button", name="Remove Mila")).to_be_visible()
        page.get_by_label("Name", exact=True).fill(LONG)
        page.get_by_role("button", name=re.compile("go on")).click()  # a name that was typed is meant
        expect(page.get_by_role("button", name=f"Remove {LONG}")).to_be_visible()
        assert_nothing_overflows(page)
        page.get_by_role("button", name=re.compile("go on")).click()

        step(page, 4)
        expect(page.get_by_role("checkbox", name="Plants")).to_be_checked()
        for companion in page.get_by_role("checkbox").all():
            companion.uncheck(force=True)
        page.get_by_role("button", name="Go on", exact=True).click()
        expect(page.locator("fieldset .problem")).to_be_visible()  # a house has at least one companion
        page.get_by_role("checkbox", name="Plants").check(force=True)
        page.get_by_role("button", name="Go on", exact=True).click()

        step(page, 5)
        page.get_by_role("button", name="Back").click()
        step(page, 4)
        page.get_by_role("button", name="Go on", exact=True).click()
        step(page, 5)
        page.get_by_role("button", name="Try it without hardware").click()
        expect(page.get_by_role("link", name=re.compile("Virtual basil"))).to_be_visible()
        page.reload()
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()

        # Who is this? From the header, in one tap.
        page.get_by_role("button", name="Tess uses this device. Change").click()
        assert_nothing_overflows(page)
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Mila")).click()
        expect(page.get_by_role("button", name="Mila uses this device. Change")).to_be_visible()
        refused(page)


def test_the_first_device_may_be_added_at_once(fresh, browser):  # noqa: F811
    founded(fresh)
    for page in watched(fresh, browser, (PHONE, "light")):
        sign_in_to(page, "/")
        step(page, 3)
        page.get_by_role("button", name="No children, go on").click()
        page.get_by_role("button", name="Go on", exact=True).click()
        page.get_by_role("button", name="Add a plant sensor").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Close").click()  # given up: nothing has happened
        step(page, 5)
        page.get_by_role("button", name="Add a plant sensor").click()
        dialog.get_by_role("button", name="Add device").click()
        expect(dialog.get_by_role("status")).to_contain_text("Waiting for its first reading")
        dialog.get_by_role("button", name="Done").click()
        expect(page.get_by_role("navigation", name="Places")).to_be_visible()
        fresh.sign_in()
        assert len(fresh.get("/api/devices")) == 1 and "setupStep" not in fresh.get("/api/session")["household"]


def founded(hub):
    account = {"household": "Our house", "name": "Tess", "email": EMAIL, "password": PASSWORD}
    hub.post("/api/setup", {**account, "code": code_of(hub)})


def sign_in_to(page, path):
    page.goto(path)
    fill_in(page)


@pytest.fixture
def family(data, web):
    hub = Hub(data, web=web).start().signed_in()
    for name, face in (("Mila", "owl"), ("Theo", "frog")):
        hub.post("/api/people", {"name": name, "face": face, "birthYear": 2018})
    yield hub
    hub.close()


@pytest.mark.parametrize("looks", [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"])
def test_a_family_device_asks_who_is_there_whenever_it_is_opened(family, browser, looks):  # noqa: F811
    for page in watched(family, browser, looks):
        page.clock.install()
        sign_in(page, "/settings")
        with page.expect_response("**/api/session/shared"):
            page.get_by_role("switch", name=re.compile("Family device")).check(force=True)
        expect(page.get_by_role("switch", name=re.compile("Family device"))).to_be_checked()
        page.reload()
        who = page.get_by_role("dialog", name="Who is this?")
        page.keyboard.press("Escape")  # it wants an answer
        expect(who).to_be_visible()
        assert_nothing_overflows(page)
        who.get_by_role("button", name=re.compile("^Theo")).click()
        expect(who).to_be_hidden()
        expect(page.get_by_role("button", name="Theo uses this device. Change").first).to_be_visible()

        # Back to a grown-up: with the password.
        page.get_by_role("button", name="Theo uses this device. Change").click()
        who.get_by_role("button", name=re.compile("^Tess")).click()
        page.get_by_label("Password", exact=True).fill("wrong")
        page.get_by_role("button", name="Switch").click()
        expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Switch").click()
        expect(who).to_be_hidden()

        # Away for a moment it does not ask; away for a quarter of an hour it does.
        for minutes, is_asked in ((2, False), (16, True)):
            away(page, True)
            page.clock.fast_forward(minutes * 60_000)
            away(page, False)
            expect(who).to_be_visible(visible=is_asked)

        # A grown-up who was here last may be a child by now.
        who.get_by_role("button", name=re.compile("^Tess")).click()
        expect(page.get_by_label("Password", exact=True)).to_be_visible()
        refused(page)


def test_a_family_device_asks_without_the_hub_too_and_tells_it_later(family, browser):  # noqa: F811
    family.request("PUT", "/api/session/shared", {"isShared": True})
    for page in watched(family, browser, (PHONE, "light")):
        page.is_offline_expected = True
        page.context.add_cookies([{"name": "tandem_session", "value": family.token, "url": family.url}])
        page.goto("/plants")
        who = page.get_by_role("dialog", name="Who is this?")
        who.get_by_role("button", name=re.compile("^Theo")).click()
        expect(who).to_be_hidden()
        has_worker(page)
        family.kill()
        page.reload()
        who.get_by_role("button", name=re.compile("^Mila")).click()
        expect(who).to_be_hidden()
        expect(page.get_by_role("button", name="Mila uses this device. Change").first).to_be_visible()
        assert family.start().get("/api/session")["profile"]["name"] == "Theo"
        eventually(lambda: family.get("/api/session")["profile"]["name"] == "Mila", 40, "the hub is told")
        refused(page)


def away(page, hidden):
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_sign_in_is_ended_at_one_tap(family, browser):  # noqa: F811
    family.sign_in()  # a program, from another device
    for page in watched(family, browser, (PHONE, "light")):
        sign_in(page, "/settings")
        others = page.get_by_role("button", name=re.compile("^End the sign-in"))
        expect(others.first).to_be_visible()
        before = others.count()
        others.last.click()
        expect(page.get_by_text("Signed out:")).to_be_visible()
        expect(others).to_have_count(before - 1)


def test_the_people_and_the_house_are_changed_in_settings(family, browser):  # noqa: F811
    for page in watched(family, browser, (PHONE, "light")):
        sign_in(page, "/settings")
        page.get_by_role("button", name=re.compile("^Mila")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name", exact=True).fill(LONG)
        dialog.get_by_role("radio", name="Lion").check(force=True)
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("button", name=re.compile(f"^{LONG}"))).to_be_visible()
        assert_nothing_overflows(page)
        page.get_by_role("button", name="Rename the household").click()
        dialog.get_by_label("Name", exact=True).fill("Linden Street 5")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Linden Street 5, on the hub", exact=False)).to_be_visible()
        assert {"name": LONG, "face": "lion", "birthYear": 2018}.items() <= family.get("/api/people")[1].items()

        # An invitation: a code to look at, a link that fills it in.
        page.get_by_role("button", name="Invite").click()
        expect(dialog.get_by_role("img", name="QR code of the invitation")).to_be_visible()
        link = dialog.get_by_text("/join#").inner_text()
        page.is_offline_expected = True  # leaving a page may close its connection before it is open
        page.context.clear_cookies()
        page.goto("about:blank")
        page.goto(link)
        expect(page.get_by_label("Invitation code")).to_have_value(link.split("#")[1])
        expect(page.get_by_role("heading", level=1)).to_have_text("Join Linden Street 5")
        refused(page)


def test_an_invitation_is_withdrawn_and_wrong_passwords_are_seen_in_settings(family, browser):  # noqa: F811
    with pytest.raises(Problem):
        family.post("/api/session", {"email": EMAIL, "password": "a guess"})
    for page in watched(family, browser, (PHONE, "light")):
        sign_in(page, "/settings")
        expect(page.get_by_text("For Tess", exact=True)).to_be_visible()
        expect(page.get_by_text(f"{EMAIL}, from 127.0.0.1")).to_be_visible()
        page.get_by_role("button", name="Invite").click()
        dialog = page.get_by_role("dialog")
        link = dialog.get_by_text("/join#").inner_text()
        page.keyboard.press("Escape")
        page.get_by_role("button", name=re.compile("^Withdraw the invitation by Tess")).click()
        dialog.get_by_role("button", name="Withdraw it").click()
        expect(page.get_by_text("Open invitations")).to_have_count(0)
        assert_nothing_overflows(page)
        page.is_offline_expected = True  # leaving a page may close its connection before it is open
        page.context.clear_cookies()
        page.goto("about:blank")
        page.goto(link)
        expect(page.get_by_text("This invitation was withdrawn. Ask for a new one.")).to_be_visible()
        refused(page)
