"""Thirty phones with Sensor Logger, each 100 Hz on three sensors by MQTT: what is stored a second, beside the CPU it takes.

Each phone sends a message a second with 300 readings, of a moved hand with the noise of a phone's sensors, and waits for its
PUBACK: acknowledged means stored. PHONES, PHONE_SECONDS and HERTZ make it smaller or larger. The figure of the CPU is the hub
process's own time by /proc, over the wall time of the run, in cores. Bytes a sample are those of SQLite's pages of the blocks and
of the rollups, over the samples.
"""

import json
import math
import os
import pathlib
import random
import sqlite3
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from hub import Device  # noqa: E402
from mqtt import Client  # noqa: E402
from results import Results  # noqa: E402

PHONES = int(os.environ.get("PHONES", "30"))
SECONDS = int(os.environ.get("PHONE_SECONDS", "60"))
HERTZ = int(os.environ.get("HERTZ", "100"))
SENSORS = {"totalacceleration": 9.80665, "gyroscope": 0.0, "magnetometer": 30.0}


def message(phone, number, start, chance):
    """A second of one phone."""
    readings = []
    for name, rest in SENSORS.items():
        for place in range(HERTZ):
            seconds = number + place / HERTZ
            swing = math.sin(2 * math.pi * 1.3 * seconds + phone)
            readings.append({
                "name": name, "time": start + int(seconds * 1e9), "accuracy": 3,
                "values": {"z": rest + swing + chance.gauss(0, 0.02), "y": swing / 2 + chance.gauss(0, 0.02),
                           "x": chance.gauss(0, 0.02)},
            })  # fmt: skip
    return json.dumps({"messageId": number, "sessionId": f"run-{start}", "deviceId": f"{phone}", "payload": readings})


def cpu_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ride(device, messages, begins, took):
    with Client.of(device) as client:
        begins.wait()
        begun = time.monotonic()
        for number, text in enumerate(messages):
            time.sleep(max(0, begun + number - time.monotonic()))
            sent = time.monotonic()
            client.publish(device.topic("sensor-logger"), text)
            took.append(time.monotonic() - sent)


def stored_bytes(data):
    """Pages of the blocks and of the rollups with their indexes, and how many samples they hold."""
    with sqlite3.connect(f"file:{data}/tandem.sqlite?mode=ro", uri=True) as database:
        samples = database.execute("SELECT sum(n) FROM stream_block").fetchone()[0] or 0
        content = [database.execute(f"SELECT sum(length(content)) FROM {table}").fetchone()[0] or 0
                   for table in ("stream_block", "stream_summary")]  # fmt: skip
        try:
            pages = [
                database.execute(
                    "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = ?)", (table,)
                ).fetchone()[0] or 0
                for table in ("stream_block", "stream_summary")
            ]  # fmt: skip
        except sqlite3.OperationalError:  # This SQLite was built without dbstat.
            pages = content
    return samples, pages


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        hub = tandem_hub.Hub(data).start().signed_in()
        try:
            phones = []
            for number in range(PHONES):
                answer = hub.post("/api/devices", {"kind": "phone", "name": f"Phone {number + 1}"})
                phones.append(Device(answer["id"], answer["token"], hub))
            start = int((time.time() - SECONDS) * 1e9)
            chance = random.Random(1)
            # Made before, so that making them takes nothing of the machine meanwhile.
            messages = [[message(phone, number, start, chance) for number in range(SECONDS)] for phone in range(PHONES)]
            begins, took = threading.Event(), []
            threads = [
                threading.Thread(target=ride, args=(phone, texts, begins, took)) for phone, texts in zip(phones, messages)
            ]
            for thread in threads:
                thread.start()
            time.sleep(2)
            used, begun = cpu_seconds(hub.process), time.monotonic()
            begins.set()
            for thread in threads:
                thread.join()
            wall = time.monotonic() - begun
            used = cpu_seconds(hub.process) - used
        finally:
            hub.close()
        samples, (blocks, rollups) = stored_bytes(data)
    sent = PHONES * SECONDS * HERTZ * len(SENSORS)
    took.sort()
    print(f"{PHONES} phones, {HERTZ} Hz on {len(SENSORS)} sensors, {SECONDS} s: {samples} of {sent} samples stored")
    print(f"  {samples / wall:,.0f} samples a second at {used / wall:.2f} cores")
    print(f"  PUBACK after {took[len(took) // 2] * 1000:.0f} ms, p99 {took[int(len(took) * 0.99)] * 1000:.0f} ms")
    each = max(samples, 1)
    print(f"  {(blocks + rollups) / each:.1f} bytes a sample of three axes: {blocks / each:.1f} of blocks, {rollups / each:.1f} of rollups")  # fmt: skip
    results = Results("thirty_phones")
    results.record("phones.samples", samples / wall, "/s", note=f"{samples:,} of {sent:,}; PUBACK p50"
                   f" {took[len(took) // 2] * 1000:.0f}, p99 {took[int(len(took) * 0.99)] * 1000:.0f} ms")  # fmt: skip
    results.record("phones.cores", used / wall, "cores")
    results.record("phones.bytes", (blocks + rollups) / each, "bytes", note=f"{rollups / each:.1f} of them rollups")


main()
