"""The charts of a year of daily drum sessions: stored as events, each replayed by the engine for every answer.

The figure is the whole request on loopback, with the database, the replay, all statistics and the JSON. Called by
bench.sh; by itself it measures the release executable, or the one that TANDEM_BINARY names.
"""

import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import drums_blobs as blobs  # noqa: E402
import hub as tandem_hub  # noqa: E402
from replays import post  # noqa: E402
from results import Results  # noqa: E402

DAYS = 363  # of the 52 weeks that the year's page shows, today's session apart
BEATS = 40
ROUNDS = int(os.environ.get("ROUNDS", "30"))
DAY = 86_400_000


def practised(person, at, dice):
    """A song of forty beats on one drum, left one day and right the next, as a kit answers them."""
    drum = 3 * (at // DAY % 2)
    events = [blobs.start(at)]
    for step in range(BEATS):
        milliseconds = min(420, max(160, round(dice.gauss(330 + 20 * drum, 45))))
        wrong = "1 " if dice.random() < 0.15 else ""
        events += blobs.beat(step, f"{wrong}{drum} {milliseconds} {'3.20' if drum == 0 else '-1.00'}")
    events.append(blobs.finish(events[-1][1] + 300_000, BEATS, BEATS))
    return blobs.blob(person, events, beats=BEATS, drums=1 << drum)


def main():
    dice = random.Random(1)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder) / "data")).start()
        hub.sign_in()
        person = hub.get("/api/session")["person"]["id"]
        now = int(time.time() * 1000)
        post(hub, [practised(person, now - 3_600_000 - day * DAY, dice) for day in range(DAYS)], 201, "drums")
        first = time.strftime("%Y-%m-%d", time.gmtime(now / 1000 - 360 * 86_400))
        found = {}
        for what, path in (
            ("charts of a year", f"/api/drums/data?person={person}&span=year"),
            ("charts of a month", f"/api/drums/data?person={person}&span=month"),
            ("the report of a year", f"/api/drums/report?person={person}&from={first}"),
            ("the overview", "/api/drums"),
        ):
            taken = []
            for _ in range(ROUNDS):
                started = time.perf_counter()
                answer = hub.get(path)
                taken.append(1000 * (time.perf_counter() - started))
            assert what == "the overview" or not answer["isEmpty"]
            figure = f"median {statistics.median(taken):.1f}  most {max(taken):.1f} ms"
            print(f"{'a year of daily drum sessions: ' + what:<62} {figure:>30}", flush=True)
            found[what] = taken
        year, *others = found.values()
        a_month, report, overview = (f"{statistics.median(one):.1f}" for one in others)
        Results("year_of_drums").record(
            "drums.year", statistics.median(year), "ms", spread=(min(year), max(year)), n=ROUNDS,
            note=f"a month {a_month}, the report {report}, the first screen {overview}",
        )  # fmt: skip
        hub.terminate(60)


if __name__ == "__main__":
    main()
