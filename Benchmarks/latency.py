"""Readings at a steady pace: how long until PUBACK, and until an open page's WebSocket has each."""

import base64
import json
import os
import selectors
import socket
import struct
import time

from mqtt_blast import field, frame, open_connection, percentile


class Page:
    """The page's end of /api/live: text frames out of a socket, without a thread."""

    def __init__(self, port, token):
        self.link = socket.create_connection(("127.0.0.1", port))
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall(
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.link.recv(65536)
        if b" 101 " not in head.split(b"\r\n")[0] + b" ":
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        self.unread = head.split(b"\r\n\r\n", 1)[1]
        self.link.setblocking(False)

    def frames(self):
        """Every whole text frame that has arrived, decoded."""
        try:
            self.unread += self.link.recv(1 << 18)
        except BlockingIOError:
            pass
        while len(self.unread) >= 2:
            length, start = self.unread[1] & 127, 2
            if length == 126:
                if len(self.unread) < 4:
                    return
                length, start = struct.unpack("!H", self.unread[2:4])[0], 4
            elif length == 127:
                if len(self.unread) < 10:
                    return
                length, start = struct.unpack("!Q", self.unread[2:10])[0], 10
            if len(self.unread) < start + length:
                return
            payload, kind = self.unread[start : start + length], self.unread[0] & 15
            self.unread = self.unread[start + length :]
            if kind == 1:
                yield json.loads(payload)


def measure(mqtt_port, http_port, devices, token, *, rate=1000, seconds=10, series=125):
    """Sends `rate` readings a second in turn over the series of some devices, given as (id, token).

    There are so many series because a page gets a few readings a second of each, and no more.
    """
    links = [open_connection("127.0.0.1", mqtt_port, "latency", device, password) for device, password in devices]
    page = Page(http_port, token)
    selector = selectors.DefaultSelector()
    selector.register(page.link, selectors.EVENT_READ)
    for number, link in enumerate(links):
        link.setblocking(False)
        selector.register(link, selectors.EVENT_READ, number)
    topics = [field(f"tandem/{device}/bench-{number}") for number in range(series) for device, _ in devices]
    total, base = rate * seconds, int(time.time() * 1000)
    sent, acknowledged, unread = [], [0] * len(links), [b""] * len(links)
    acks, shown = [], []
    started = time.perf_counter()
    deadline = started + seconds + 3
    while time.perf_counter() < deadline and (len(acks) < total or len(shown) < total):
        now = time.perf_counter()
        while len(sent) < total and started + len(sent) / rate <= now:
            index = len(sent)
            value = b'{"value":%d,"at":%d}' % (index, base + index)
            packet = frame(0x32, topics[index % len(topics)] + struct.pack("!H", index % 65535 + 1) + value)
            links[index % len(links)].send(packet)
            sent.append(time.perf_counter())
        pause = max(0.0, started + len(sent) / rate - time.perf_counter()) if len(sent) < total else 0.2
        for key, _ in selector.select(pause):
            if key.fileobj is page.link:
                for one in page.frames():
                    if one["type"] == "reading":
                        shown.append(time.perf_counter() - sent[int(one["value"])])
                continue
            lane = key.data
            unread[lane] += links[lane].recv(1 << 16)
            now = time.perf_counter()
            for _ in range(len(unread[lane]) // 4):
                # The n-th PUBACK of a connection is for its n-th PUBLISH.
                acks.append(now - sent[acknowledged[lane] * len(links) + lane])
                acknowledged[lane] += 1
            unread[lane] = unread[lane][len(unread[lane]) // 4 * 4 :]
    for link in links:
        link.close()
    page.link.close()
    result = {"sent": len(sent), "acknowledged": len(acks), "shown": len(shown)}
    for name, latencies in (("ack", sorted(acks)), ("page", sorted(shown))):
        for part in (50, 99):
            result[f"{name}_p{part}_ms"] = round(1000 * percentile(latencies, part / 100), 2)
    return result
