"""Connections of which no use is made, and bodies that never come to their end: what a stranger can hold of the hub."""

import contextlib
import socket
import ssl
import time

from ground import HUB_ADDRESS
from probes import hold, probe

# A shell's usual limit.
FEW_FILES = ("sh", "-c", 'ulimit -Sn 1024 && exec "$@"', "sh")


def slowest_page(app, count=10):
    """The longest that one of so many pages took, in seconds."""
    longest = 0.0
    for _ in range(count):
        begun = time.monotonic()
        answer = app.stranger.ask("GET", "/healthz", timeout=20)
        hold(answer.status == 200, f"a page was answered with {answer.status}")
        longest = max(longest, time.monotonic() - begun)
    return longest


def crowd(stack, count, address, port, source=None, greeting=b"", watch=None):
    """Opens so many connections and sends the greeting on each; returns those that were let in."""
    held = []
    for number in range(count):
        try:
            one = socket.create_connection((address, port), 3, (source(number), 0) if source else None)
            stack.callback(one.close)
            if greeting:
                one.sendall(greeting)
            held.append(one)
        except OSError:
            pass
        if watch and number % 100 == 99:
            watch()
    return held


@probe("1,200 silent connections to MQTT, with 1,024 files allowed", "Connections that say nothing end neither the hub nor its pages.")
def silent_mqtt(ground):
    app = ground.app(wrapper=FEW_FILES)
    with contextlib.ExitStack() as stack:
        crowd(stack, 1_200, "127.0.0.1", app.mqtt_port)
        longest = 0.0
        end = time.monotonic() + 12
        while time.monotonic() < end:
            hold(app.process.poll() is None, f"the hub ended with {app.process.returncode}")
            longest = max(longest, slowest_page(app, 5))
            time.sleep(0.2)  # The page is looked at for twelve seconds: nothing happens that could be awaited.
        device = app.add_device()
        with contextlib.closing(socket.create_connection(("127.0.0.1", app.mqtt_port), 10)) as one:
            from mqtt import connect_packet

            one.sendall(connect_packet(device.id, device.token))
            one.settimeout(10)
            hold(one.recv(4) == b"\x20\x02\x00\x00", "a sensor is not let in")
    hold(longest < 3, f"a page took {longest:.1f} s")
    hold(app.is_alive(), "the hub does not answer afterwards")
    return f"the slowest page took {longest:.2f} s, a sensor was let in"


@probe("1,200 silent connections from 120 neighbours to MQTT over TLS", "Connections that say nothing end neither the hub nor its pages.")
def silent_mqtts(ground):
    ground.needs_namespace()
    app = ground.app(wrapper=FEW_FILES)
    with contextlib.ExitStack() as stack:
        crowd(stack, 1_200, HUB_ADDRESS, app.mqtts_port, ground.stranger)
        longest = max(slowest_page(app, 20), slowest_page(app, 20))
        hold(app.process.poll() is None, f"the hub ended with {app.process.returncode}")
    hold(longest < 3, f"a page took {longest:.1f} s")
    return f"the slowest page took {longest:.2f} s"


def endless(app, secure=False):
    host = f"{app.name}:{app.https_port}" if secure else f"localhost:{app.port}"
    return (
        f"POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n "
    ).encode()


@probe("1,200 request bodies that never end, from this machine", "Who is slow is let go, whoever they say they are.")
def endless_bodies(ground):
    app = ground.app(wrapper=FEW_FILES)
    with contextlib.ExitStack() as stack:
        held = crowd(stack, 1_200, "127.0.0.1", app.port, greeting=endless(app))
        longest = max(slowest_page(app, 10) for _ in range(3))
        hold(app.process.poll() is None, "the hub ended")
    hold(longest < 3, f"a page took {longest:.1f} s while {len(held)} bodies did not end")
    return f"{len(held)} bodies, the slowest page took {longest:.2f} s"


