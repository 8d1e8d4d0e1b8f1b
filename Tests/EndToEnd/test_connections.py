"""What one client can hold of the hub: connections of which it makes no use, and bodies that never come to their end."""

import contextlib
import selectors
import socket
import ssl
import struct
import subprocess
import time

import pytest

import tls
from hub import eventually
from live import Live
from shared import shared_hub

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
RST_STREAM, SETTINGS, HEADERS, DATA = 3, 4, 1, 0


# A hub with TLS that may open few files.
hub = shared_hub(lan="linden", wrapper=["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"])


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


@pytest.mark.by_the_clock
def test_a_body_that_drips_is_ended_on_every_listener(hub, ca):
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


@pytest.mark.parametrize("door", ["plain", "http/1.1", "h2"])
def test_three_hundred_bodies_that_never_end_leave_the_pages_answered(hub, ca, door):
    """Of loopback, whom no limit of an address bounds: the slow are sent away, whoever they say they are."""
    with contextlib.ExitStack() as crowd:
        held = []
        for count in range(300):
            try:
                if door == "plain":
                    one = crowd.enter_context(socket.create_connection(("127.0.0.1", hub.port), timeout=10))
                else:
                    one = crowd.enter_context(connection(hub, ca, door))
                one.sendall(post_http2(hub) if door == "h2" else post(hub))
                held.append(one)
            except OSError:
                # Sent away already: as good.
                pass
            if count % 50 == 49:
                for other in held[-100:]:
                    with contextlib.suppress(OSError):
                        other.sendall(frame(DATA, b" ", stream=1) if door == "h2" else b" ")
                assert hub.request("GET", "/healthz")[0] == 200
                assert b"HTTP/1.1 200" in page(hub, ca, "127.0.0.1")
        assert len(held) > 250
    assert "error" not in hub.log


@pytest.mark.parametrize("door", ["plain", "tls"])
def test_who_sends_on_after_a_refusal_can_read_it_and_the_connection_ends(hub, ca, door):
    head = f"POST /api/people HTTP/1.1\r\nHost: {hub.name}\r\nContent-Length: 4000000\r\n\r\n".encode()
    plain = socket.create_connection(("127.0.0.1", hub.port if door == "plain" else hub.https_port), timeout=10)
    with plain if door == "plain" else tls.context(ca).wrap_socket(plain, server_hostname=hub.name) as client:
        # All of it first, as simple clients do: a reset would take the answer from them.
        client.sendall(head)
        for _ in range(40):
            client.sendall(100_000 * b"x")
        answer = tls.rest(client)
    assert answer.startswith(b"HTTP/1.1 401") and b"connection: close" in answer.lower(), answer[:200]
    assert answer.count(b"HTTP/1.1") == 1


def test_a_foreign_host_is_misdirected_on_every_listener_and_so_is_its_socket(hub, ca):
    ask = "GET {} HTTP/1.1\r\nHost: evil.example:{}\r\nConnection: close\r\n{}\r\n"
    socket_fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    for port in (hub.port, hub.https_port):
        for path, fields in [("/", ""), ("/api/welcome", ""), ("/authority.pem", ""), ("/api/live", socket_fields)]:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
                plain.sendall(ask.format(path, port, fields).encode())
                answer = tls.rest(plain)
            assert answer.startswith(b"HTTP/1.1 421") and b"--origin" in answer, (port, path, answer[:200])
            assert b"linden" not in answer and b"BEGIN" not in answer
    over_http2 = subprocess.run(
        [
            "curl", "-sS", "--http2", "--cacert", str(ca), "--resolve", f"{hub.name}:{hub.https_port}:127.0.0.1",
            "-H", "Host: evil.example", "-w", "%{http_code} %{http_version}", f"{hub.origin}/api/welcome",
        ],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert over_http2.stdout.endswith("421 2") and "--origin" in over_http2.stdout, over_http2


def test_every_listener_forbids_frames_and_sniffing_and_only_tls_promises_itself(hub, ca):
    doors = {"plain": (hub.port, False), "tls": (hub.https_port, True), "plain on the port of TLS": (hub.https_port, False)}
    for name, (port, is_secure) in doors.items():
        for path in ["/", "/healthz", "/api/session", "/nothing"]:
            if is_secure:
                answer = tls.page(hub, ca, path)
            else:
                with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
                    plain.sendall(f"GET {path} HTTP/1.1\r\nHost: {hub.name}\r\nConnection: close\r\n\r\n".encode())
                    answer = tls.rest(plain)
            head = answer.split(b"\r\n\r\n")[0].lower()
            for field in [b"x-content-type-options: nosniff", b"frame-ancestors 'none'", b"x-frame-options: deny"]:
                assert field in head, (name, path, head)
            assert (b"strict-transport-security: max-age=86400" in head) == is_secure, (name, path, head)


@pytest.mark.parametrize(
    "frames, code", [(b"\x81\x02hi", 1002), (b"\x83\x80\0\0\0\0", 1002), (b"\x81\x82\0\0\0\0\xc3\x28", 1007)],
    ids=["unmasked", "a reserved opcode", "text that is not UTF-8"],
)  # fmt: skip
def test_a_page_that_breaks_the_rules_of_the_websocket_is_told_and_closed(hub, frames, code):
    with Live(hub) as live:
        closed = live.close_code()
        live.socket.sock.sendall(frames)
        assert closed() == code


FLOODS = {
    "rapid resets (CVE-2023-44487)": lambda head: b"".join(
        head(2 * n + 1) + frame(RST_STREAM, b"\0\0\0\x08", stream=2 * n + 1) for n in range(2_000)
    ),
    "settings": lambda head: frame(SETTINGS) * 20_000,
    "pings": lambda head: frame(6, b"12345678") * 20_000,
    "continuations without an end": lambda head: frame(HEADERS, b"\x83", stream=1) + frame(9, b"\x87", stream=1) * 20_000,
    "empty data": lambda head: head(1) + frame(DATA, stream=1) * 20_000,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
def test_a_flood_of_frames_ends_its_connection_and_nobody_elses(hub, ca, flood):
    whole = post_http2(hub)[len(PREFACE + frame(SETTINGS)) :]
    with connection(hub, ca, "h2") as secure:
        with contextlib.suppress(OSError):
            secure.sendall(PREFACE + frame(SETTINGS) + flood(lambda stream: whole[:5] + struct.pack(">I", stream) + whole[9:]))
        secure.settimeout(10)
        # To its end: it would time out otherwise.
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            tls.rest(secure)
    assert b"HTTP/1.1 200" in page(hub, ca, "127.0.0.1")
