"""Requests that are no requests, or mean two things: framing, hosts, headers, paths."""

import re
import socket
import ssl
import time

from probes import hold, probe

HIDDEN = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"


def talk(app, data, secure=False, timeout=5, pieces=1):
    """Sends bytes on a connection of its own; all that came back until the hub closed, and whether it did."""
    port = app.https_port if secure else app.port
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        if secure:
            context = ssl.create_default_context(cafile=app.data / "authority/authority.pem")
            connection = context.wrap_socket(connection, server_hostname=app.name)
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        step = max(len(data) // pieces, 1)
        parts = []
        try:
            for start in range(0, len(data), step):
                connection.sendall(data[start : start + step])
        except OSError:
            pass
        while True:
            try:
                part = connection.recv(65_536)
            except (TimeoutError, ssl.SSLError):
                return b"".join(parts), False
            except OSError:
                part = b""
            if not part:
                return b"".join(parts), True
            parts.append(part)


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3})", answer)]


SMUGGLED = {
    "length and chunks": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}",
    "two lengths": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: 0\r\nContent-Length: 60\r\n\r\n{HIDDEN}",
    "a list of lengths": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: 0, 60\r\n\r\n{HIDDEN}",
    "a length with a sign": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: +0\r\n\r\n{HIDDEN}",
    "a length in hexadecimal": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: 0x0\r\n\r\n{HIDDEN}",
    "a coding that is none": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{HIDDEN}",
    "chunked twice": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n{HIDDEN}",
    "a space before the colon": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n{HIDDEN}",
    "a folded header": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n{HIDDEN}",
    "a chunk of a wrong size": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{HIDDEN}",
    "a chunk of 2^64": f"POST /api/session HTTP/1.1\r\nHost: {{host}}\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{HIDDEN}",
    "a bare carriage return": f"GET /healthz HTTP/1.1\r\nHost: {{host}}\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}",
}  # fmt: skip


@probe("requests that end in two places", "A request that could be read in two ways is answered once, and its connection ends.")
def smuggling(ground):
    app = ground.home
    host = f"localhost:{app.port}"
    for name, request in SMUGGLED.items():
        answer, closed = talk(app, request.format(host=host))
        codes = statuses(answer)
        hold(404 not in codes and 200 not in codes[1:], f"{name}: the hidden request was answered, {codes}")
        hold(len(codes) <= 1, f"{name}: answered {len(codes)} times, {codes}")
        hold(closed, f"{name}: answered {codes}, and the connection stays open")
    return f"{len(SMUGGLED)} kinds, none hides a request"


@probe("a broken chunk", "A request is answered once.")
def broken_chunk(ground):
    app = ground.home
    for secure in (False, True):
        host = f"{app.name}:{app.https_port}" if secure else f"localhost:{app.port}"
        request = (
            f"POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\nXYZ\r\n"
        )
        answer, closed = talk(app, request, secure)
        codes = statuses(answer)
        hold(codes in ([400], []), f"answered {codes}")
        hold(closed, "the connection stays open")
    return "400 once, on both ports"


@probe("no Host header, two of them, and strange ones", "A request names one host (RFC 9112, 3.2).")
def hosts(ground):
    app = ground.home
    own = f"localhost:{app.port}"
    for name, lines in {
        "none": "", "two": f"Host: {own}\r\nHost: evil.example\r\n", "the same twice": f"Host: {own}\r\nHost: {own}\r\n",
        "an empty one": "Host:\r\n", "one with a path": "Host: localhost/evil\r\n",
    }.items():  # fmt: skip
        answer, _ = talk(app, f"GET /healthz HTTP/1.1\r\n{lines}Connection: close\r\n\r\n")
        hold(statuses(answer)[:1] and statuses(answer)[0] in (400, 421), f"{name}: {statuses(answer)}")
    return "5 kinds, each refused"


