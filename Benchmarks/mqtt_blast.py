#!/usr/bin/env python3
"""A load of MQTT 3.1.1 readings at QoS 1, as fast as the broker acknowledges them.

    mqtt_blast.py --port 1883 --connections 4 --count 50000 --window 512 --topic 'bench/{connection}/{quantity}'

Packets are encoded before the clock starts, at most `window` are on their way on each connection, and one thread drives
all sockets. Prints one JSON line: acknowledged a second, and percentiles of the time from PUBLISH to PUBACK.
"""

import argparse
import json
import selectors
import socket
import struct
import time

QUANTITIES = ("moisture", "temperature", "light", "conductivity")
SAMPLE = 16  # the latency of every sixteenth reading is stored


def field(value):
    data = value.encode()
    return struct.pack("!H", len(data)) + data


def frame(head, body):
    length, rest = bytearray(), len(body)
    while rest > 127:
        length.append(rest % 128 | 128)
        rest //= 128
    length.append(rest)
    return bytes([head]) + bytes(length) + body


def open_connection(host, port, client_id, user="", password=""):
    """A socket after CONNACK. Raises ConnectionRefusedError with the return code when the broker says no."""
    link = socket.create_connection((host, port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    flags, fields = 0x02, field(client_id)
    if user:
        flags, fields = 0xC2, fields + field(user) + field(password)
    link.sendall(frame(0x10, field("MQTT") + bytes([4, flags]) + struct.pack("!H", 600) + fields))
    answer = link.recv(4)
    if len(answer) != 4 or answer[3] != 0:
        raise ConnectionRefusedError(f"the broker answered CONNECT with {answer.hex() or 'nothing'}")
    return link


class Lane:
    """One connection: its packets, and how far it is."""

    def __init__(self, link, packets, window):
        self.link, self.packets, self.window = link, packets, window
        self.sent = self.acknowledged = 0
        self.unsent, self.unread = memoryview(b""), b""
        self.sent_at, self.latencies = {}, []
        link.setblocking(False)

    @property
    def is_done(self):
        return self.acknowledged >= len(self.packets)

    @property
    def has_something_to_send(self):
        return bool(self.unsent) or self.sent < min(len(self.packets), self.acknowledged + self.window)

    def send(self, now):
        if not self.unsent:
            end = min(len(self.packets), self.acknowledged + self.window)
            if end > self.sent:
                for index in range(-(-self.sent // SAMPLE) * SAMPLE, end, SAMPLE):
                    self.sent_at[index] = now
                self.unsent = memoryview(b"".join(self.packets[self.sent : end]))
                self.sent = end
        if self.unsent:
            try:
                self.unsent = self.unsent[self.link.send(self.unsent) :]
            except BlockingIOError:
                pass

    def receive(self, now):
        data = self.link.recv(1 << 18)
        if not data:
            raise ConnectionError(f"closed after {self.acknowledged} of {self.sent} were acknowledged")
        self.unread += data
        count = len(self.unread) // 4
        # PUBACKs come in the order of the PUBLISHes [MQTT-4.6.0-2]: counting them tells which these are.
        first = self.acknowledged
        for index in range(-(-first // SAMPLE) * SAMPLE, first + count, SAMPLE):
            self.latencies.append(now - self.sent_at.pop(index))
        self.acknowledged += count
        self.unread = self.unread[4 * count :]


def percentile(ordered, part):
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


def blast(host, port, *, topic, connections=4, count=50_000, window=512, user="", password="", first_at=None, every=1):
    """Sends count readings on each connection. With first_at, each carries `at`, `every` milliseconds apart."""
    lanes = []
    for number in range(connections):
        quantity = QUANTITIES[number % len(QUANTITIES)]
        head = field(topic.format(connection=number, quantity=quantity))
        packets = []
        for index in range(count):
            value = b"%d.%02d" % (20 + index * 7 % 60, index * 31 % 100)
            if first_at is not None:
                value = b'{"value":%b,"at":%d}' % (value, first_at + index * every)
            packets.append(frame(0x32, head + struct.pack("!H", index % 65535 + 1) + value))
        lanes.append(Lane(open_connection(host, port, f"blast-{number}", user, password), packets, window))

    selector = selectors.DefaultSelector()
    for lane in lanes:
        selector.register(lane.link, selectors.EVENT_READ | selectors.EVENT_WRITE, lane)
    started = time.perf_counter()
    open_lanes = len(lanes)
    while open_lanes:
        for key, events in selector.select(60):
            lane, now = key.data, time.perf_counter()
            if events & selectors.EVENT_READ:
                lane.receive(now)
            if lane.is_done:
                selector.unregister(lane.link)
                open_lanes -= 1
                continue
            lane.send(now)
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if lane.has_something_to_send else 0)
            if wanted != key.events:
                selector.modify(lane.link, wanted, lane)
    seconds = time.perf_counter() - started
    for lane in lanes:
        lane.link.close()
    latencies = sorted(latency for lane in lanes for latency in lane.latencies)
    return {
        "readings": connections * count,
        "seconds": round(seconds, 3),
        "per_second": round(connections * count / seconds),
        "p50_ms": round(1000 * percentile(latencies, 0.50), 3),
        "p99_ms": round(1000 * percentile(latencies, 0.99), 3),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--count", type=int, default=50_000, help="readings a connection")
    parser.add_argument("--window", type=int, default=512, help="most unacknowledged readings a connection")
    parser.add_argument("--topic", default="bench/{connection}/{quantity}")
    parser.add_argument("--user", default="")
    parser.add_argument("--password", default="")
    options = vars(parser.parse_args())
    print(json.dumps(blast(options.pop("host"), options.pop("port"), **options)))


if __name__ == "__main__":
    main()
