"""Frames on the live socket that the standard forbids (RFC 6455)."""

import os
import socket
import struct

from probes import hold, probe

OPEN = (
    "GET /api/live HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)


def opened(app, more):
    one = socket.create_connection(("127.0.0.1", app.port), 10)
    one.sendall(OPEN.format(port=app.port, more=more).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        part = one.recv(1)
        if not part:
            break
        head += part
    return one, int(head.split()[1]) if head else 0


def own(app):
    return f"Authorization: Bearer {app.token}\r\nOrigin: {app.url.replace('127.0.0.1', 'localhost')}\r\n"


def frame(opcode, payload=b"", masked=True, final=True, reserved=0):
    first = (0x80 if final else 0) | reserved << 4 | opcode
    length = len(payload)
    head = bytes([first]) + (
        bytes([(0x80 if masked else 0) | length]) if length < 126
        else bytes([(0x80 if masked else 0) | 126]) + struct.pack("!H", length) if length < 65_536
        else bytes([(0x80 if masked else 0) | 127]) + struct.pack("!Q", length)
    )  # fmt: skip
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


def ending(one):
    """The close code that the hub sends, 0 for an end without one, None for none within 5 s."""
    one.settimeout(5)
    data = b""
    try:
        while part := one.recv(65_536):
            data += part
    except TimeoutError:
        if not data:
            return None
    except OSError:
        pass
    code, is_closed = 0, False
    while len(data) >= 2:
        opcode, length, start = data[0] & 15, data[1] & 127, 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(data[2:10], "big"), 10
        if opcode == 8:
            code, is_closed = int.from_bytes(data[start : start + 2], "big"), True
        data = data[start + length :]
    if is_closed:
        return code
    try:
        one.settimeout(1)
        return 0 if one.recv(1) == b"" else None
    except TimeoutError:
        return None
    except OSError:
        return 0


FRAMES = {
    "an unmasked frame": (frame(1, b"{}", masked=False), {1002}),
    "a reserved opcode": (frame(3, b"x"), {1002}),
    "a reserved control opcode": (frame(11), {1002}),
    "a reserved bit": (frame(1, b"{}", reserved=4), {1002}),
    "a ping of 126 bytes": (frame(9, b"x" * 126), {1002}),
    "a ping in pieces": (frame(9, b"x", final=False), {1002}),
    "a continuation of nothing": (frame(0, b"x"), {1002}),
    "text that is no UTF-8": (frame(1, b"\xff\xfe"), {1007, 1003, 1002, 1008}),
    "a close of one byte": (frame(8, b"x"), {1002, 0}),
    "a frame of 2^62 bytes": (bytes([0x81, 0xFF]) + struct.pack("!Q", 2**62) + b"mask" + b"x" * 100, {1002, 1009, 0}),
    "a message of 5 MB": (frame(1, b"{" + b" " * 5_000_000), {1009, 1008, 1002, 0}),
}


@probe("11 kinds of frames that there may not be", "A frame that the standard forbids closes its socket (RFC 6455, 7.4.1).")
def frames(ground):
    app = ground.home
    for name, (data, codes) in FRAMES.items():
        one, status = opened(app, own(app))
        hold(status == 101, f"the socket is opened with {status}")
        try:
            one.sendall(data)
        except OSError:
            pass
        code = ending(one)
        one.close()
        hold(code is not None, f"{name}: the socket stays open")
        hold(code in codes, f"{name}: closed with {code}")
    hold(app.is_alive(), "the hub does not answer")
    return f"{len(FRAMES)} kinds, each closes"


@probe("the live socket from another site, and without a sign-in", "A page of another site hears nothing.")
def others(ground):
    app = ground.home
    token = f"Authorization: Bearer {app.token}\r\n"
    for name, more in {
        "another site": f"{token}Origin: https://evil.example\r\n", "no sign-in": f"Origin: {app.url}\r\n",
        "null": f"{token}Origin: null\r\n", "a made-up token": "Authorization: Bearer x\r\n",
    }.items():  # fmt: skip
        one, status = opened(app, more)
        one.close()
        hold(status in (400, 401, 403), f"{name}: {status}")
    return "4 kinds, each refused"


@probe("messages about devices that are of nobody, and nonsense", "The live socket does what the page may, and no more.")
def nonsense(ground):
    app = ground.home
    one, status = opened(app, own(app))
    hold(status == 101, f"{status}")
    for text in (
        b"{}", b"[]", b"null", b"{", b'{"type":"attach"}', b'{"type":"attach","device":"x"}',
        b'{"type":"send","device":"x","data":"2"}', b'{"type":"send","device":"../x","data":"' + b"a" * 3_000 + b'"}',
        b'{"type":"\\u0000"}', b"[" * 2_000,
    ):  # fmt: skip
        try:
            one.sendall(frame(1, text))
        except OSError:
            one.close()
            one, status = opened(app, own(app))
    one.close()
    hold(app.is_alive(), "the hub does not answer")
    return "10 messages, the hub answers"
