"""What devices and strangers can do over MQTT."""

import contextlib
import socket
import ssl
import struct
import time

from areas.connections import slowest_page
from mqtt import Wire, connect_packet, packet, text
from probes import hold, probe

# The standard's word and the packet's first byte.
PUBLISH, SUBSCRIBE, PINGREQ = 0x30, 0x82, b"\xc0\x00"


def publish(topic, payload, retain=False, quality=0, identifier=1):
    body = text(topic) + (struct.pack("!H", identifier) if quality else b"") + payload
    return packet(PUBLISH | quality << 1 | (1 if retain else 0), body)


def subscribe(filters, identifier=1):
    return packet(SUBSCRIBE, struct.pack("!H", identifier) + b"".join(text(one) + b"\x00" for one in filters))


def ping(wire, timeout=20):
    """How long a PINGRESP takes, whatever else comes before it."""
    begun = time.monotonic()
    wire.socket.settimeout(timeout)
    wire.send(PINGREQ)
    while True:
        head = wire.exactly(1)[0]
        length, shift = 0, 0
        while True:
            digit = wire.exactly(1)[0]
            length |= (digit & 0x7F) << shift
            shift += 7
            if digit < 0x80:
                break
        wire.exactly(length)
        if head == 0xD0:
            return time.monotonic() - begun


def filled(app, count):
    """The device after it tried to leave so many retained messages of its own."""
    device = app.add_device()
    wire = Wire(app, device.id, device.token)
    wire.socket.settimeout(60)
    for start in range(0, count, 500):
        wire.send(b"".join(publish(f"tandem/{device.id}/r/{n}", b"1", retain=True) for n in range(start, start + 500)))
    ping(wire, 60)
    return device, wire


def retained(app, device):
    """How many retained messages a device is told of, of its own topics."""
    count, wire = 0, Wire(app, device.id, device.token)
    wire.socket.settimeout(3)
    wire.send(subscribe([f"tandem/{device.id}/#"]))
    with contextlib.suppress(OSError, ConnectionError):
        while True:
            head = wire.exactly(1)[0]
            length, shift = 0, 0
            while True:
                digit = wire.exactly(1)[0]
                length |= (digit & 0x7F) << shift
                shift += 7
                if digit < 0x80:
                    break
            wire.exactly(length)
            count += head & 0xF0 == PUBLISH
    wire.close()
    return count


@probe("one device that leaves 12,000 retained messages", "No one device uses up what the household may retain.")
def hoards(ground):
    app = ground.app()
    first, wire = filled(app, 12_000)
    second = app.add_device("Another")
    other = Wire(app, second.id, second.token)
    other.send(publish(f"tandem/{second.id}/mine", b"1", retain=True))
    ping(other)
    kept = retained(app, first)
    hold(retained(app, second) == 1, f"another device’s one message is not retained; the first keeps {kept}")
    hold(kept < 10_000, f"{kept} of 10,000 are one device’s")
    wire.close()
    return f"{kept} of 12,000 were kept; another device’s was too"


@probe("SUBSCRIBE of the same filter again and again, over retained messages", "What one packet costs is bounded.")
def subscribes(ground):
    app = ground.app()
    device, wire = filled(app, 2_000)
    quiet = app.add_device("Quiet")
    listener = Wire(app, quiet.id, quiet.token)
    longest, name = 0.0, f"tandem/{device.id}/#"
    for count in (20, 200, 3_000):
        with contextlib.suppress(OSError, ConnectionError):
            wire.send(subscribe([name] * count))
        longest = max(longest, ping(listener))
        if wire.socket.fileno() < 0:
            wire = Wire(app, device.id, device.token)
    hold(longest < 1, f"another client waited {longest:.1f} s")
    hold(app.is_alive(), "the hub does not answer")
    return f"another client waited {longest:.2f} s at most"


@probe("20 clients that flood SUBSCRIBE", "Clients take turns by the work that they make.")
def floods(ground):
    app = ground.app()
    device, wire = filled(app, 2_000)
    quiet = app.add_device("Quiet")
    listener = Wire(app, quiet.id, quiet.token)
    flood = b"".join(subscribe([f"tandem/{device.id}/#", f"tandem/{device.id}/r/+"], n) for n in range(1, 200))
    longest = 0.0
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            one = Wire(app, device.id, device.token)
            stack.callback(one.close)
            one.socket.settimeout(0.3)
            for _ in range(5):
                with contextlib.suppress(OSError):
                    one.send(flood)
        for _ in range(10):
            longest = max(longest, ping(listener), slowest_page(app, 1))
        begun = time.monotonic()
        code = app.terminate(within=30)
        took = time.monotonic() - begun
    hold(longest < 2, f"others waited {longest:.1f} s")
    hold(code == 0 and took < 10, f"SIGTERM took {took:.1f} s, and {code}")
    return f"others waited {longest:.2f} s at most, SIGTERM took {took:.1f} s"


