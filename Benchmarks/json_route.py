"""A JSON answer of 10 kB, to somebody who has signed in: as it is, compressed, and revalidated (304), beside a bare route of the
web framework that answers as many bytes, which it has ready.

Eight connections, by turns, three rounds; the ratio is the median of the rounds'. The answer is the list of plants, read from the
database, written as JSON and hashed for its tag each time. Called by bench.sh; by itself it measures the release executable, or the
one that TANDEM_BINARY names.
"""

import itertools
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

BYTES = 10_000
ROUNDS = 3
SECONDS = float(os.environ.get("ROUTE_SECONDS", "3"))


def plants_of(hub):
    """As many plants as make an answer of ten kilobytes; its length and its tag."""
    for number in itertools.count(1):
        _, _, headers = hub.request("GET", "/api/plants")
        if int(headers["Content-Length"]) >= BYTES:
            return int(headers["Content-Length"]), headers["ETag"]
        hub.post("/api/plants", {"name": f"Fern number {number} by the window"})


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder))).start().signed_in()
        try:
            count, tag = plants_of(hub)
            with bare_route(count) as bare:
                own = f"Authorization: Bearer {hub.token}\r\n"
                routes = {
                    "json.bare": (bare, "/json", "", 200),
                    "json.plain": (hub.port, "/api/plants", own, 200),
                    "json.gzip": (hub.port, "/api/plants", own + "Accept-Encoding: gzip\r\n", 200),
                    "json.revalidated": (hub.port, "/api/plants", own + f"If-None-Match: {tag}\r\n", 304),
                }
                rounds = {name: [] for name in routes}
                for _ in range(ROUNDS):
                    for name, (port, path, fields, status) in routes.items():
                        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{fields}\r\n".encode()
                        measure(port, request, SECONDS / 6, status)
                        rounds[name].append(measure(port, request, SECONDS, status))
        finally:
            hub.close()
    results, base = Results("json_route"), rounds.pop("json.bare")
    rate_of_bare = statistics.median(rate for rate, *_ in base)
    for name, figures in rounds.items():
        rate, middle, slow = (statistics.median(column) for column in zip(*figures))
        ratios = [one[0] / other[0] for one, other in zip(figures, base)]
        print(f"{name:<18} {rate:>7,.0f}/s ({statistics.median(ratios):.2f} of {rate_of_bare:,.0f}/s)", flush=True)
        if name != "json.plain":  # the table has the others
            results.record(
                name, rate, "/s", peer=("bare route", rate_of_bare), ratio=statistics.median(ratios),
                spread=(min(ratios), max(ratios)), n=ROUNDS, note=f"{count} bytes; p50 {middle:.2f}, p99 {slow:.2f} ms",
            )


main()
