"""Clients of HTTP that ask for one thing after the other, each on a connection that it keeps, and a server to compare with."""

import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
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
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0]) if lengths else 0  # a 304 has none
    while len(body) < length:
        body += wire.recv(65_536)
    return int(head.split(b" ")[1])


def measure(port, request, seconds, expected=200):
    """Requests a second, the median and the 99th percentile in milliseconds; all of them answered with the expected status."""
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
    assert statuses == {expected}, statuses
    times.sort()
    return len(times) / (time.monotonic() - begun), times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3


@contextlib.contextmanager
def bare_route(count=10_240):
    """The port of a server whose routes do nothing; `/json` answers so many bytes."""
    port = tandem_hub.free_port()
    command = [ROOT / ".build/release/bare-route", str(port), str(count)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        tandem_hub.eventually(lambda: is_open(port), what="the bare route")
        yield port
    finally:
        process.terminate()
        process.wait(10)


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
