"""What one client can hold of the hub: connections of which it makes no use, and bodies that never come to their end."""

import contextlib
import selectors
import socket
import ssl
import struct
import time

import pytest

import tls
from hub import Hub, eventually

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
RST_STREAM, SETTINGS, HEADERS, DATA = 3, 4, 1, 0


@pytest.fixture
def hub(data):
    """A hub with TLS that may open few files."""
    hub = Hub(data, lan="linden")
    hub.wrapper = ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"]
    hub.start().signed_in()
    yield hub
    hub.close()


def connection(hub, ca, protocol, source="127.0.0.1"):
    """Through its handshake."""
    plain = socket.create_connection(("127.0.0.1", hub.https_port), timeout=10, source_address=(source, 0))
    settings = tls.context(ca)
    settings.set_alpn_protocols([protocol])
    secure = settings.wrap_socket(plain, server_hostname=hub.name)
    assert secure.selected_alpn_protocol() == protocol
    return secure


def frame(kind, payload=b"", stream=0, flags=0):
    """Of HTTP/2 (RFC 9113, 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def frames(received):
    """The kinds of the whole frames in what was received."""
    kinds = []
    while len(received) >= 9 and len(received) >= 9 + (length := int.from_bytes(received[:3])):
        kinds.append(received[3])
        received = received[9 + length :]
    return kinds


def page(hub, ca, source):
    with connection(hub, ca, "http/1.1", source) as secure:
        secure.sendall(f"GET /healthz HTTP/1.1\r\nHost: {hub.name}\r\nConnection: close\r\n\r\n".encode())
        return tls.rest(secure)


@pytest.mark.parametrize("greeting", [b"", PREFACE + frame(SETTINGS)], ids=["silent", "with the preface"])
def test_three_hundred_idle_connections_of_http_2_take_neither_the_pages_nor_the_files(hub, ca, greeting):
    with contextlib.ExitStack() as crowd:
        idle = []
        for count in range(300):
            try:
                one = crowd.enter_context(connection(hub, ca, "h2"))
                one.sendall(greeting)
                idle.append(one)
            except OSError:
                # Closed again already: as good.
                pass
            if count % 50 == 49:
                assert hub.request("GET", "/healthz")[0] == 200
                assert b"HTTP/1.1 200" in page(hub, ca, "127.0.0.2")
        assert len(idle) > 250
        assert hub.is_up()

        # The oldest has been closed for the others; it would time out otherwise.
        assert RST_STREAM not in frames(tls.rest(idle[0]))
    assert "error" not in hub.log


def received(client):
    """What has come; None if nothing has, and empty at the end."""
    try:
        return client.recv(65_536)
    except (BlockingIOError, ssl.SSLWantReadError):
        return None
    except OSError:
        return b""


def post(hub):
    return (
        f"POST /api/session HTTP/1.1\r\nHost: {hub.name}\r\nContent-Type: application/json\r\n"
        "Content-Length: 9999\r\n\r\n"
    ).encode()


def post_http2(hub):
    """The head of the same, as literal fields without indexing (RFC 7541, 6.2.2)."""

    def literal(index, value):
        return bytes([index, len(value)]) + value.encode()

    # Of the static table: :method POST, :scheme https, :path, :authority; content-type is 31, past the prefix's 15.
    fields = b"\x83\x87" + literal(0x04, "/api/session") + literal(0x01, hub.name)
    fields += b"\x0f\x10" + bytes([16]) + b"application/json"
    return PREFACE + frame(SETTINGS) + frame(HEADERS, fields, stream=1, flags=0x4)


def test_a_body_that_drips_is_ended_on_every_door(hub, ca):
    doors = {
        "the plain port": (socket.create_connection(("127.0.0.1", hub.port), timeout=10), post(hub), b" "),
        "HTTP/1.1 over TLS": (connection(hub, ca, "http/1.1"), post(hub), b" "),
        "HTTP/2": (connection(hub, ca, "h2"), post_http2(hub), frame(DATA, b" ", stream=1)),
        "plain HTTP on the port of HTTPS": (
            socket.create_connection(("127.0.0.1", hub.https_port), timeout=10), post(hub), b" "
        ),
    }  # fmt: skip
    begun, ended, heard = time.monotonic(), {}, dict.fromkeys(doors, b"")
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        for name, (client, head, _) in doors.items():
            stack.enter_context(client).sendall(head)
            client.setblocking(False)
            selector.register(client, selectors.EVENT_READ, name)

        def drip_and_listen():
            # A byte now and then keeps every idle time away.
            for key, _ in selector.select(timeout=2):
                part = received(key.fileobj)
                if part is None:
                    continue
                heard[key.data] += part
                if not part or key.data == "HTTP/2" and RST_STREAM in frames(heard[key.data]):
                    selector.unregister(key.fileobj)
                    ended[key.data] = time.monotonic() - begun
            for key in list(selector.get_map().values()):
                try:
                    key.fileobj.send(doors[key.data][2])
                except OSError:
                    # What it will read says so.
                    pass
            return len(ended) == len(doors)

        eventually(drip_and_listen, within=45, what=f"the end of each ({ended})")
    assert heard["plain HTTP on the port of HTTPS"].startswith(b"HTTP/1.1 400"), "answered at once"
    assert ended["plain HTTP on the port of HTTPS"] < 15
    assert b"HTTP/1.1 2" not in heard["HTTP/1.1 over TLS"]
    assert hub.request("GET", "/healthz")[0] == 200
