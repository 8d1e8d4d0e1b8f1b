"""How cost grows with the work: a household of 1, 5 and 10 years of everything, of 1, 10 and 100 people, of 10 to 10,000 devices.

    scale.py [years] [people] [devices] [card]          all of them where none is named

"Everything" of a year: a child and an adult who brush twice a day, 300 songs of the child, a plant with a reading of three
quantities each quarter of an hour and a photo a week, five facts a day that a toy spoke. The sessions are delivered as phones do. Of
each answer the median of ROUNDS on loopback, the whole request, of the sizes by turns. People have a month of brushing each; of the
devices one has a reading.

"card": what is written a day for ten sensors with a reading of two quantities each minute, from /proc/PID/io over MINUTES minutes,
as it is and with --commit-interval 5. An SD card counts these bytes.

It writes docs/performance/scale.md beside its figures. Measures the release executable, or the one that TANDEM_BINARY names.
"""

import contextlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import figures  # noqa: E402
import hub as tandem_hub  # noqa: E402
import pages  # noqa: E402
from mqtt import Client  # noqa: E402
from replays import post, processor_seconds, usual  # noqa: E402
from results import Results, machine  # noqa: E402
from year_of_drums import practised  # noqa: E402

STORE = os.environ.get("READING_STORE", str(ROOT / ".build/release/reading-store"))
PAGE = ROOT / "docs/performance/scale.md"
ROUNDS = int(os.environ.get("ROUNDS", "15"))
MINUTES = int(os.environ.get("MINUTES", "4"))
DAY = 86_400_000
MOST_GROWTH = 1.5  # of an answer, from one year to ten


