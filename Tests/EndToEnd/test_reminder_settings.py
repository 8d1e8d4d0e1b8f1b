"""When people are reminded, how much, and when they are left alone: the page of all reminders."""

import pytest
from playwright.sync_api import expect

from hub import eventually
from pages import EACH_WAY, browser, new_page, sign_in  # noqa: F401
from shared_hub import shared_hub

hub = shared_hub(web=True)


@pytest.fixture
def child(hub):  # noqa: F811
    return hub.post("/api/people", {"name": "Mila", "role": "child"})["id"]


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    page = new_page(hub, browser, looks)
    sign_in(page)
    yield page
    page.context.close()


def rules(hub, person):  # noqa: F811
    return next(one for one in hub.get("/api/reminders")["rules"] if one["person"] == person)


@EACH_WAY
def test_quiet_hours_and_how_much_are_chosen_and_stay(hub, child, page):  # noqa: F811
    page.goto("/settings")
    page.get_by_role("link", name="When, how much, and quiet hours").click()
    page.get_by_role("group", name="Whose reminders").wait_for()
    page.get_by_role("button", name="Mila").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mila is reminded of nothing")
    page.get_by_role("switch", name="Quiet hours").check(force=True)
    page.get_by_label("From").fill("19:00")
    page.get_by_label("Until").fill("06:30")
    page.get_by_role("button", name="Two", exact=True).click()
    page.get_by_role("switch", name="Brush in the evening").check(force=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Mila is reminded of one thing")
    expect(page.get_by_text("in the quiet hours: on open pages only")).to_be_visible()

    def stored():
        own = rules(hub, child)
        return (own["quietFrom"], own["quietUntil"], own["noticesPerDay"]) == (1140, 390, 2)

    eventually(stored, what="all three changes at the hub")
    page.reload()
    page.get_by_role("button", name="Mila").click()
    expect(page.get_by_label("From")).to_have_value("19:00")
    expect(page.get_by_text("Nothing has come yet.", exact=False)).to_be_visible()


@pytest.mark.parametrize("looks", [({"width": 390, "height": 844}, "light")], ids=["phone"])
def test_hours_that_end_when_they_begin_are_refused_where_they_stand(hub, child, page):  # noqa: F811
    page.goto("/settings/reminders")
    page.get_by_role("button", name="Mila").click()
    page.get_by_role("switch", name="Quiet hours").check(force=True)
    page.get_by_label("Until").fill("21:00")
    expect(page.get_by_role("alert")).to_have_text("Quiet hours end at another time than they begin.")
    assert rules(hub, child)["quietUntil"] == 420
