"""Memory, latency, start and charts of the release executable, with ten million readings stored. Called by bench.sh.

STORED readings in all, and LATENCY_SECONDS of readings at a steady pace, make it shorter.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from latency import measure  # noqa: E402
from mqtt_blast import blast  # noqa: E402
from results import Results  # noqa: E402

STORED = int(os.environ.get("STORED", "10000000"))
SECONDS = int(os.environ.get("LATENCY_SECONDS", "10"))  # of readings at a steady pace
YEAR = 365 * 24 * 3600 * 1000


def say(what, figure, aim=""):
    print(f"{what:<62} {figure:>22}   {aim}", flush=True)


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def milliseconds_to_first_answer(hub):
    started = time.perf_counter()
    hub.launch()
    while True:
        try:
            with urllib.request.urlopen(f"{hub.url}/healthz", timeout=5) as answer:
                if answer.status == 200:
                    return 1000 * (time.perf_counter() - started)
        except OSError:
            if hub.process.poll() is not None:
                raise SystemExit(f"the hub ended:\n{hub.log}")
            # Who asks without a pause has one of the hub's processors.
            time.sleep(0.001)


def fill(hub, device, count):
    """Spreads count readings over the year that ends now, a quarter in each of four series."""
    each = count // 4
    every = YEAR // each
    first = int(time.time() * 1000) - YEAR
    block = 100_000
    for start in range(0, each, block):
        blast(
            "127.0.0.1", hub.mqtt_port, topic=f"tandem/{device.id}/{{quantity}}", user=device.id, password=device.token,
            count=min(block, each - start), first_at=first + start * every, every=every,
        )  # fmt: skip


def resident_when_idle(data, **flags):
    """Of a hub that nobody asks anything; and the hub, which goes on."""
    hub = tandem_hub.Hub(data, **flags).start()
    hub.sign_in()
    time.sleep(2)
    return hub.resident_bytes(), hub


def main():
    results = Results("figures")
    with tempfile.TemporaryDirectory() as folder:
        resident, hub = resident_when_idle(tandem_hub.prepare(pathlib.Path(folder) / "lan"), lan="linden")
        say("idle with --lan, resident memory", megabytes(resident))
        results.record("memory.idle-lan", resident / 1e6, "MB")
        hub.terminate(60)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        resident, hub = resident_when_idle(data)
        say("idle, resident memory", megabytes(resident))
        results.record("memory.idle", resident / 1e6, "MB")

        devices = [hub.add_device(f"Latency {number}") for number in range(4)]
        found = measure(
            hub.mqtt_port, hub.port, [(device.id, device.token) for device in devices], hub.token, seconds=SECONDS
        )
        missing = found["sent"] - found["acknowledged"]
        say("PUBLISH to durable PUBACK at 1,000/s, p50 / p99",
            f"{found['ack_p50_ms']} / {found['ack_p99_ms']} ms", f"{missing} unanswered" if missing else "")  # fmt: skip
        results.record("latency.puback", found["ack_p99_ms"], "ms",
                       note=f"p50 {found['ack_p50_ms']}" + (f"; {missing} unanswered" if missing else ""))  # fmt: skip
        shown = f"{found['shown']:,} of {found['sent']:,} shown"
        say("PUBLISH to an open page's WebSocket at 1,000/s, p50 / p99",
            f"{found['page_p50_ms']} / {found['page_p99_ms']} ms", shown)  # fmt: skip
        results.record("latency.page", found["page_p99_ms"], "ms", note=f"p50 {found['page_p50_ms']}; {shown}")

        device = hub.add_device("Year")
        plant = hub.post("/api/plants", {"name": "Year", "place": "", "art": "fern", "limits": {"low": 30, "high": 75},
                                         "sensors": [device.id]})  # fmt: skip
        done = hub.get("/api/hub")["readings"]["stored"]
        if done < 1_000_000:
            fill(hub, device, 1_000_000 - done)
        million = hub.resident_bytes()
        say("after one million readings, resident memory", megabytes(million))
        done = hub.get("/api/hub")["readings"]["stored"]
        filler = hub.add_device("Ten million")
        hub.request("PATCH", f"/api/plants/{plant['id']}", {"sensors": [filler.id]})
        fill(hub, filler, max(STORED - done, 0) + STORED // 10)
        stored = hub.get("/api/hub")
        say("readings stored now; the file", f"{stored['readings']['stored']:,}", megabytes(stored["database"]["bytes"]))
        say("resident memory now", megabytes(hub.resident_bytes()))
        results.record("memory.million", million / 1e6, "MB",
                       note=f"{megabytes(hub.resident_bytes())} with {stored['readings']['stored']:,} stored")  # fmt: skip
        hub.terminate(60)

        starts = []
        for _ in range(5):
            starts.append(milliseconds_to_first_answer(hub))
            tandem_hub.eventually(hub.is_up)
            hub.terminate(60)
        say("start to first answer with them, median of 5", f"{statistics.median(starts):.0f} ms")
        results.record("start", statistics.median(starts), "ms", spread=(min(starts), max(starts)), n=len(starts))
        hub.start()
        charts, count = [], 0
        for _ in range(11):
            started = time.perf_counter()
            chart = hub.get(f"/api/plants/{plant['id']}/chart?span=year&quantity=moisture")
            charts.append(1000 * (time.perf_counter() - started))
            count = chart["count"]
        say("a one-year chart over HTTP, first / median of 10",
            f"{charts[0]:.1f} / {statistics.median(charts[1:]):.1f} ms", f"n = {count:,}")  # fmt: skip
        results.record("chart.year", statistics.median(charts[1:]), "ms", n=len(charts) - 1,
                       note=f"the first {charts[0]:.1f}; of {count:,} readings")  # fmt: skip
        hub.terminate(60)


if __name__ == "__main__":
    main()
