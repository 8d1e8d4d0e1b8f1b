"""The rooms of Drums as tests meet them: somebody who has practised, and a page of theirs."""

import datetime
import plistlib

import pytest
from playwright.sync_api import expect

from drums_page import browser  # noqa: F401
from pages import (  # noqa: F401
    DESKTOP, EACH_WAY, PHONE, assert_nothing_overflows, has_worker, hub, is_back, sign_in, watched,
)  # fmt: skip
from shared_hub import child

SCREENS = ["/drums", "/drums/settings", "/drums/data", "/drums/report", "/drums/goals"]
BEATS = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1]


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    yield from watched(hub, browser, looks)


@pytest.fixture
def mila(hub):  # noqa: F811
    return child(hub, "Mila", "fox")


def person(hub, one):  # noqa: F811
    """Somebody as the overview shows them."""
    return next(each for each in hub.get("/api/drums")["people"] if each["id"] == one["id"])


def today(hub):  # noqa: F811
    return datetime.datetime.fromtimestamp(hub.get("/api/hub")["now"] / 1000, datetime.UTC)


def entry(date, title="Ode to Joy", reactions=(520, 610, 480, 700, 590, 560, 640, 530)):
    """A session as the original keeps it: every fourth beat after another drum."""
    hits, count = [], 0
    for beat in BEATS:
        if not beat:
            hits.append("")
            continue
        wrong = "1 " if count % 4 == 3 else ""
        drum, force = (0, "320.00") if count % 2 else (3, "-1.00")
        hits.append(f"{wrong}{drum} {reactions[count % len(reactions)]} {force}")
        count += 1
    return {
        "tempo": 96, "level": 2, "song_name": title, "drums": [1, 1, 0, 1], "beat_sequence": BEATS,
        "hit_sequence": hits, "date": date.replace(tzinfo=None, microsecond=0),
    }  # fmt: skip


def weeks_of(hub, one, days=20):  # noqa: F811
    """Has somebody play a song at nine in the morning, UTC, but not on every fifth day."""
    now = today(hub)
    all = [
        entry((now - datetime.timedelta(days=back)).replace(hour=9, minute=0, second=back))
        for back in range(days, 0, -1) if back % 5
    ]  # fmt: skip
    loaded = bring(hub, one, all)
    assert loaded["stored"] == len(all), loaded
    return all


def bring(hub, one, sessions):  # noqa: F811
    data = plistlib.dumps(sessions)
    headers = {"Content-Type": "application/octet-stream"}
    return hub.request("POST", f"/api/drums/import?person={one['id']}", data, headers)[1]


def sessions(hub, one):  # noqa: F811
    return hub.get(f"/api/drums/sessions?person={one['id']}")["sessions"]


def plan(hub, one, **more):  # noqa: F811
    since = (today(hub) - datetime.timedelta(days=60)).date().isoformat()  # a week that it holds for as a whole
    body = {"setBy": "Ms Okafor", "minutesPerWeek": 90, "from": since, **more}
    return hub.request("PUT", f"/api/drums/people/{one['id']}/plan", body)[1]


def opened(page, path, one):
    sign_in(page, f"{path}?person={one['id']}")
    expect(page.get_by_role("heading", level=1)).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    return page


def region(page, name):
    return page.get_by_role("region", name=name, exact=True)
