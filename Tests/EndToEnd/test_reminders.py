"""Reminders by a hub that runs: what it tells open pages, what waits, and the calendar that other programs read."""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zoneinfo

import icalendar
import pytest
import recurring_ical_events

import local_time
from hub import Hub, Problem, eventually
from live import Live

DAY = datetime.timedelta(days=1)
UTC = datetime.timezone.utc
# 21 November 2026, 7:00 in Vienna.
SEVEN = 1795240800000


@pytest.fixture
def child(hub):
    return hub.post("/api/people", {"name": "Mila"})["id"]


def reminder(hub, child, name="morning"):
    return next(
        one for one in hub.get("/api/reminders")["reminders"]
        if (one["companion"], one["name"], one["person"]) == ("brushing", name, child)
    )  # fmt: skip


def put(hub, child, name="morning", **changes):
    return hub.request("PUT", f"/api/reminders/brushing/{name}/{child}", changes)[1]


def due(hub):
    return hub.get("/api/reminders")["due"]


def curl(*arguments):
    return subprocess.run(["curl", "-sS", *arguments], capture_output=True, check=True).stdout


# A clock that the test sets: from the moment given it goes on.


@pytest.fixture(scope="session")
def wall_clock(tmp_path_factory):
    """A library by which the wall clock of a program can be set."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler, or no Linux")
    library = tmp_path_factory.mktemp("wall-clock") / "wall_clock.so"
    source = pathlib.Path(__file__).parent / "wall_clock.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def hub_at(data, wall_clock):
    """Starts a hub, always on the same data, whose clock begins at a moment of UTC."""
    hubs = []

    def start(*moment):
        for hub in hubs:
            hub.close()
        moment = datetime.datetime(*moment, tzinfo=UTC) if len(moment) > 1 else moment[0]
        hub = Hub(data)
        hub.wrapper = ["env", "TZ=UTC", f"WALL_CLOCK={int(moment.timestamp())}", f"LD_PRELOAD={wall_clock}"]
        hubs.append(hub)
        return hub.start().signed_in()

    yield start
    for hub in hubs:
        hub.close()


def set_up(hub_at, minutes):
    """A hub whose Mila is reminded at these minutes of Vienna's clock, as it was left before dawn; her id."""
    hub = hub_at(2026, 11, 21, 3, 0)
    child = hub.post("/api/people", {"name": "Mila"})["id"]
    hub.request("PATCH", f"/api/people/{child}", {"timeZone": "Europe/Vienna"})
    for name, minute in minutes.items():
        loaded = put(hub, child, name, isOn=True, minute=minute)
        assert loaded["isOn"] and loaded["silencedByDone"]
    return child


@pytest.mark.by_the_clock
def test_a_reminder_comes_at_its_minute_and_open_pages_are_told(hub_at):
    child = set_up(hub_at, {"morning": 7 * 60})
    # Long enough before that the page is open in time.
    hub = hub_at(2026, 11, 21, 5, 59, 50)
    loaded = reminder(hub, child)
    assert loaded["next"] == SEVEN
    assert due(hub) == []
    with Live(hub) as live:
        live.socket.settimeout(30)
        frame = live.until(lambda frame: frame["type"] == "reminder")
        assert (frame["item"], frame["person"]) == (loaded["id"], child)
    [one] = due(hub)
    assert one["id"] == loaded["id"] and "Mila" in one["title"]
    assert one["at"] == SEVEN and 0 <= one["firedAt"] - SEVEN < 5_000
    assert one["path"] == f"/brushing?person={child}"
    assert reminder(hub, child)["next"] == SEVEN + 86_400_000


