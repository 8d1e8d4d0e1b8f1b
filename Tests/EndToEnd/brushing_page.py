"""A phone on which teeth are brushed, with a clock of its own: seconds pass when a test says so."""

import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from pages import PHONE, sign_in, stands_still, watched
from stored_recording import stored_session  # noqa: F401

PLANNED = 210  # seconds of the original's routine
QUARTERS = ["Upper left", "Upper right", "Lower left", "Lower right"]


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):
    """A phone whose hub may go away, and whose clock is the test’s."""
    for page in watched(hub, browser, looks):
        page.is_offline_expected = True
        page.clock.install()
        yield page


def add_child(hub, name, face, **settings):
    child = hub.post("/api/people", {"name": name, "role": "child", "face": face})
    if settings:
        hub.request("PUT", f"/api/brushing/people/{child['id']}/settings", settings)
    return child["id"]


def me(hub):
    return hub.get("/api/session")["person"]["id"]


def sessions(hub, person):
    """What the hub has stored of somebody this month and the one before, the oldest first."""
    last = hub.get(f"/api/brushing/people/{person}/history")
    months = [last] + [hub.get(f"/api/brushing/people/{person}/history?month={last[way]}") for way in ("previous", "next") if last.get(way)]
    all_of_them = {one["id"]: one for month in months for day in month["days"] for one in day["sessions"]}
    return sorted(all_of_them.values(), key=lambda one: one["startedAt"])


def open_ready(page, path="/brushing"):
    sign_in(page, path)
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()


def start(page):
    page.get_by_role("button", name="Start brushing").click()
    counted_down(page)
    expect(page.get_by_role("timer")).to_be_visible()
    expect(page.locator("html[data-session]")).to_have_count(1)
    stands_still(page)


def counted_down(page):
    """Three, two, one, without the wait."""
    expect(page.get_by_role("dialog", name="Get ready")).to_be_visible()
    page.clock.run_for(3_000)


def passes(page, seconds):
    """So many seconds pass, with every tick of them."""
    page.clock.run_for(round(seconds * 1000))


def left(page):
    """The seconds that the ring shows."""
    return int(re.match(r"\d+", page.get_by_role("timer").get_attribute("aria-label")).group())


def brushed(page):
    """The summary is there, and time goes on by itself."""
    page.clock.resume()
    expect(page.get_by_role("button", name="Share")).to_be_visible()
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def is_delivered(hub, person, count=1):
    return eventually(lambda: len(sessions(hub, person)) == count and sessions(hub, person), what="the delivery")
