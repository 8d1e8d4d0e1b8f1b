"""When a local clock shows a time, by Python's zoneinfo: what the hub's own calculation is compared with.

    python Tests/EndToEnd/local_time.py

writes the occurrences which both the hub's schedule and the calendar that it serves are held to.
"""

import datetime
import json
import pathlib
import zoneinfo

UTC = datetime.timezone.utc
MINUTE = datetime.timedelta(minutes=1)
OCCURRENCES = pathlib.Path(__file__).parent.parent.parent / "Platform/Features/Reminders/Tests/occurrences.json"

# A day inside the week of each change of 2027, and zones with unlike changes: at night, by half an hour, at midnight,
# before midnight, for Ramadan, in the south, none at all.
ZONES = {
    "Europe/Vienna": ["2027-03-28", "2027-10-31"],
    "America/New_York": ["2027-03-14", "2027-11-07"],
    "Australia/Lord_Howe": ["2027-04-04", "2027-10-03"],
    "Asia/Beirut": ["2027-03-28", "2027-10-31"],
    "Africa/Cairo": ["2027-04-30", "2027-10-29"],
    "Africa/Casablanca": ["2027-02-07", "2027-03-14"],
    "America/Nuuk": ["2027-03-28", "2027-10-31"],
    "America/Santiago": ["2027-04-04", "2027-09-05"],
    "Asia/Kathmandu": ["2027-03-28", "2027-10-31"],
}
# Before and after midnight, in the usual gap, and when teeth are brushed.
MINUTES = [10, 30, 90, 135, 150, 179, 420, 1170, 1410, 1439]


def instant(zone, day, minute):
    """The first minute at which the clock shows a time, or a later one."""
    zone = zoneinfo.ZoneInfo(zone)
    wanted = datetime.datetime.combine(day, datetime.time()) + minute * MINUTE
    time = wanted.replace(tzinfo=UTC) - datetime.timedelta(hours=15)
    while time.astimezone(zone).replace(tzinfo=None) < wanted:
        time += MINUTE
    return time


def week(around):
    middle = datetime.date.fromisoformat(around)
    return [middle + datetime.timedelta(days=offset) for offset in range(-3, 4)]


def occurrences():
    return [
        {
            "zone": zone, "minute": minute, "from": str(week(around)[0]),
            "at": [f"{instant(zone, day, minute):%Y-%m-%dT%H:%M:%SZ}" for day in week(around)],
        }
        for zone, changes in ZONES.items() for around in changes for minute in MINUTES
    ]  # fmt: skip


if __name__ == "__main__":
    OCCURRENCES.write_text("[\n" + ",\n".join(json.dumps(one) for one in occurrences()) + "\n]\n")
