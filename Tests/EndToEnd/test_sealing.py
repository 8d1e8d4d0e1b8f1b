"""`tandem seal` packs what is old, and loses nothing, however it ends."""

import signal
import sqlite3
import subprocess
import time

from hub import TANDEM, tandem

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
QUANTITIES = ("moisture", "temperature", "light")


def fill(hub, device, days):
    """A reading each minute of three quantities, and what they come to, as a hub that seals nothing has stored them."""
    now = int(time.time() * 1000)
    start = now // DAY * DAY - days * DAY
    with sqlite3.connect(hub.data / "tandem.sqlite") as database:
        household = database.execute("SELECT household FROM device WHERE id = ?", [device.id]).fetchone()[0]
        for number, quantity in enumerate(QUANTITIES, 900):
            database.execute(
                "INSERT INTO series(id, household, device, quantity, unit) VALUES (?, ?, ?, ?, '%')",
                [number, household, device.id, quantity],
            )
            database.executemany(
                "INSERT INTO reading VALUES (?, ?, ?)",
                ((number, at, at // MINUTE * number % 977 / 10) for at in range(start, now, MINUTE)),
            )
        for span in (MINUTE, HOUR, DAY):
            database.execute(
                "INSERT INTO rollup SELECT series, ?1, at / ?1 * ?1, count(*), min(value), max(value), sum(value)"
                " FROM reading GROUP BY series, at / ?1",
                [span],
            )
    database.close()


def ask(hub, sql):
    with sqlite3.connect(hub.data / "tandem.sqlite") as database:
        value = database.execute(sql).fetchone()[0]
    database.close()
    return value


def test_sealing_that_is_killed_again_and_again_loses_nothing_and_stores_nothing_twice(device):
    hub = device.hub
    hub.terminate()
    fill(hub, device, 30)
    before = hub.export(device.id, "csv")
    for turn in range(12):
        command = subprocess.Popen([TANDEM, "seal", "--data", hub.data], stdout=subprocess.DEVNULL)
        try:
            command.wait(0.05 + 0.07 * turn)
        except subprocess.TimeoutExpired:
            command.send_signal(signal.SIGKILL)
            command.wait()
        assert ask(hub, "SELECT (SELECT count(*) FROM reading) + (SELECT ifnull(sum(n), 0) FROM reading_block)") == (
            before.count("\n") - 1
        )
    said = tandem("seal", "--data", hub.data).stdout
    assert "Sealed" in said and "The database had" in said
    assert hub.export(device.id, "csv") == before
    assert ask(hub, "SELECT max(at) - min(at) FROM reading") <= 4 * DAY
    assert ask(hub, "SELECT count(*) FROM reading_block") >= 3 * 26
    assert tandem("seal", "--data", hub.data).stdout.startswith("Sealed 0 readings")


def test_a_hub_that_runs_has_its_file_made_smaller_beside_it(device):
    hub = device.hub
    fill_later(hub, device)
    size = ask(hub, "PRAGMA page_count")
    tandem("seal", "--data", hub.data, "--after-days", 1)
    assert ask(hub, "PRAGMA page_count") < size / 2
    chart = hub.get(f"/api/devices/{device.id}")
    assert {series["quantity"] for series in chart["series"]} == set(QUANTITIES)


def fill_later(hub, device):
    hub.terminate()
    fill(hub, device, 20)
    hub.start()
