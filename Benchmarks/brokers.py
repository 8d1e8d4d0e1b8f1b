"""The hub's MQTT beside mosquitto's, by turns, as ratios: called by bench.sh, or alone for some of it.

    .venv/bin/python Benchmarks/brokers.py [--rounds 5] [idle blast wide relay pace fan flood slow linger]

`broker-load` (Benchmarks/BrokerLoad) is the client of all of it, so that the client is not the limit. Beside each rate stands
the broker's own processor time a message, user and kernel, which a busy machine changes little.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from mosquitto import Mosquitto  # noqa: E402
from results import Results  # noqa: E402

LOAD = os.environ.get("BROKER_LOAD", str(ROOT / ".build/release/broker-load"))
TICK = os.sysconf("SC_CLK_TCK")
WIDE_DEVICES, WIDE_SERIES = 8, 125
# A crowd that one computer plays would be one stranger's: see docs/site/reference/mqtt.md.
CROWD = [part for name in ("connections", "connectionsPerAddress", "subscriptionsPerPrincipal")
         for part in ("--mqtt-limit", f"{name}=20000")]  # fmt: skip


class Broker:
    """One of the two, as the measurements see it."""

    def __init__(self, name, port, pid, logins=()):
        self.name, self.port, self.pid, self.logins = name, port, pid, list(logins)

    def play(self, mode, *flags, logins=(), within=180):
        """Runs one mode of the client; its figures, with the broker's own time for them."""
        before = self.seconds()
        done = subprocess.run(self.command(mode, flags, logins), capture_output=True, text=True, timeout=within)
        if done.returncode:
            raise SystemExit(f"{mode} at {self.name}: {done.stderr.strip()}")
        figures = json.loads(done.stdout)
        user, kernel = (after - then for after, then in zip(self.seconds(), before))
        if figures.get("messages"):
            figures["user_us"] = 1e6 * user / figures["messages"]
            figures["kernel_us"] = 1e6 * kernel / figures["messages"]
        return figures

    def hold(self, mode, *flags, within=180):
        """Runs a mode that waits to be told to end. Returns its figures, and the process."""
        process = subprocess.Popen(
            self.command(mode, flags, ()), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{mode} at {self.name} ended")
        return json.loads(line), process

    def command(self, mode, flags, logins):
        named = [part for login in logins for part in ("--login", login)]
        return [LOAD, mode, "--port", str(self.port), *named, *map(str, flags)]

    def seconds(self):
        """Processor time so far, user and kernel."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) / TICK, int(fields[12]) / TICK

    def resident(self):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def written(self):
        lines = pathlib.Path(f"/proc/{self.pid}/io").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


class Ours:
    """A hub of its own, with devices for what is stored; anybody may come besides, for what is only passed on."""

    def __init__(self, folder, *flags):
        self.hub = tandem_hub.Hub(folder, "--mqtt-open", *CROWD, *flags)

    def __enter__(self):
        self.hub.start().sign_in()
        devices = [self.hub.add_device(f"Load {number}") for number in range(WIDE_DEVICES)]
        return Broker(
            "tandem", self.hub.mqtt_port, self.hub.process.pid, [f"{device.id}:{device.token}" for device in devices]
        )

    def __exit__(self, *_):
        self.hub.terminate(60)


def say(what, figure, note=""):
    print(f"{what:<58} {figure:>30}   {note}", flush=True)


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def middle(figures, name):
    return statistics.median(one[name] for one in figures)


def own_time(figures):
    """Of a broker, microseconds a message, in each round."""
    return [one["user_us"] + one["kernel_us"] for one in figures]


def beside(results, name, own, other, value, unit, higher_is_better=True, note=""):
    """Records ours beside mosquitto's: the median of the rounds' ratios. value: of one round's figures."""
    ratios = [value(mine) / value(foreign) for mine, foreign in zip(own, other)]
    if not higher_is_better:
        ratios = [1 / ratio for ratio in ratios]
    results.record(
        name, statistics.median(map(value, own)), unit, peer=("mosquitto", statistics.median(map(value, other))),
        ratio=statistics.median(ratios), spread=(min(ratios), max(ratios)), n=len(ratios), note=note,
    )  # fmt: skip


def rates(results, name, title, rounds, theirs, ours):
    """Both by turns: messages a second, as a ratio."""
    other, own = [], []
    for number in range(rounds):
        other.append(theirs(number))
        own.append(ours(number))
    for broker, figures in (("mosquitto", other), ("tandem", own)):
        note = f"{middle(figures, 'user_us'):.2f} + {middle(figures, 'kernel_us'):.2f} us each, user + kernel"
        if "p99_ms" in figures[0]:
            note += f"; p50 / p99 {middle(figures, 'p50_ms'):.1f} / {middle(figures, 'p99_ms'):.1f} ms"
        say(f"{title}, {broker}", f"{middle(figures, 'per_second'):,.0f}/s", note)
    ratios = [mine["per_second"] / foreign["per_second"] for mine, foreign in zip(own, other)]
    say(f"{title}, ratio of each round, median", spread(ratios))
    say(f"{title}, ratio of the brokers' own time, median",
        spread([foreign / mine for mine, foreign in zip(own_time(own), own_time(other))]))  # fmt: skip
    note = f"processor time {statistics.median(own_time(own)):.2g} µs, mosquitto {statistics.median(own_time(other)):.2g}"
    if "p99_ms" in own[0]:
        note = f"p99 {middle(own, 'p99_ms'):.1f} ms, mosquitto {middle(other, 'p99_ms'):.1f}"
    beside(results, name, own, other, lambda one: one["per_second"], "/s", note=note)
    if f"{name}.cpu" in results.known:
        beside(results, f"{name}.cpu", own, other, lambda one: one["user_us"] + one["kernel_us"], "µs", higher_is_better=False)


def blast(tandem, mosquitto, rounds, results):
    stored = "tandem/{login}/{quantity}"
    count = int(os.environ.get("READINGS", "100000"))
    first = 1_600_000_000_000
    rates(results, "broker.stored", "acknowledged", rounds,
          lambda _: mosquitto.play("blast", "--count", count, "--first-at", first),
          lambda n: tandem.play("blast", "--count", count, "--topic", stored, "--first-at", first + n * count * 1000,
                                "--every", 1000, logins=tandem.logins[:1]))  # fmt: skip


def wide(tandem, mosquitto, rounds, results):
    count = int(os.environ.get("READINGS", "100000")) // 2
    flags = ("--connections", WIDE_DEVICES, "--series", WIDE_SERIES, "--window", 256, "--count", count)
    first = 1_600_000_000_000
    rates(results, "broker.wide", "a thousand series in turn", rounds,
          lambda _: mosquitto.play("blast", *flags, "--first-at", first, "--topic", "bench/{connection}/{quantity}"),
          lambda n: tandem.play("blast", *flags, "--topic", "tandem/{login}/{quantity}", "--first-at",
                                first + n * 10_000_000, "--every", 1000, logins=tandem.logins))  # fmt: skip


def relay(tandem, mosquitto, rounds, results):
    for publishers in (1, 4):
        flags = ("--publishers", publishers, "--count", 4 * int(os.environ.get("READINGS", "100000")) // publishers)
        rates(results, f"broker.relay-{publishers}", f"QoS 0 relayed, {publishers} publishing", rounds,
              lambda _: mosquitto.play("relay", *flags), lambda _: tandem.play("relay", *flags))  # fmt: skip


def pace(tandem, mosquitto, rounds, results):
    other, own = [], []
    for _ in range(rounds):
        other.append(mosquitto.play("pace"))
        own.append(tandem.play("pace"))
    for name, figures in (("mosquitto", other), ("tandem", own)):
        say(f"publisher to subscriber at 10,000/s, {name}, p50 / p99",
            f"{middle(figures, 'p50_ms'):.3f} / {middle(figures, 'p99_ms'):.3f} ms",
            f"{middle(figures, 'user_us'):.1f} + {middle(figures, 'kernel_us'):.1f} us each")  # fmt: skip
    for name in ("p50_ms", "p99_ms"):
        say(f"the same, ratio of {name[:3]}, median", spread([m[name] / f[name] for m, f in zip(own, other)]))
        beside(results, f"broker.pace.{name[:3]}", own, other, lambda one: one[name], "ms")


def fan(tandem, mosquitto, rounds, results):
    subscribers = int(os.environ.get("SUBSCRIBERS", "9900"))
    other, own = [], []
    for _ in range(min(rounds, 3)):
        other.append(mosquitto.play("fan", "--subscribers", subscribers))
        own.append(tandem.play("fan", "--subscribers", subscribers))
    for name, figures in (("mosquitto", other), ("tandem", own)):
        say(f"one message to {subscribers:,} subscribers, {name}, first / last",
            f"{middle(figures, 'first_ms'):.1f} / {middle(figures, 'last_ms'):.1f} ms")  # fmt: skip
    say("the same, ratio of the last one's time, median", spread([m["last_ms"] / f["last_ms"] for m, f in zip(own, other)]))
    beside(results, "broker.fan", own, other, lambda one: one["last_ms"], "ms",
           note=f"{subscribers:,} subscribers")  # fmt: skip
    beside(results, "broker.fan.first", own, other, lambda one: one["first_ms"], "ms")


def idle(tandem, mosquitto, _, results):
    crowd, taken = os.environ.get("IDLE", "4500"), {}
    for broker in (mosquitto, tandem):
        # The first crowd takes what earlier work has left free in the process.
        _, first = broker.hold("idle", "--connections", crowd, "--id", "first")
        before = broker.resident()
        figures, second = broker.hold("idle", "--connections", crowd, "--id", "second")
        each = taken[broker.name] = (broker.resident() - before) / figures["connections"]
        for process in (first, second):
            process.communicate("\n")
        say(f"idle connections, {crowd} on top of {crowd}, {broker.name}", f"{each / 1000:.1f} kB each")
    results.record("broker.idle", taken["tandem"] / 1000, "kB", peer=("mosquitto", taken["mosquitto"] / 1000), n=int(crowd))


def flood(tandem, _, rounds, results):
    figures = [tandem.play("flood", logins=tandem.logins[:2]) for _ in range(rounds)]
    say("a quiet device's PUBACK alone, p50 / p99",
        f"{middle(figures, 'alone_p50_ms'):.2f} / {middle(figures, 'alone_p99_ms'):.2f} ms")  # fmt: skip
    say("the same beside a device that floods", f"{middle(figures, 'beside_p50_ms'):.2f} / {middle(figures, 'beside_p99_ms'):.2f} ms",
        f"{middle(figures, 'flood_per_second'):,.0f} readings a second of it are stored")  # fmt: skip
    results.record("broker.flood", middle(figures, "beside_p99_ms"), "ms", n=rounds,
                   note=f"p50 {middle(figures, 'beside_p50_ms'):.2f}; alone {middle(figures, 'alone_p50_ms'):.2f} and"
                   f" {middle(figures, 'alone_p99_ms'):.2f}")  # fmt: skip


def slow(tandem, mosquitto, _, results):
    taken = {}
    for broker in (mosquitto, tandem):
        before = broker.resident()
        figures, process = broker.hold("slow-readers", "--topic", f"bench/slow/{broker.name}")
        more = taken[broker.name] = broker.resident() - before
        process.communicate("\n")
        say(f"100 subscribers that read nothing, 20 MB for each, {broker.name}", f"{more / 1e6:.0f} MB more")
    ours, theirs = taken["tandem"], taken["mosquitto"]
    results.record("broker.slow", ours / 1e6, "MB", peer=("mosquitto", theirs / 1e6), ratio=ours / theirs)


def linger(folder, rounds, results):
    """1,000 readings a second of eight devices, by the least time between two commits."""
    written, waited = {}, {}
    for interval in (0, 2, 5, 10):
        with Ours(folder, "--commit-interval", str(interval)) as tandem:
            found = []
            for _ in range(rounds):
                before, began = tandem.written(), time.monotonic()
                figures = tandem.play("pace", "--rate", 1000, "--seconds", 5, "--publishers", len(tandem.logins),
                                      "--acknowledged", "--topic", "tandem/{login}/moisture", logins=tandem.logins)  # fmt: skip
                figures["written"] = (tandem.written() - before) / figures["messages"]
                found.append(figures)
            say(f"1,000 readings a second, commits {interval} ms apart, p50 / p99",
                f"{middle(found, 'p50_ms'):.2f} / {middle(found, 'p99_ms'):.2f} ms",
                f"{middle(found, 'written') / 1000:.1f} kB written a reading; "
                f"{middle(found, 'user_us'):.0f} + {middle(found, 'kernel_us'):.0f} us each")  # fmt: skip
            written[interval], waited[interval] = middle(found, "written"), middle(found, "p99_ms")
    results.record("broker.linger", written[5] / 1000, "kB", peer=("without", written[0] / 1000),
                   ratio=written[5] / written[0], n=rounds, note=f"PUBACK p99 {waited[5]:.2f} ms, without {waited[0]:.2f}")  # fmt: skip


# Idle first, while no crowd has left its memory behind.
MEASURES = {"idle": idle, "blast": blast, "wide": wide, "relay": relay, "pace": pace, "fan": fan, "flood": flood, "slow": slow}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROUNDS", "5")))
    parser.add_argument("what", nargs="*", choices=[*MEASURES, "linger", []], default=[])
    options = parser.parse_args()
    wanted = options.what or [*MEASURES, "linger"]
    results = Results("brokers", is_part=bool(options.what))
    print(f"Load {pathlib.Path('/proc/loadavg').read_text().split()[0]} at the start.", flush=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        folder = tandem_hub.prepare(pathlib.Path(folder) / "data")
        with Mosquitto() as running, Ours(folder) as tandem:
            mosquitto = Broker("mosquitto", running.port, running.pid)
            for name in wanted:
                if name in MEASURES:
                    MEASURES[name](tandem, mosquitto, options.rounds, results)
        if "linger" in wanted:
            linger(folder, options.rounds, results)


if __name__ == "__main__":
    main()
