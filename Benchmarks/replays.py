"""Sessions that the hub replays a second: a year and more of brushing posted to it, and posted again.

What comes again is decoded and replayed as before and nothing of it is stored, so that its figure is the replay with
the HTTP request around it; the first time has the commit and the fold of the history besides. Called by bench.sh; by
itself it measures the release executable, or the one that TANDEM_BINARY names.
"""

import os
import pathlib
import socket
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import brushing_blobs as blobs  # noqa: E402
import hub as tandem_hub  # noqa: E402
from results import Results  # noqa: E402

SESSIONS = int(os.environ.get("SESSIONS", "2000"))
CONNECTIONS = 4
ON_THEIR_WAY = 32
PAUSES = 490


def usual(person, start):
    """As a page records it: a look at each change of what is done."""
    events, moment = [(blobs.START, 0)], 0
    for length in [30_000] * 4 + [60_000, 30_000]:
        moment += length
        events.append((blobs.TICK, moment))
    events.append((blobs.FINISH, moment + 900))
    return blobs.blob(person, start, events, (120_000, 60_000, 30_000), 3)


def long(person, start):
    """About as many events as there may be: somebody who pauses and goes on all the time."""
    events = [(blobs.START, 0)]
    for one in range(PAUSES):
        events += [(blobs.PAUSE, 40 * one + 20), (blobs.RESUME, 40 * one + 30)]
    events.append((blobs.FINISH, 40 * PAUSES))
    return blobs.blob(person, start, events, (30 * PAUSES, 0, 0))


def request(hub, blob, companion):
    head = (
        f"POST /api/{companion}/sessions HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nAuthorization: Bearer {hub.token}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(blob)}\r\n\r\n"
    )
    return head.encode() + blob


def answers(file, count):
    """The status of each of the next answers."""
    found = []
    for _ in range(count):
        status = int(file.readline().split()[1])
        length = 0
        while (line := file.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        file.read(length)
        found.append(status)
    return found


def post(hub, sessions, expected, companion="brushing"):
    """Posts them over some connections; returns sessions a second and the hub's own milliseconds a session."""
    requests = [request(hub, blob, companion) for blob in sessions]
    statuses, failures = [], []

    def deliver(mine):
        try:
            with socket.create_connection(("127.0.0.1", hub.port)) as connection:
                file = connection.makefile("rb")
                for first in range(0, len(mine), ON_THEIR_WAY):
                    batch = mine[first : first + ON_THEIR_WAY]
                    connection.sendall(b"".join(batch))
                    statuses.extend(answers(file, len(batch)))
        except Exception as error:
            failures.append(error)

    before, started = processor_seconds(hub), time.perf_counter()
    threads = [threading.Thread(target=deliver, args=(requests[one::CONNECTIONS],)) for one in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - started
    own = processor_seconds(hub) - before
    if failures or set(statuses) != {expected}:
        raise SystemExit(f"expected {expected}, got {sorted(set(statuses))} {failures}")
    return len(sessions) / taken, 1000 * own / len(sessions)


def processor_seconds(hub):
    fields = pathlib.Path(f"/proc/{hub.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder) / "data")).start()
        hub.sign_in()
        person = hub.get("/api/session")["person"]["id"]
        newest = int(time.time() * 1000) - 86_400_000
        results = Results("replays")
        for name, figure, make, count in (
            ("sessions as pages make them", "replay", usual, SESSIONS),
            (f"sessions of {2 * PAUSES + 2} events", "replay.long", long, SESSIONS // 10),
        ):
            sessions = [make(person, newest - number * 43_200_000) for number in reversed(range(count))]  # as they were brushed
            for what, status in (("stored, the first time", 201), ("replayed again, nothing stored", 200)):
                rate, own = post(hub, sessions, status)
                results.record(f"{figure}.{'first' if status == 201 else 'again'}", own, "ms", n=count, note=f"{rate:,.0f} a second")
                print(f"{name + ', ' + what + ', a second':<78} {rate:>8,.0f}   its own time: {own:.2f} ms", flush=True)
        hub.terminate(60)


if __name__ == "__main__":
    main()