@probe("the page by a foreign name (DNS rebinding)", "The hub answers under its own names alone.")
def rebinding(ground):
    app, asked = ground.home, 0
    for path in ("/", "/api/setup", "/api/session", "/healthz", "/api/welcome"):
        for host in ("evil.example", f"evil.example:{app.port}", "localhost.evil.example", "127.0.0.1.nip.io"):
            answer, _ = talk(app, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            asked += 1
            code = (statuses(answer) or [0])[0]
            hold(code in (400, 403, 404, 421), f"GET {path} for {host}: {code}")
            hold(b"Our house" not in answer and b"needsFirstAccount" not in answer, f"GET {path} for {host} tells more")
    for host in (f"localhost:{app.port}", f"127.0.0.1:{app.port}"):
        answer, _ = talk(app, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        hold(statuses(answer) == [200], f"its own name {host}: {statuses(answer)}")
    return f"{asked} requests, each refused; its own names are answered"


def headers_of(answer):
    head = answer.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    return {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head if ":" in line}


@probe("headers over HTTPS", "A browser that was here over HTTPS comes back over HTTPS (HSTS), and guesses no types.")
def hsts(ground):
    app = ground.home
    host = f"{app.name}:{app.https_port}"
    for path in ("/", "/api/session", "/healthz", "/api/nothing"):
        answer, _ = talk(app, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", secure=True)
        headers = headers_of(answer)
        hold("max-age" in headers.get("strict-transport-security", ""), f"GET {path} has no HSTS")
        hold(headers.get("x-content-type-options") == "nosniff", f"GET {path} has no nosniff")
    plain = headers_of(talk(app, f"GET / HTTP/1.1\r\nHost: localhost:{app.port}\r\nConnection: close\r\n\r\n")[0])
    hold("strict-transport-security" not in plain, "plain HTTP has it, where it means nothing")
    return "4 paths have both"


@probe("nosniff on refusals", "No answer is taken for another type than it is.")
def nosniff(ground):
    app, asked = ground.home, 0
    for method, path, body in (
        ("GET", "/api/session", None), ("GET", "/api/nothing", None), ("POST", "/api/session", {"email": 1}),
        ("POST", "/api/session", b"{"), ("GET", "/../../etc/passwd", None), ("DELETE", "/api/plants/x", None),
    ):  # fmt: skip
        answer = app.stranger.ask(method, path, body)
        asked += 1
        hold(answer.headers.get("X-Content-Type-Options") == "nosniff", f"{method} {path}: {answer.status} without it")
    return f"{asked} refusals have it"


@probe("the plain page of the TLS port in a frame", "No page of the hub can be framed by another site.")
def frames(ground):
    app = ground.home
    answer, _ = plain_page(app)
    headers = headers_of(answer)
    policy = headers.get("content-security-policy", "")
    hold("frame-ancestors" in policy or headers.get("x-frame-options"), f"no frame protection: {sorted(headers)}")
    page = headers_of(talk(app, f"GET / HTTP/1.1\r\nHost: localhost:{app.port}\r\nConnection: close\r\n\r\n")[0])
    hold("frame-ancestors" in page.get("content-security-policy", "") or page.get("x-frame-options"), "the page itself has none")
    return "both say so"


def plain_page(app):
    """What the port of HTTPS answers to plain HTTP."""
    with socket.create_connection(("127.0.0.1", app.https_port), timeout=5) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {app.name}:{app.https_port}\r\nConnection: close\r\n\r\n".encode())
        parts = []
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except OSError:
            pass
        return b"".join(parts), True


PATHS = (
    "/../../../../etc/passwd", "/..%2f..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/app/../../../../etc/passwd", "/app/x/..%2f..%2f..%2f..%2fetc%2fpasswd", "//etc/passwd", "/..\\..\\..\\etc\\passwd",
    "/app/%00/etc/passwd", "/%252e%252e/%252e%252e/etc/passwd", "/....//....//etc/passwd", "/../data/tandem.db",
    "/api/drums/songs/..%2f..%2f..%2ftandem.db/audio", "/calendar/..%2f..%2ftandem.db.ics", "/%c0%ae%c0%ae/etc/passwd",
    "/authority/../authority.key", "/authority.key",
)  # fmt: skip


@probe("paths that lead out of the web folder", "No path of a request reaches a file that is not served.")
def traversal(ground):
    app = ground.home
    for path in PATHS:
        for token in ("", f"Authorization: Bearer {app.tess.token}\r\n"):
            answer, _ = talk(app, f"GET {path} HTTP/1.1\r\nHost: localhost:{app.port}\r\n{token}Connection: close\r\n\r\n")
            for secret in (b"root:x:", b"SQLite format", b"PRIVATE KEY"):
                hold(secret not in answer, f"{path} gives {secret.decode()}")
            hold((statuses(answer) or [400])[0] < 500, f"{path}: {statuses(answer)}")
    return f"{len(PATHS)} paths, signed in and not, none leads out"


@probe("heads without end, huge headers, nonsense", "Who sends what is no request is answered once or not at all, and let go.")
def nonsense(ground):
    app = ground.home
    host = f"Host: localhost:{app.port}\r\n"
    for name, data in {
        "a line of 1 MB": "GET /" + "a" * 1_000_000 + " HTTP/1.1\r\n" + host + "\r\n",
        "a header of 1 MB": f"GET / HTTP/1.1\r\n{host}X: " + "a" * 1_000_000 + "\r\n\r\n",
        "20,000 headers": f"GET / HTTP/1.1\r\n{host}" + "".join(f"X{n}: y\r\n" for n in range(20_000)) + "\r\n",
        "HTTP/9.9": f"GET / HTTP/9.9\r\n{host}\r\n",
        "a space in the path": f"GET / x HTTP/1.1\r\n{host}\r\n",
        "bytes": bytes(range(256)) * 40,
        "NUL": b"GET /\x00 HTTP/1.1\r\n" + host.encode() + b"\r\n",
        "TLS on the plain port": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    }.items():
        answer, _ = talk(app, data, timeout=3)
        hold((statuses(answer) or [400])[0] in (400, 404, 405, 413, 414, 431, 505, 501), f"{name}: {statuses(answer)}")
        hold(len(statuses(answer)) <= 1, f"{name}: answered {statuses(answer)}")
    hold(app.is_alive(), "the hub does not answer any more")
    return "8 kinds, each refused"


@probe("a refused request whose body still comes", "A refused request that goes on is not waited for.")
def refused_body(ground):
    app = ground.home
    with socket.create_connection(("127.0.0.1", app.port), timeout=10) as connection:
        connection.sendall(
            f"POST /api/devices HTTP/1.1\r\nHost: localhost:{app.port}\r\nContent-Type: application/json\r\n"
            "Content-Length: 100000000\r\n\r\n".encode()
        )
        sent, answer, begun = 0, b"", time.monotonic()
        while time.monotonic() - begun < 45:  # at a megabyte a second
            try:
                connection.settimeout(5)
                connection.sendall(b" " * 100_000)
                sent += 100_000
                connection.settimeout(0.1)
                if part := connection.recv(65_536):
                    answer += part
                else:
                    time.sleep(0.1)  # The answer is whole, and what still comes is thrown away for a while.
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            hold(False, f"{sent / 1e6:.0f} MB were taken in 45 s after {statuses(answer)}")
        seconds = time.monotonic() - begun
    return f"closed after {seconds:.0f} s and {sent / 1e6:.1f} MB"


@probe("what a stranger is told of the household", "Without a sign-in the household’s name is not told.")
def loaded(ground):
    app = ground.home
    name = app.tess.ask("GET", "/api/session").json["household"]["name"]
    hold(name, "the household has no name to be told")
    app.tess.ask("PATCH", "/api/household", {"name": "The Xylophones"})
    for path in ("/api/setup", "/api/welcome", "/healthz", "/openapi.json", "/", "/manifest.webmanifest"):
        answer = app.stranger.ask("GET", path)
        hold("Xylophones" not in answer.text, f"GET {path} tells it")
    return "6 paths, none tells it"


# What text may be anywhere: scripts, queries, formulas, bytes that are no text, directions, and too much of it.
STRINGS = (
    "<img src=x onerror=alert(1)>", "'; DROP TABLE person; --", '"><script>alert(1)</script>', "{{7*7}}", "${7*7}",
    "=cmd|'/c calc'!A1", "＝1+1", "\u0000", "a\u0000b", "\u202eevil", "\r\nSet-Cookie: a=b", "../../etc/passwd", "%00%0a",
    "\ud83d\ude00" * 50, "x" * 100_000, "A\u0301" * 1_000, "\ufeff", "null", "-1", "1e999", "\u2028",
)  # fmt: skip


@probe("strings that are more than text, in every field of every route", "Text is text: it is refused in words or kept as it is, and nothing fails.")  # fmt: skip
def strings(ground):
    from areas.authorization import body_of, path_of

    app, asked = ground.home, 0
    ids = {"person": app.ids["mila"]}
    for method, path, operation in app.routes:
        if method in ("GET", "DELETE") or path in ("/api/session", "/api/setup", "/api/accounts"):
            continue
        body = body_of(operation)
        if not isinstance(body, dict):
            continue
        for field, value in body.items():
            if isinstance(value, (dict, list)) or field == "password":
                continue
            for text in STRINGS:
                text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                answer = app.tess.ask(method, path_of(path, ids), {**body, field: text})
                asked += 1
                hold(answer.status < 500, f"{method} {path}, {field}={text[:20]!r}: {answer.status}")
                hold("Set-Cookie" not in answer.headers, f"{method} {path}, {field}: a header was put in")
                kind = answer.headers.get("Content-Type", "application/json")
                hold("json" in kind, f"{method} {path}: answered as {kind}")
    hold(asked > 1_000, f"only {asked} requests were made: no field was found")
    return f"{asked} requests, no answer of 500"