@pytest.mark.by_the_clock
def test_a_snooze_outlives_a_kill_and_what_was_missed_comes_once(hub_at):
    child = set_up(hub_at, {"morning": 7 * 60, "evening": 18 * 60})
    hub = hub_at(2026, 11, 21, 6, 0)
    [one] = eventually(lambda: due(hub), what="the reminder")
    until = hub.post(f"/api/reminders/{one['id']}/snooze", {"minutes": 5})["snoozedUntil"]
    assert due(hub) == []
    hub.kill()
    # The snooze ends while the hub runs.
    hub = hub_at(datetime.datetime.fromtimestamp(until // 1000 - 8, UTC))
    assert due(hub) == []
    assert reminder(hub, child)["snoozedUntil"] == until
    [again] = eventually(lambda: due(hub), within=30, what="the reminder once more")
    assert again["id"] == one["id"] and again["at"] == SEVEN and 0 <= again["firedAt"] - until < 5_000
    hub.kill()
    # Five days off, then at 20:00: of ten that were missed one comes, the newest.
    hub = hub_at(2026, 11, 26, 19, 0)
    [missed] = eventually(lambda: due(hub), what="the reminder that was missed")
    assert missed["id"] == f"brushing.evening.{child}"
    hub.request("POST", f"/api/reminders/{missed['id']}/dismiss", {})
    assert due(hub) == []
    hub.kill()
    hub = hub_at(2026, 11, 26, 19, 1)
    with pytest.raises(Problem) as refused:
        hub.post(f"/api/reminders/{missed['id']}/snooze", {"minutes": 7})
    assert refused.value.status == 422 and refused.value.body["field"] == "minutes"
    assert due(hub) == []


def test_an_old_clock_brings_nothing_twice_and_a_brush_head_waits_for_a_hub_that_was_off(hub_at):
    child = set_up(hub_at, {"morning": 7 * 60})
    hub = hub_at(2026, 11, 21, 6, 0)
    [one] = eventually(lambda: due(hub), what="the reminder")
    hub.request("POST", f"/api/reminders/{one['id']}/dismiss", {})
    # Twelve weeks before the next day.
    hub.post(f"/api/brushing/people/{child}/brush-head/replaced", {"day": "2026-08-30"})
    hub.kill()
    hub_at(2026, 11, 18, 6, 0).kill()
    hub = hub_at(2026, 11, 21, 6, 40)
    assert due(hub) == [] and reminder(hub, child)["next"] == SEVEN + 86_400_000
    hub.kill()
    hub = hub_at(2026, 11, 25, 6, 5)
    loaded = eventually(lambda: due(hub), what="what was missed")
    assert sorted(one["id"] for one in loaded) == [f"brushing.brush-head.{child}", f"brushing.morning.{child}"]


# The calendar.


def feed(hub, **body):
    """The path of a new calendar."""
    made = hub.post("/api/calendar-feeds", body)
    assert made["qr"]["path"].startswith("M")
    assert re.fullmatch(re.escape(hub.url) + r"/calendar/[a-z0-9]{40,}\.ics", made["url"])
    return made["url"]


def occurrences(calendar, since, until, summary):
    """The moments in UTC at which events of a title begin."""
    events = recurring_ical_events.of(calendar).between(since, until)
    moments = [event["DTSTART"].dt.astimezone(UTC) for event in events if event["SUMMARY"] == summary]
    return sorted(moment for moment in moments if moment >= since)


def test_the_occurrences_that_all_are_held_to_are_what_they_are_said_to_be():
    assert json.loads(local_time.OCCURRENCES.read_text()) == local_time.occurrences()


@pytest.mark.parametrize("is_zone_known", [True, False], ids=["by the zone's name", "by the zone's description"])
def test_other_programs_find_the_hubs_own_moments_in_its_calendar(hub_at, is_zone_known):
    """Over both changes of clocks, as the hub's own schedule is held to the same file. A program that knows the zone
    uses its own rules; one that does not, those that the calendar brings."""
    expected = json.loads(local_time.OCCURRENCES.read_text())
    hub = hub_at(2026, 11, 21, 5, 0)
    people = {}
    for zone in local_time.ZONES:
        name = zone.split("/")[1].replace("_", " ")
        people[zone] = (hub.post("/api/people", {"name": name})["id"], name)
        hub.request("PATCH", f"/api/people/{people[zone][0]}", {"timeZone": zone})
    url = feed(hub)
    compared = 0
    for first, second in zip(local_time.MINUTES[::2], local_time.MINUTES[1::2]):
        for person, _ in people.values():
            put(hub, person, "morning", isOn=True, minute=first)
            put(hub, person, "evening", isOn=True, minute=second)
        text = curl(url).decode()
        if not is_zone_known:
            for zone in local_time.ZONES:
                text = text.replace(f"TZID={zone}", f"TZID=Of {zone}").replace(f"TZID:{zone}", f"TZID:Of {zone}")
                text = text.replace(f"X-LIC-LOCATION:{zone}\r\n", "")
        calendar = icalendar.Calendar.from_ical(text)
        for minute, title in (first, "Brush in the morning"), (second, "Brush in the evening"):
            for week in (week for week in expected if week["minute"] == minute):
                since = datetime.datetime.fromisoformat(week["from"]).replace(tzinfo=zoneinfo.ZoneInfo(week["zone"]))
                wanted = [datetime.datetime.fromisoformat(one) for one in week["at"]]
                summary = f"{people[week['zone']][1]}: {title}"
                found = occurrences(calendar, since, wanted[-1] + datetime.timedelta(minutes=1), summary)
                assert found == wanted, f"{week['zone']} {minute} {week['from']}"
                compared += 1
    assert compared == len(expected)


def test_a_calendar_has_alarms_and_is_whole(hub, child):
    put(hub, child, isOn=True, minute=7 * 60, weekdays=[1, 2, 3, 4, 5])
    day = (datetime.datetime.now(UTC) + 10 * DAY).date()
    made = hub.request(
        "POST", f"/api/brushing/people/{child}/appointments",
        {"title": "Zahnärztin; 2. Stock, links \\ " + "ü" * 20, "day": str(day), "minute": 990, "note": "Karte\nmitnehmen"},
    )  # fmt: skip
    assert made[0] in (200, 201)
    hub.request("PATCH", f"/api/people/{child}", {"timeZone": "Europe/Vienna"})
    text = curl(feed(hub, people=[child]))
    assert text.startswith(b"BEGIN:VCALENDAR\r\n") and text.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in text.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in text.split(b"\r\n"))
    calendar = icalendar.Calendar.from_ical(text)
    assert [error for part in calendar.walk() for error in part.errors] == []
    daily, appointment = sorted(calendar.walk("VEVENT"), key=lambda event: "RRULE" not in event)
    assert daily["SUMMARY"] == "Mila: Brush in the morning"
    assert daily["RRULE"]["BYDAY"] == ["MO", "TU", "WE", "TH", "FR"]
    assert [alarm["TRIGGER"].dt for alarm in daily.walk("VALARM")] == [datetime.timedelta(0)]
    start = datetime.datetime.combine(day, datetime.time(16, 30), zoneinfo.ZoneInfo("Europe/Vienna"))
    assert appointment["DTSTART"].dt == start
    assert appointment["SUMMARY"].endswith("Zahnärztin; 2. Stock, links \\ " + "ü" * 20)
    assert appointment["DESCRIPTION"] == "Karte\nmitnehmen"
    eve = datetime.datetime.combine(day - DAY, datetime.time(18, 0), zoneinfo.ZoneInfo("Europe/Vienna"))
    assert sorted(alarm["TRIGGER"].dt for alarm in appointment.walk("VALARM")) == [
        eve, (start.astimezone(UTC) - datetime.timedelta(hours=2)),
    ]  # fmt: skip
    assert all(alarm["ACTION"] == "DISPLAY" for alarm in calendar.walk("VALARM"))
    assert len({event["UID"] for event in calendar.walk("VEVENT")}) == 2


def test_a_calendar_that_has_not_changed_is_not_sent_again_and_a_revoked_one_not_at_all(hub, child, tmp_path):
    put(hub, child, isOn=True)
    url = feed(hub)
    tag = tmp_path / "etag"

    def fetch():
        return curl("--etag-save", tag, "--etag-compare", tag, "-o", os.devnull, "-w", "%{http_code} %{content_type}", url)

    assert fetch() == b"200 text/calendar; charset=utf-8"
    assert fetch().startswith(b"304")
    put(hub, child, minute=8 * 60)
    assert fetch().startswith(b"200")
    [listed] = hub.get("/api/calendar-feeds")["feeds"]
    assert listed["isEverybody"] and listed["readAt"]
    hub.request("DELETE", f"/api/calendar-feeds/{listed['id']}")
    assert fetch().startswith(b"404")


def test_the_address_of_a_calendar_is_in_no_log_and_in_no_file(data):
    hub = Hub(data, "--log-level", "trace").start().signed_in()
    try:
        url = feed(hub)
        token = url.split("/")[-1].removesuffix(".ics")
        assert curl(url).startswith(b"BEGIN:VCALENDAR")
        curl(url.replace(token, "guessed" + token))
        assert token not in json.dumps(hub.get("/api/calendar-feeds"))
    finally:
        hub.close()
    assert token not in hub.log
    for file in pathlib.Path(data).rglob("*"):
        assert not file.is_file() or token.encode() not in file.read_bytes()
