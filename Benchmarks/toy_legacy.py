#!/usr/bin/env python3
"""The original trivia toy's requests: how many a second, and how long they take, beside the hub's plainest route.

    toy_legacy.py --seconds 3

Each connection asks for one thing after the other and keeps its connection. `/healthz` reads nothing of the database: what
it takes is the server's own. A fetched fact is stored before it is answered, as a history that is read is not.
"""

import argparse
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

import hub as tandem_hub  # noqa: E402

CONNECTIONS = int(os.environ.get("CONNECTIONS", "8"))


def ask(wire, request):
    """One request on an open connection; returns the status."""
    wire.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = wire.recv(65_536)
        if not piece:
            raise ConnectionError("the hub hung up")
        answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(next(line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")))
    while len(body) < length:
        body += wire.recv(65_536)
    return int(head.split(b" ")[1])


def measure(port, request, seconds):
    """Requests a second, the median and the 99th percentile in milliseconds."""
    times, statuses, end = [], set(), time.monotonic() + seconds

    def client():
        with socket.create_connection(("127.0.0.1", port)) as wire:
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while (begun := time.monotonic()) < end:
                statuses.add(ask(wire, request))
                times.append(time.monotonic() - begun)

    clients = [threading.Thread(target=client) for _ in range(CONNECTIONS)]
    begun = time.monotonic()
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    assert statuses == {200}, statuses
    times.sort()
    return len(times) / (time.monotonic() - begun), times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder)), "--legacy", "toy").start().signed_in()
        try:
            hub.post("/api/toy/registration-window")
            user = hub.post("/User/Register", {"username": "Bench", "email": "b@example.org", "password": "sesame open"})["id"]
            for what, path in [
                ("nothing (/healthz)", "/healthz"),
                ("a user's history", f"/User/History/{user}"),
                ("the next fact, which is stored", f"/Trivia/{user}"),
            ]:
                request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n\r\n".encode()
                measure(hub.port, request, seconds / 6)
                rate, median, slow = measure(hub.port, request, seconds)
                print(f"{what:<44} {rate:>8,.0f} requests/s   median {median:.2f} ms   99 % {slow:.2f} ms", flush=True)
        finally:
            hub.close()


main()