@probe("1,200 request bodies that never end over HTTPS, from 120 neighbours", "Who is slow is let go, whoever they say they are.")
def endless_bodies_secure(ground):
    ground.needs_namespace()
    app = ground.app(wrapper=FEW_FILES)
    context = ssl.create_default_context(cafile=app.data / "authority/authority.pem")
    held = []
    with contextlib.ExitStack() as stack:
        for number in range(1_200):
            try:
                plain = socket.create_connection((HUB_ADDRESS, app.https_port), 5, (ground.stranger(number), 0))
                stack.callback(plain.close)
                secure = context.wrap_socket(plain, server_hostname=app.name)
                secure.sendall(endless(app, True))
                held.append(secure)
            except OSError:
                pass
        from ground import Caller

        guest, longest = Caller(app, source=ground.stranger(125), secure=True), 0.0
        for _ in range(20):
            begun = time.monotonic()
            hold(guest.ask("GET", "/healthz", timeout=20).status == 200, "a neighbour’s page is refused")
            longest = max(longest, time.monotonic() - begun)
    hold(longest < 3, f"a page took {longest:.1f} s")
    return f"{len(held)} bodies, the slowest page took {longest:.2f} s"


@probe("64 connections of HTTP/2 with 100 streams each", "What connections took of the memory comes back.")
def streams(ground):
    from test_connections import DATA, HEADERS, PREFACE, SETTINGS, frame, post_http2

    ground.needs_namespace()
    app = ground.app()
    slowest_page(app)
    before = app.resident_bytes()
    context = ssl.create_default_context(cafile=app.data / "authority/authority.pem")
    context.set_alpn_protocols(["h2"])
    head = post_http2(app)[len(PREFACE) + len(frame(SETTINGS)) + 9 :]
    most, held = before, []
    with contextlib.ExitStack() as stack:
        for number in range(64):
            try:
                plain = socket.create_connection((HUB_ADDRESS, app.https_port), 5, (ground.stranger(number // 8), 0))
                stack.callback(plain.close)
                secure = context.wrap_socket(plain, server_hostname=app.name)
                stack.callback(secure.close)
                held.append(secure)
                secure.sendall(PREFACE + frame(SETTINGS))
                for stream in range(1, 201, 2):
                    secure.sendall(frame(HEADERS, head, stream, 0x4) + frame(DATA, b" ", stream))
            except OSError:
                continue
            most = max(most, app.resident_bytes())
        slowest_page(app)
        most = max(most, app.resident_bytes())
    end = time.monotonic() + 45
    while (after := app.resident_bytes()) > before + 40_000_000 and time.monotonic() < end:
        slowest_page(app, 2)
        time.sleep(1)  # That memory goes back to the system is an event that nobody is told of.
    taken, kept = (most - before) / 1e6, (after - before) / 1e6
    hold(kept < 60, f"{kept:.0f} MB of {taken:.0f} MB do not come back")
    return f"{len(held)} connections, {taken:.0f} MB at most, {kept:.0f} MB of them remain"


@probe("a thousand connections that each ask once and stay", "Pages share what there is.")
def idle_pages(ground):
    app = ground.app(wrapper=FEW_FILES)
    request = f"GET /healthz HTTP/1.1\r\nHost: localhost:{app.port}\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        held = crowd(stack, 1_000, "127.0.0.1", app.port, greeting=request)
        longest = slowest_page(app, 20)
    hold(longest < 3, f"a page took {longest:.1f} s")
    return f"{len(held)} connections, the slowest page took {longest:.2f} s"


@probe("SIGTERM while 600 connections stand", "The hub ends when it is told to.")
def ends(ground):
    app = ground.app(wrapper=FEW_FILES)
    with contextlib.ExitStack() as stack:
        crowd(stack, 300, "127.0.0.1", app.mqtt_port)
        crowd(stack, 300, "127.0.0.1", app.port, greeting=endless(app))
        begun = time.monotonic()
        code = app.terminate(within=20)
        took = time.monotonic() - begun
    hold(code == 0, f"it ended with {code}")
    hold(took < 10, f"it took {took:.1f} s")
    return f"ended in {took:.1f} s"


@probe("a page that takes nothing of what it asked for", "Who takes no answer is let go.")
def takes_nothing(ground):
    app = ground.home
    request = f"GET /openapi.json HTTP/1.1\r\nHost: localhost:{app.port}\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for one in crowd(stack, 50, "127.0.0.1", app.port):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            with contextlib.suppress(OSError):
                one.settimeout(0.2)
                one.sendall(request * 100)
        before = app.resident_bytes()
        longest = slowest_page(app, 20)
        grown = (app.resident_bytes() - before) / 1e6
    hold(longest < 3, f"a page took {longest:.1f} s")
    hold(grown < 200, f"{grown:.0f} MB for answers that nobody takes")
    return f"the slowest page took {longest:.2f} s, {grown:.0f} MB"


__all__ = ["crowd", "slowest_page", "FEW_FILES"]