def seconds(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def add_year(hub, people, plant, year, now, dice):
    """A year of everything, which ended `year` years ago."""
    end = now - year * 365 * DAY
    days = [end - 3_600_000 - day * DAY for day in reversed(range(365))]
    for person in people:
        post(hub, [usual(person, at - half * 43_200_000) for at in days for half in (1, 0)], 201)
    post(hub, [practised(people[-1], at - 7_200_000, dice) for at in days[:300]], 201, "drums")
    for week in range(52):
        head = {"Content-Type": "application/octet-stream"}
        picture = tandem_hub.PICTURE[:-2] + (year * 52 + week).to_bytes(2) + tandem_hub.PICTURE[-2:]
        status, answer, _ = hub.request("POST", f"/api/plants/{plant}/photos", picture, head)
        assert status in (200, 201), answer


def add_plays(data, years, now):
    """Facts that were heard, as a toy reports them: in the file, since no toy speaks a year."""
    # Closed for sure: a file that is copied while it is open here loses its locks.
    with contextlib.closing(sqlite3.connect(data / "tandem.sqlite")) as file, file:
        file.execute("PRAGMA foreign_keys = OFF")
        household = file.execute("SELECT id FROM household").fetchone()[0]
        facts = [row[0] for row in file.execute("SELECT id FROM toy_fact ORDER BY id LIMIT 2000")]
        listener = file.execute("SELECT id FROM toy_listener ORDER BY id LIMIT 1").fetchone()
        if not facts or not listener:
            return
        file.executemany(
            "INSERT INTO toy_play(household, listener, fact, at, ending) VALUES (?, ?, ?, ?, 'whole')",
            [(household, listener[0], facts[n % len(facts)], now - n * DAY // 5) for n in reversed(range(years * 365 * 5))],
        )


def answers(people, plant):
    """What screens ask for, by the names that people have for them."""
    child = people[-1]
    return {
        "Today: brushing": "/api/brushing",
        "Today: drums": "/api/drums",
        "Today: toy": "/api/toy",
        "Today: plants": "/api/plants",
        "Today: lab": "/api/lab",
        "Brushing, a month": f"/api/brushing/people/{child}/history",
        "Brushing, sums by week": f"/api/brushing/people/{child}/statistics?by=week",
        "Brushing, sums by month": f"/api/brushing/people/{child}/statistics?by=month",
        "Brushing, sums by year": f"/api/brushing/people/{child}/statistics?by=year",
        "Drums, charts of a month": f"/api/drums/data?person={child}&span=month",
        "Drums, charts of a year": f"/api/drums/data?person={child}&span=year",
        "Drums, the report": f"/api/drums/report?person={child}",
        "Plant": f"/api/plants/{plant}",
        "Plant, chart of a week": f"/api/plants/{plant}/chart?span=week&quantity=moisture",
        "Plant, chart of a year": f"/api/plants/{plant}/chart?span=year&quantity=moisture",
        "Plant, chart of ten years": f"/api/plants/{plant}/chart?span=decade&quantity=moisture",
        "Toy, history": "/api/toy/history",
        "Lab, recordings": "/api/lab/recordings",
        "People": "/api/people",
        "Devices": "/api/devices",
        "Reminders": "/api/reminders",
    }


def settled(hub):
    """Waits until the hub does nothing by itself, such as sealing what came in."""
    while True:
        before = processor_seconds(hub)
        time.sleep(1)
        if processor_seconds(hub) - before < 0.03:
            return


def compared(stages):
    """The columns of the table, of households by their size: (data folder, people, plant). Their answers are taken by turns, since
    a machine is not as fast at each hour."""
    hubs, columns = {}, {size: {} for size in stages}
    for size, (data, people, plant) in stages.items():
        hubs[size] = hub = tandem_hub.Hub(data).start()
        hub.sign_in()
        settled(hub)
        columns[size]["A session stored"] = (stored_milliseconds(hub, people), "ms")
    paths = {size: answers(people, plant) for size, (_, people, plant) in stages.items()}
    for name in next(iter(paths.values())):
        taken = {size: [] for size in stages}
        for turn in range(ROUNDS + 1):
            for size, hub in hubs.items():
                started = time.perf_counter()
                hub.get(paths[size][name])
                if turn > 0:  # the first does not count
                    taken[size].append(1000 * (time.perf_counter() - started))
        for size, milliseconds in taken.items():
            columns[size][name] = (statistics.median(milliseconds), "ms")
    taken = {size: [] for size in stages}
    for _ in range(5):
        for size, hub in hubs.items():
            started = time.perf_counter()
            hub.post("/api/session", {"email": tandem_hub.EMAIL, "password": tandem_hub.PASSWORD})
            taken[size].append(1000 * (time.perf_counter() - started))
    for size, milliseconds in taken.items():
        columns[size]["Signing in"] = (statistics.median(milliseconds), "ms")
    for size, hub in hubs.items():
        column, data = columns[size], stages[size][0]
        column["Resident memory, then"] = (hub.resident_bytes() / 1e6, "MB")
        hub.terminate(60)
        starts = []
        for _ in range(3):
            starts.append(figures.milliseconds_to_first_answer(hub))
            hub.terminate(60)
        column["Start to the first answer"] = (statistics.median(starts), "ms")
        hub.start()
        settled(hub)
        column["Resident memory, idle"] = (hub.resident_bytes() / 1e6, "MB")
        with tempfile.TemporaryDirectory(dir=data.parent) as folder:
            column["Backup"] = (
                seconds(lambda: tandem_hub.tandem("backup", f"{folder}/all.backup", "--data", data, timeout=600)), "s")
            column["Archive"] = (
                seconds(lambda: tandem_hub.tandem("export", "everything", f"{folder}/all.zip", "--data", data, timeout=600)), "s")
        column["The database"] = (sum(one.stat().st_size for one in data.glob("tandem.sqlite*")) / 1e6, "MB")
        hub.terminate(60)
        print(size, {name: round(value, 1) for name, (value, _) in column.items()}, flush=True)
    return columns


def stored_milliseconds(hub, people):
    """The hub's own time for a session of these days that a phone delivers; the first of everybody does not count."""
    now = int(time.time() * 1000)
    for person in people:
        post(hub, [usual(person, now - 900_000)], 201)
    # On three days: one takes a hundred.
    own = [
        post(hub, [usual(people[0], now - 1_800_000 - day * DAY + one * 7) for one in range(30)], 201)[1] for day in range(3)
    ]
    return statistics.median(own)


def years(folder):
    data = tandem_hub.prepare(folder / "years")
    hub = tandem_hub.Hub(data).start()
    hub.sign_in()
    now, dice = int(time.time() * 1000), random.Random(1)
    child = hub.post("/api/people", {"name": "Mila", "role": "child"})["id"]
    people = [hub.get("/api/session")["person"]["id"], child]
    plant, device = pages.add_plant(hub)
    stages, done = {}, 0
    for span in (1, 5, 10):
        for year in range(done, span):
            add_year(hub, people, plant["id"], year, now, dice)
        hub.terminate(60)
        # So many readings of three quantities each quarter of an hour, over the time that it has.
        subprocess.run([STORE, "fill", data / "tandem.sqlite", device.id, str((span - done) * 365 * 96 * 3),
                        str(now - done * 365 * DAY)], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        add_plays(data, span - done, now - done * 365 * DAY)
        done = span
        stages[f"{span} y"] = (tandem_hub.copy_of(data, folder / f"years-{span}"), people, plant["id"])
        hub.start()
        print(span, "years are stored", flush=True)
    hub.terminate(60)
    return compared(stages)


def crowd(folder):
    stages = {}
    now = int(time.time() * 1000)
    for count in (1, 10, 100):
        data = tandem_hub.prepare(folder / f"people-{count}")
        hub = tandem_hub.Hub(data).start()
        hub.sign_in()
        people = [hub.get("/api/session")["person"]["id"]]
        people += [hub.post("/api/people", {"name": f"Child {n}", "role": "child"})["id"] for n in range(1, count)]
        for person in people:
            post(hub, [usual(person, now - 3_600_000 - half * 43_200_000) for half in reversed(range(60))], 201)
        plant, _ = pages.add_plant(hub)
        hub.terminate(60)
        stages["1 person" if count == 1 else f"{count} people"] = (data, people, plant["id"])
    return compared(stages)


def devices(folder):
    stages = {}
    for count in (10, 1_000, 10_000):
        data = tandem_hub.prepare(folder / f"devices-{count}")
        hub = tandem_hub.Hub(data).start()
        hub.sign_in()
        person = hub.get("/api/session")["person"]["id"]
        plant, device = pages.add_plant(hub)
        for n in range(count - 1):
            hub.post("/api/devices", {"name": f"Sensor {n}", "kind": "plant-sensor"})
        with Client.of(device) as client:
            client.publish(device.topic("moisture"), "41")
        hub.terminate(60)
        stages[f"{count:,} devices"] = (data, [person], plant["id"])
    return compared(stages)


def card(folder):
    """Megabytes a day that ten sensors have written."""
    found = {}
    for name, flags in (("as it is", []), ("--commit-interval 5", ["--commit-interval", "5"])):
        data = tandem_hub.prepare(folder / ("card" + str(len(flags))))
        hub = tandem_hub.Hub(data, *flags).start()
        hub.sign_in()
        sensors = [hub.add_device(f"Sensor {n}") for n in range(10)]
        clients = [Client.of(sensor).__enter__() for sensor in sensors]

        def minute(turn):
            for n, (client, sensor) in enumerate(zip(clients, sensors)):
                client.publish(sensor.topic("readings"), json.dumps({"moisture": 40 + turn % 7, "temperature": 20 + n / 10}))
                time.sleep(0.6)

        minute(0)
        before = written(hub)
        for turn in range(MINUTES * 10):  # ten times as fast: what is written hangs on readings, not on time
            minute(turn)
        each = (written(hub) - before) / (MINUTES * 10)
        found[name] = each * 24 * 60 / 1e6
        print(f"ten sensors, a reading of two quantities each minute, {name}: {found[name]:.0f} MB a day", flush=True)
        hub.terminate(60)
    return found


def written(hub):
    fields = dict(line.split(": ") for line in pathlib.Path(f"/proc/{hub.process.pid}/io").read_text().splitlines())
    return int(fields["write_bytes"])


def table(columns, last_over_first):
    """Markdown of columns that have the same rows."""
    names = list(columns)
    head = ["", *names] + ([f"{names[-1]} to {names[0]}"] if last_over_first else [])
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in columns[names[0]]:
        cells = [columns[name].get(row) for name in names]
        if not all(cells):
            continue
        texts = [f"{value:,.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}" for value, unit in cells]
        if last_over_first:
            texts.append(f"{cells[-1][0] / max(cells[0][0], 0.01):.2f}")
        yield f"| {row} | " + " | ".join(texts) + " |"


def page(found):
    """Writes what was measured now, and keeps the other sections, each with its day."""
    about = machine()
    day = f"{about['date']}, `{about['commit']}`, {about['cores']} cores {about['cpu']}, load {about['load']}."
    text = PAGE.read_text() if PAGE.exists() else ""
    sections = {part.split("\n", 1)[0]: part.split("\n", 1)[1].strip() for part in text.split("\n## ")[1:]}
    for key, title in (("years", "Years of everything"), ("people", "People, a month of brushing each"), ("devices", "Devices")):
        if key in found:
            sections[title] = "\n".join([day, "", *table(found[key], True)])
    if "card" in found:
        sections["What an SD card has to write"] = "\n".join([
            f"{day[:-1]}. Ten sensors with a reading of two quantities each minute, a day:", "",
            "| " + " | ".join(found["card"]) + " |", "|---" * len(found["card"]) + "|",
            "| " + " | ".join(f"{value:,.0f} MB" for value in found["card"].values()) + " |"])  # fmt: skip
    head = [
        "# How cost grows with the work", "",
        "Written by `make bench ONLY=scale`: do not edit it by hand. What a household of each size has, and how each figure is",
        "taken, says `Benchmarks/scale.py`: medians of whole requests on loopback.",
    ]
    PAGE.write_text("\n".join(head) + "\n" + "".join(f"\n## {title}\n\n{part}\n" for title, part in sections.items()))


def main():
    wanted = sys.argv[1:] or ["years", "people", "devices", "card"]
    found, results = {}, Results("scale", is_part=bool(sys.argv[1:]))
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        for name in wanted:
            found[name] = {"years": years, "people": crowd, "devices": devices, "card": card}[name](pathlib.Path(folder))
            for left in pathlib.Path(folder).iterdir():
                shutil.rmtree(left, ignore_errors=True)
            page(found)
    if "years" in found:
        first, last = found["years"]["1 y"], found["years"]["10 y"]
        growth = {name: last[name][0] / first[name][0] for name, (_, unit) in first.items() if unit == "ms"}
        worst = max(growth, key=growth.get)
        over = [f"{name} {ratio:.2f}" for name, ratio in growth.items() if ratio > MOST_GROWTH]
        results.record("scale.years", last[worst][0], "ms", n=len(growth), ratio=growth[worst], note=f"{worst}; {len(over)} of them over it")
        print("grows by more than it may:" if over else "nothing grows by more than it may", *over, sep="\n  ")


if __name__ == "__main__":
    main()
