"""Plays one of mosquitto's broker tests against a hub in its place:

    mosquitto_test.py FILE PORT

The tests compare byte by byte with what mosquitto says. What the standard leaves to a server is compared as it means: the
order of properties, a Maximum Packet Size that mosquitto does not tell, reason strings, and 0x10, "no matching subscribers",
which a server may say in place of 0x00 (MQTT 5.0, section 3.4.2.1). Settings of mosquitto's that a test writes down become the
hub's; a test that wants one that the hub has none of does not apply, and says so.
"""

import os
import pathlib
import runpy
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TANDEM = pathlib.Path(os.environ.get("TANDEM_BINARY", HERE.parents[1] / ".build/debug/tandem"))
DOES_NOT_APPLY = 77

# Mosquitto's own, which its tests count on.
LIMITS = {"receiveMaximum": 20, "topicAliases": 10, "messagesInFlight": 20, "longestKeepAliveSeconds": 0, "connectBytes": 262_144, "clientIDBytes": 65_535}
AS_LIMITS = {
    "max_inflight_messages": ["receiveMaximum", "messagesInFlight"], "max_connections": ["connections"],
    "max_keepalive": ["longestKeepAliveSeconds"], "max_queued_messages": ["queuedMessages"],
    "max_queued_bytes": ["queuedBytes"], "max_packet_size": ["packetBytes"],
}  # fmt: skip
# How the hub is in any case, or what does not show in a test.
AS_IT_IS = {
    ("allow_anonymous", "true"), ("persistence", "true"), ("allow_zero_length_clientid", "true"),
    ("per_listener_settings", "true"), ("per_listener_settings", "false"),
}  # fmt: skip
IGNORED = {"port", "listener", "persistence_file", "persistence_location", "sys_interval", "log_type", "autosave_interval"}

scratch = pathlib.Path(tempfile.mkdtemp())


def does_not_apply(why):
    print(why, file=sys.stderr)
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(DOES_NOT_APPLY)


def settings(filename):
    """The hub's flags for a configuration of mosquitto's, and whether it is to keep what it has."""
    limits, keeps = dict(LIMITS), False
    for line in pathlib.Path(filename).read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, value = line.strip().partition(" ")
        if name in AS_LIMITS:
            limits.update(dict.fromkeys(AS_LIMITS[name], int(value)))
        elif (name, value) in AS_IT_IS:
            keeps = keeps or name == "persistence"
        elif name not in IGNORED:
            does_not_apply(f"It is of mosquitto's setting {name}.")
    return limits, keeps


def start_broker(filename, cmd=None, port=0, use_conf=False, expect_fail=False, nolog=False):
    if cmd is not None:
        does_not_apply("It is of mosquitto's command line.")
    if expect_fail:
        does_not_apply("It is of mosquitto's own configuration.")
    conf = filename.replace(".py", ".conf")
    limits, keeps = settings(conf) if use_conf or port == 0 else (LIMITS, False)
    data = scratch / "data"
    if not keeps:
        shutil.rmtree(data, ignore_errors=True)
    broker = subprocess.Popen(
        [
            TANDEM, "serve", "--mqtt-open", "--mqtt-port", str(port or 1888), "--port", "0", "--data", data, "--log-level",
            "error", *[part for name, value in limits.items() for part in ("--mqtt-limit", f"{name}={value}")],
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port or 1888)).close()
            return broker
        except ConnectionRefusedError:
            time.sleep(0.05)
            if broker.poll() is not None:
                break
    print(f"the hub did not start: {broker.communicate()[1].decode()}")
    os._exit(1)


# Packets, compared as they mean.


def variable(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 127) << shift
        shift, place = shift + 7, place + 1
        if byte < 128:
            return value, place


def packets(data):
    """The packets in it; None where it does not end with one."""
    found, place = [], 0
    while place < len(data):
        try:
            length, body = variable(data, place + 1)
        except IndexError:
            return None
        if body + length > len(data):
            return None
        found.append(data[place : body + length])
        place = body + length
    return found


SIZES = {0x01: 1, 0x02: 4, 0x11: 4, 0x13: 2, 0x17: 1, 0x18: 4, 0x19: 1, 0x21: 2, 0x22: 2, 0x23: 2, 0x24: 1, 0x25: 1, 0x27: 4,
         0x28: 1, 0x29: 1, 0x2A: 1}  # fmt: skip


def properties(data, place):
    """By their identifiers, in an order of their own, without reason strings."""
    length, place = variable(data, place)
    end, found = place + length, []
    while place < end:
        kind, start = data[place], place
        place += 1
        if kind in SIZES:
            place += SIZES[kind]
        elif kind == 0x0B:
            place = variable(data, place)[1]
        else:
            for _ in range(2 if kind == 0x26 else 1):
                place += 2 + struct.unpack("!H", data[place : place + 2])[0]
        if kind != 0x1F:
            found.append(bytes(data[start:place]))
    return tuple(sorted(found)), end


def meaning(data, tells_size=True):
    kind, (_, place) = data[0] & 0xF0, variable(data, 1)
    body = data[place:]
    if kind == 0x20 and len(body) > 2:
        found, _ = properties(body, 2)
        return kind, body[:2], tuple(one for one in found if tells_size or one[0] != 0x27)
    if kind in (0x40, 0x50, 0x60, 0x70):
        reason = body[2] if len(body) > 2 else 0
        return data[0], body[:2], 0 if reason == 0x10 else reason, properties(body, 3)[0] if len(body) > 3 else ()
    if kind == 0xE0:
        return kind, body[0] if body else 0, properties(body, 1)[0] if len(body) > 1 else ()
    return bytes(data)


def whole(sock):
    """The next packet, or as much of it as comes before the end."""
    data = b""
    while packets(data) in (None, []):
        more = sock.recv(1)
        if not more:
            break
        data += more
    return data


def expect_packet(sock, name, expected):
    wanted = packets(bytes(expected)) if expected else None
    if not wanted:
        received = sock.recv(max(len(expected), 1))
        if received == expected:
            return True
        print(f"FAIL: {name}: received {received.hex(' ')}, expected {bytes(expected).hex(' ')}")
        raise mosq_test.TestError
    for one in wanted:
        received = whole(sock)
        tells_size = b"\x27" in one
        if not received or packets(received) is None or meaning(received, tells_size) != meaning(one):
            print(f"FAIL: {name}: received {received.hex(' ') or 'the end'}, expected {one.hex(' ')}")
            raise mosq_test.TestError
    return True


def receive_unordered(sock, first, second, error_string):
    received = sorted([whole(sock), whole(sock)], key=lambda one: repr(meaning(one) if one else one))
    if [meaning(one) if one else one for one in received] != sorted([meaning(first), meaning(second)], key=repr):
        print(f"FAIL: {error_string}: received {[one.hex(' ') for one in received]}")
        raise ValueError(error_string)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1]).resolve()
    # A copy, since the tests write their configurations beside themselves.
    shutil.copytree(path.parents[1], scratch / "test", ignore=shutil.ignore_patterns("ssl", "lib", "client", "unit", "old"))
    os.chdir(scratch / "test" / path.parent.name)
    sys.path.insert(0, str(scratch / "test"))
    sys.path.insert(0, os.getcwd())
    import mosq_test

    mosq_test.start_broker = start_broker
    mosq_test.expect_packet = expect_packet
    mosq_test.receive_unordered = receive_unordered
    sys.argv = [path.name, sys.argv[2]]
    try:
        runpy.run_path(path.name, run_name="__main__")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
