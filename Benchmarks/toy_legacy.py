#!/usr/bin/env python3
"""The original trivia toy's requests: how many a second, and how long they take, beside a bare route of the web framework.

    toy_legacy.py --seconds 3

Each connection asks for one thing after the other and keeps its connection. The bare route is `Benchmarks/BareRoute`, a
program of its own that answers "ok": what it takes is Hummingbird's. `/healthz` is the hub's plainest: what that takes more are
the hub's rules for every request. They take turns, three rounds, and the ratio is the median of the rounds'. A fetched fact is stored before it is answered, as a history that is read is not.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from http_load import bare_route, measure  # noqa: E402
from results import Results  # noqa: E402

ROUNDS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("ROUTE_SECONDS", "3")))
    seconds = parser.parse_args().seconds
    with bare_route() as bare, tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder)), "--legacy", "toy").start().signed_in()
        try:
            hub.post("/api/toy/registration-window")
            user = hub.post("/User/Register", {"username": "Bench", "email": "b@example.org", "password": "sesame open"})["id"]
            routes = [
                ("a bare Hummingbird route", bare, "/"),
                ("the hub's plainest, /healthz", hub.port, "/healthz"),
                ("a user's history", hub.port, f"/User/History/{user}"),
                ("the next fact, which is stored", hub.port, f"/Trivia/{user}"),
            ]
            rounds = {what: [] for what, _, _ in routes}
            for _ in range(ROUNDS):
                for what, port, path in routes:
                    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
                    measure(port, request, seconds / 6)
                    rounds[what].append(measure(port, request, seconds))
            base, results = rounds[routes[0][0]], Results("toy_legacy")
            names = dict(zip(rounds, ("toy.bare", "toy.healthz", "toy.history", "toy.next")))
            bare = statistics.median(rate for rate, *_ in base)
            for what, figures in rounds.items():
                rate, middle, slow = (statistics.median(column) for column in zip(*figures))
                ratios = [own[0] / other[0] for own, other in zip(figures, base)]
                ratio = statistics.median(ratios)
                results.record(names[what], rate, "/s", peer=("bare route", bare), ratio=ratio, spread=(min(ratios), max(ratios)),
                               n=ROUNDS, note=f"p50 {middle:.2f}, p99 {slow:.2f} ms")  # fmt: skip
                print(
                    f"{what:<34} {rate:>7,.0f} requests/s ({ratio:.2f} of the bare route)   "
                    f"median {middle:.2f} ms   99 % {slow:.2f} ms",
                    flush=True,
                )
        finally:
            hub.close()


main()
