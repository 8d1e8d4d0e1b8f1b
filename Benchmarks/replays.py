"""Sessions that the hub replays a second: a year and more of brushing posted to it, and posted again.

What comes again is decoded and replayed as before and nothing of it is stored, so that its figure is the replay with
the HTTP request around it; the first time has the commit and the fold of the history besides. Called by bench.sh; by
itself it measures the release executable, or the one that TANDEM_BINARY names.
"""

import os
import pathlib
import socket
import struct
import sys
import tempfile
import threading
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402

SESSIONS = int(os.environ.get("SESSIONS", "2000"))
CONNECTIONS = 4
ON_THEIR_WAY = 32
TICK, PAUSE, RESUME, FINISH, START = 0, 1, 2, 5, 6


def session(person, at, number, pauses=0):
    """A session in version 1 of the engine's codec: the original's routine with a look at each change, or with pauses."""
    quarters = [30_000] * 4 + [60_000, 30_000]
    events = [(START, 0)]
    if pauses:
        for one in range(pauses):
            events += [(PAUSE, 40 * one + 20), (RESUME, 40 * one + 30)]
        brushed = 30 * pauses
        events.append((FINISH, 40 * pauses + 10))
        brushed += 10
        claim = struct.pack("<iiiB", min(brushed, 120_000), 0, 0, 0)
    else:
        moment = 0
        for length in quarters:
            moment += length
            events.append((TICK, moment))
        events.append((FINISH, moment + 900))
        claim = struct.pack("<iiiB", 120_000, 60_000, 30_000, 3)
    blob = b"TBR\x01" + struct.pack("<H", 1) + struct.pack(">QQ", 1 + pauses, number)
    blob += bytes([len(person)]) + person.encode() + struct.pack("<h", 60) + bytes([3])
    for kind, repetitions, seconds in ((0, 4, 30), (1, 1, 60), (2, 1, 30)):
        blob += struct.pack("<BBhB", kind, repetitions, seconds, 1)
    blob += struct.pack("<H", len(events))
    for kind, moment in events:
        blob += struct.pack("<Bqq", kind, at + moment, 5_000 + moment)
    blob += claim
    return blob + struct.pack("<I", zlib.crc32(blob))


def request(hub, blob):
    head = (
        f"POST /api/brushing/sessions HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nAuthorization: Bearer {hub.token}\r\n"
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


def post(hub, blobs, expected):
    """Posts them over some connections; returns sessions a second and the hub's own milliseconds a session."""
    requests = [request(hub, blob) for blob in blobs]
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
    return len(blobs) / taken, 1000 * own / len(blobs)


def processor_seconds(hub):
    fields = pathlib.Path(f"/proc/{hub.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder) / "data")).start()
        hub.sign_in()
        person = hub.get("/api/session")["person"]["id"]
        newest = int(time.time() * 1000) - 86_400_000
        usual = [session(person, newest - number * 43_200_000, number) for number in range(SESSIONS)]
        long = [session(person, newest - number * 43_200_000, number, pauses=495) for number in range(SESSIONS // 10)]
        for name, blobs in (("sessions as pages make them", usual), ("sessions of 992 events", long)):
            for what, status in (("stored, the first time", 201), ("replayed again, nothing stored", 200)):
                rate, own = post(hub, blobs, status)
                print(f"{name + ', ' + what + ', a second':<78} {rate:>8,.0f}   its own time: {own:.2f} ms", flush=True)
        hub.terminate(60)


if __name__ == "__main__":
    main()