@probe("topics of others, wildcards over all, $SYS, legacy’s", "A device publishes and hears below its own name alone.")
def topics(ground):
    app = ground.home
    one, other = app.add_device("One"), app.add_device("Other")
    hearing = Wire(app, other.id, other.token)
    hearing.send(subscribe([f"tandem/{other.id}/#"]))
    hold(hearing.exactly(5)[4] != 0x80, "SUBSCRIBE to its own topics was refused")
    for topic in (f"tandem/{other.id}/moisture", "tandem/moisture", "rpi/torpi", "x", f"tandem/{one.id}x/y", f"/tandem/{one.id}/x"):
        wire = Wire(app, one.id, one.token)
        wire.send(publish(topic, b"1", quality=1))
        # It is put aside: MQTT 3.1.1 has no other word for that [MQTT-3.3.5-2].
        wire.acknowledgement()
    hearing.send(PINGREQ)
    hold(hearing.exactly(2) == b"\xd0\x00", "another device was told")
    for device in (one, other):
        hold(device.show()["series"] == [], f"{device.show()['name']} has readings")
    wire = Wire(app, one.id, one.token)
    for name in ("#", "+/+/+", f"tandem/{other.id}/#", "tandem/#", "tandem/+/moisture", "$SYS/#", "rpi/#", f"tandem/{one.id}"):
        wire.send(subscribe([name]))
        answer = wire.exactly(5)
        hold(answer[4] == 0x80, f"SUBSCRIBE to {name} was granted")
    return "6 topics and 8 filters, each refused"


@probe("MQTT without a sign-in, on both ports", "MQTT wants a device’s token; the legacy protocol is heard on its own port alone.")  # fmt: skip
def anonymous(ground):
    app = ground.home
    context = ssl.create_default_context(cafile=app.data / "authority/authority.pem")
    plain = socket.create_connection(("127.0.0.1", app.mqtts_port), 10)
    with context.wrap_socket(plain, server_hostname=app.name) as secure:
        secure.sendall(connect_packet())
        answer = secure.recv(4)
        hold(answer != b"\x20\x02\x00\x00", "an anonymous CONNECT is accepted over TLS")
    for user, password in (("nobody", "x"), ("", ""), ("hub", "hub"), ("' OR 1=1 --", "x")):
        with socket.create_connection(("127.0.0.1", app.mqtt_port), 10) as one:
            one.sendall(connect_packet(user, password))
            answer = one.recv(4)
            hold(answer != b"\x20\x02\x00\x00", f"CONNECT as {user!r} is accepted")
    return f"over TLS {answer.hex() or 'closed'}, 4 made-up ones refused"


@probe("100 packets that are none, 2,000 damaged ones", "A packet that breaks the rules ends its connection and no more.")
def damaged(ground):
    import random

    app = ground.home
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    device = app.add_device("Damaged")
    good = [
        connect_packet(device.id, device.token), publish(f"tandem/{device.id}/moisture", b"41.5", quality=1),
        subscribe([f"tandem/{device.id}/#"]), PINGREQ, b"\xe0\x00",
    ]  # fmt: skip
    for number in range(2_000):
        data = bytearray(b"".join(chance.sample(good, 3)) if number % 20 else chance.randbytes(200))
        for _ in range(chance.randrange(1, 6)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(0, 3)] = chance.randbytes(chance.randrange(0, 3))
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", app.mqtt_port), 5) as one:
            if number % 2:
                one.sendall(good[0])
            one.sendall(bytes(data))
    hold(app.is_alive(), f"the hub does not answer; seed {seed}")
    return f"2,000 connections, seed {seed}"


@probe("a subscriber that reads nothing while 20,000 messages come", "A client that reads nothing costs a bounded store.")
def reads_nothing(ground):
    app = ground.app()
    device = app.add_device()
    deaf = Wire(app, device.id, device.token)
    deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    deaf.send(subscribe([f"tandem/{device.id}/#"]))
    before = app.resident_bytes()
    talker = Wire(app, device.id, device.token)
    for _ in range(20):
        talker.send(publish(f"tandem/{device.id}/note", b"x" * 1_000) * 1_000)
        ping(talker, 60)
    grown = (app.resident_bytes() - before) / 1e6
    hold(grown < 100, f"the hub grew by {grown:.0f} MB")
    hold(slowest_page(app) < 3, "pages wait")
    return f"grew by {grown:.0f} MB for 20 MB that nobody read"


