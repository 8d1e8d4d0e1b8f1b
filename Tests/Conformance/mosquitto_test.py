"""Plays one of mosquitto's broker tests against a hub in its place:

    mosquitto_test.py FILE PORT

The tests compare byte by byte with what mosquitto says. What the standard leaves to a server is compared as it means: the
order of properties, a Maximum Packet Size that mosquitto does not tell, reason strings, 0x10, "no matching subscribers",
which a server may say in place of 0x00 (MQTT 5.0, section 3.4.2.1), 0x92, "packet identifier not found", which is no error
when a client goes on after a break (3.7.2.1), and which of 0x81 and 0x82 a DISCONNECT says, for which mosquitto has a rule of
its own (1.2, 4.13.1). Settings of mosquitto's that a test writes down become the hub's; a test that wants one that the hub has
none of does not apply, and says so.
"""

import os
import pathlib
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

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
IGNORED = {"port", "listener", "persistence_location", "sys_interval", "log_type", "autosave_interval"}
# Tests of what is mosquitto's alone, though no setting says so.
OWN = {
    "01-bad-initial-packets": "It compares the memory of mosquitto's process with a number.",
    "03-publish-qos1-queued-bytes": "It reads mosquitto's own $SYS topics, and is written for Python 2.",
}

scratch = pathlib.Path(tempfile.mkdtemp())


def does_not_apply(why):
    print(why, file=sys.stderr)
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(DOES_NOT_APPLY)


def settings(filename):
    """The hub's limits for a configuration of mosquitto's, and the file that stands for what it keeps, if it does."""
    limits, keeps, file = dict(LIMITS), False, "mosquitto.db"
    for line in pathlib.Path(filename).read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, value = line.strip().partition(" ")
        if name in AS_LIMITS:
            limits.update(dict.fromkeys(AS_LIMITS[name], int(value)))
        elif (name, value) in AS_IT_IS:
            keeps = keeps or name == "persistence"
        elif name == "persistence_file":
            file = value
        elif name not in IGNORED:
            does_not_apply(f"It is of mosquitto's setting {name}.")
    return limits, pathlib.Path(file) if keeps else None


class Broker(subprocess.Popen):
    """The hub in mosquitto's place."""

    def __init__(self, port, data, limits):
        super().__init__(
            [
                TANDEM, "serve", "--mqtt-open", "--mqtt-port", str(port), "--port", "0", "--data", data,
                *[part for name, value in limits.items() for part in ("--mqtt-limit", f"{name}={value}")],
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.said, self.listens = [], threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.stdout:
            self.said.append(line)
            if b"MQTT listens on" in line:
                self.listens.set()
        self.listens.set()

    def communicate(self, *_, **__):
        self.wait()
        self.reader.join()
        return b"", b"".join(self.said)


def start_broker(filename, cmd=None, port=0, use_conf=False, expect_fail=False, nolog=False):
    if cmd is not None:
        does_not_apply("It is of mosquitto's command line.")
    if expect_fail:
        does_not_apply("It is of mosquitto's own configuration.")
    conf = filename.replace(".py", ".conf")
    limits, kept = settings(conf) if use_conf or port == 0 else (LIMITS, None)
    data = scratch / "data"
    # A test that begins anew removes mosquitto's file.
    if not kept or not kept.exists():
        shutil.rmtree(data, ignore_errors=True)
    if kept:
        kept.touch()
    broker = Broker(port or 1888, data, limits)
    broker.listens.wait(60)
    if broker.poll() is None:
        return broker
    print(f"the hub did not start: {broker.communicate()[1].decode()}")
    os._exit(1)


def start_helper(command, *arguments, **options):
    """A test that runs another beside it: that one compares as this one does."""
    if command[0].endswith(".py"):
        command = [sys.executable, __file__, "--beside", *command]
    return popen(command, *arguments, **options)


popen = subprocess.Popen


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
        if reason == (0x92 if kind == 0x70 else 0x10):
            reason = 0
        return data[0], body[:2], reason, properties(body, 3)[0] if len(body) > 3 else ()
    if kind == 0xE0:
        reason = body[0] if body else 0
        return kind, 0x81 if reason == 0x82 else reason, properties(body, 1)[0] if len(body) > 1 else ()
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
    is_beside = sys.argv[1] == "--beside"
    if is_beside:
        del sys.argv[1]
    path = pathlib.Path(sys.argv[1]).resolve()
    if path.stem in OWN:
        does_not_apply(OWN[path.stem])
    if not is_beside:
        # A copy, since the tests write their configurations beside themselves.
        ignored = shutil.ignore_patterns("ssl", "lib", "client", "unit", "old")
        shutil.copytree(path.parents[1], scratch / "test", ignore=ignored)
        os.chdir(scratch / "test" / path.parent.name)
    sys.path.insert(0, str(pathlib.Path.cwd().parent))
    sys.path.insert(0, os.getcwd())
    import mosq_test

    mosq_test.start_broker = start_broker
    mosq_test.expect_packet = expect_packet
    mosq_test.receive_unordered = receive_unordered
    subprocess.Popen = start_helper
    sys.argv = [path.name, sys.argv[2]]
    try:
        runpy.run_path(path.name, run_name="__main__")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
