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


def measure(mqtt_port, http_port, device, password, token, *, rate=1000, seconds=10, series=500):
    """Spreads `rate` readings a second over `series` series of one device, since pages get a few a second of each."""
    link = open_connection("127.0.0.1", mqtt_port, "latency", device, password)
    link.setblocking(False)
    page = Page(http_port, token)
    selector = selectors.DefaultSelector()
    selector.register(link, selectors.EVENT_READ)
    selector.register(page.link, selectors.EVENT_READ)
    topics = [field(f"tandem/{device}/bench-{number}") for number in range(series)]
    total, base = rate * seconds, int(time.time() * 1000)
    sent, acknowledged, unread = [], 0, b""
    acks, shown = [], []
    started = time.perf_counter()
    deadline = started + seconds + 3
    while time.perf_counter() < deadline and (len(acks) < total or len(shown) < total):
        now = time.perf_counter()
        while len(sent) < total and started + len(sent) / rate <= now:
            index = len(sent)
            value = b'{"value":%d,"at":%d}' % (index, base + index)
            link.send(frame(0x32, topics[index % series] + struct.pack("!H", index % 65535 + 1) + value))
            sent.append(time.perf_counter())
        pause = max(0.0, started + len(sent) / rate - time.perf_counter()) if len(sent) < total else 0.2
        for key, _ in selector.select(pause):
            if key.fileobj is link:
                unread += link.recv(1 << 16)
                now = time.perf_counter()
                for _ in range(len(unread) // 4):
                    acks.append(now - sent[acknowledged])
                    acknowledged += 1
                unread = unread[len(unread) // 4 * 4 :]
            else:
                for one in page.frames():
                    if one["type"] == "reading" and one["device"] == device:
                        shown.append(time.perf_counter() - sent[int(one["value"])])
    link.close()
    page.link.close()
    result = {"sent": len(sent), "acknowledged": len(acks), "shown": len(shown)}
    for name, latencies in (("ack", sorted(acks)), ("page", sorted(shown))):
        for part in (50, 99):
            result[f"{name}_p{part}_ms"] = round(1000 * percentile(latencies, part / 100), 2)
    return result
