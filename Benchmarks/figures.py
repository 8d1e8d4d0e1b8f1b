"""Measures the release executable and prints the figures of docs/performance.md. Called by bench.sh."""

import json
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
import handshakes  # noqa: E402
from latency import measure  # noqa: E402
from mosquitto import Mosquitto  # noqa: E402
from mqtt_blast import blast  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "5"))
READINGS = int(os.environ.get("READINGS", "50000"))
STORED = int(os.environ.get("STORED", "10000000"))
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


def measure_lan(folder):
    """The network's ports open: memory, and TLS handshakes beside nginx's."""
    hub = tandem_hub.Hub(tandem_hub.prepare(folder), lan="linden").start()
    hub.sign_in()
    time.sleep(2)
    say("idle with --lan, resident memory", megabytes(hub.resident_bytes()))
    if not pathlib.Path(handshakes.PROGRAM).exists():
        print("TLS handshakes are measured beside nginx, which is not installed: apt-get install nginx-light")
    else:
        for (version, kind), row in handshakes.measure(hub, rounds=ROUNDS).items():
            for name in ("nginx", "tandem"):
                one = row[name]
                say(f"TLS {version} {kind}, {name}: a second; p50 / p99",
                    f"{one['per_second']:,.0f}; {one['p50_ms']:.1f} / {one['p99_ms']:.1f} ms",
                    f"its own time: {one['cpu_us']:.0f} us")  # fmt: skip
            say(f"TLS {version} {kind}, Tandem beside nginx: rate / own time", f"{row['rate_ratio']} / {row['cpu_ratio']}")
    hub.terminate(60)


def main():
    with tempfile.TemporaryDirectory() as folder:
        measure_lan(pathlib.Path(folder) / "lan")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        hub = tandem_hub.Hub(data).start()
        hub.sign_in()
        time.sleep(2)
        say("idle, resident memory", megabytes(hub.resident_bytes()), "aim: under 45 MB")

        devices = [hub.add_device(f"Latency {number}") for number in range(4)]
        found = measure(hub.mqtt_port, hub.port, [(device.id, device.token) for device in devices], hub.token)
        missing = found["sent"] - found["acknowledged"]
        say("PUBLISH to durable PUBACK at 1,000/s, p50 / p99",
            f"{found['ack_p50_ms']} / {found['ack_p99_ms']} ms", "aim: p99 10 ms" + (f"; {missing} unanswered" if missing else ""))  # fmt: skip
        say("PUBLISH to an open page's WebSocket at 1,000/s, p50 / p99",
            f"{found['page_p50_ms']} / {found['page_p99_ms']} ms",
            f"aim: p99 15 ms; {found['shown']} of {found['sent']} shown")  # fmt: skip

        device = hub.add_device("Rate")
        ours, theirs, ratios = [], [], []
        with Mosquitto() as mosquitto:
            for number in range(ROUNDS):
                other = blast("127.0.0.1", mosquitto.port, topic="bench/{connection}/{quantity}", count=READINGS)
                own = blast("127.0.0.1", hub.mqtt_port, topic=f"tandem/{device.id}/{{quantity}}", user=device.id,
                            password=device.token, count=READINGS,
                            first_at=1_600_000_000_000 + number * READINGS * 1000, every=1000)  # fmt: skip
                ours.append(own)
                theirs.append(other)
                ratios.append(own["per_second"] / other["per_second"])
                say(f"  round {number + 1}: mosquitto acknowledged / Tandem stored and acknowledged",
                    f"{other['per_second']:,} / {own['per_second']:,}", f"ratio {ratios[-1]:.2f}")  # fmt: skip
        say("mosquitto, acknowledged a second, median; p99", f"{statistics.median(one['per_second'] for one in theirs):,.0f}",
            f"{statistics.median(one['p99_ms'] for one in theirs):.1f} ms")  # fmt: skip
        say("Tandem, stored and acknowledged a second, median; p99", f"{statistics.median(one['per_second'] for one in ours):,.0f}",
            f"{statistics.median(one['p99_ms'] for one in ours):.1f} ms")  # fmt: skip
        say("ratio, median of the rounds", f"{statistics.median(ratios):.2f}", "aim: 2")

        device = hub.add_device("Year")
        plant = hub.post("/api/plants", {"name": "Year", "place": "", "art": "fern", "limits": {"low": 30, "high": 75},
                                         "sensors": [device.id]})  # fmt: skip
        done = hub.get("/api/hub")["readings"]["stored"]
        if done < 1_000_000:
            fill(hub, device, 1_000_000 - done)
        say("after one million readings, resident memory", megabytes(hub.resident_bytes()), "aim: under 80 MB")
        done = hub.get("/api/hub")["readings"]["stored"]
        filler = hub.add_device("Ten million")
        hub.request("PATCH", f"/api/plants/{plant['id']}", {"sensors": [filler.id]})
        fill(hub, filler, max(STORED - done, 0) + STORED // 10)
        stored = hub.get("/api/hub")
        say("readings stored now; the file", f"{stored['readings']['stored']:,}", megabytes(stored["database"]["bytes"]))
        say("resident memory now", megabytes(hub.resident_bytes()))
        hub.terminate(60)

        starts = []
        for _ in range(5):
            starts.append(milliseconds_to_first_answer(hub))
            tandem_hub.eventually(hub.is_up)
            hub.terminate(60)
        say("start to first answer with them, median of 5", f"{statistics.median(starts):.0f} ms", "aim: under 150 ms")
        hub.start()
        charts, count = [], 0
        for _ in range(11):
            started = time.perf_counter()
            chart = hub.get(f"/api/plants/{plant['id']}/chart?span=year&quantity=moisture")
            charts.append(1000 * (time.perf_counter() - started))
            count = chart["count"]
        say("a one-year chart over HTTP, first / median of 10",
            f"{charts[0]:.1f} / {statistics.median(charts[1:]):.1f} ms", f"aim: under 20 ms; n = {count:,}")  # fmt: skip
        hub.terminate(60)
    print(json.dumps({"machine": f"{os.cpu_count()} cores", "ratio": round(statistics.median(ratios), 2)}))


if __name__ == "__main__":
    main()
