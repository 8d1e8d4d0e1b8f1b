"""A tablet on the wall: the time and how everything is, for a whole day and with the hub away."""

import re

import pytest
from playwright.sync_api import expect

from pages import browser, hub, new_page, sign_in  # noqa: F401

TABLET = {"width": 1280, "height": 800}


@pytest.fixture
def page(hub, browser):  # noqa: F811
    page = new_page(hub, browser, (TABLET, "light"))
    sign_in(page)
    yield page
    page.context.close()


def test_it_tells_the_time_and_how_everything_is_and_is_left_again(page):
    page.goto("/settings")
    page.get_by_role("link", name="On the wall").click()
    expect(page.locator(".wall-time")).to_have_text(re.compile(r"^\d{1,2}:\d\d"))
    expect(page.get_by_role("list", name="Companions").get_by_role("link")).to_have_count(5)
    expect(page.get_by_role("navigation", name="Places")).to_be_hidden()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()


def test_with_the_hub_away_it_says_since_when(hub, page):  # noqa: F811
    page.is_offline_expected = True
    page.goto("/wall")
    expect(page.locator(".wall-time")).to_be_visible()
    hub.kill()
    expect(page.locator(".wall-state")).to_have_text(re.compile("^No hub since .* Values are as they were then"))


def test_in_quiet_hours_it_is_dark_and_tells_the_time(hub, page):  # noqa: F811
    me = hub.get("/api/session")["person"]["id"]
    page.goto("/wall")
    expect(page.get_by_role("list", name="Companions")).to_be_visible()
    hub.request("PUT", f"/api/reminders/{me}/rules", {"isQuiet": True, "quietFrom": 1, "quietUntil": 0})
    expect(page.get_by_role("list", name="Companions")).to_be_hidden()
    expect(page.locator(".wall-time")).to_be_visible()
