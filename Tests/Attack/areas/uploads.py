"""Files that a child's profile may send, which unfold, nest or lie about themselves."""

import plistlib
import struct
import time
import zlib

from areas.connections import slowest_page
from ground import Caller
from probes import hold, probe

BYTES = {"Content-Type": "application/octet-stream"}


def sent(app, caller, path, data, kind=None):
    """The status of an upload, and how long it took; the hub must answer afterwards."""
    begun = time.monotonic()
    try:
        status = caller.ask("POST", path, data, kind or BYTES, timeout=60).status
    except OSError as error:
        status = f"{type(error).__name__}"
    took = time.monotonic() - begun
    hold(app.process.poll() is None, f"the hub ended with {app.process.returncode}")
    return status, took


def binary(objects, top, size=1):
    """A binary property list of these objects, which may point anywhere."""
    out, offsets = b"bplist00", []
    for one in objects:
        offsets.append(len(out))
        out += one
    table = len(out)
    width = 4
    out += b"".join(struct.pack(">I", offset) for offset in offsets)
    return out + bytes(6) + bytes([width, size]) + struct.pack(">QQQ", len(objects), top, table)


def lists():
    """Property lists that are none, or too much of one."""
    xml = b'<?xml version="1.0"?>'
    yield "1.4 MB of <plist>", xml + b"<plist>" * 200_000
    yield "100,000 arrays in each other", xml + b"<plist>" + b"<array>" * 100_000 + b"</array>" * 100_000 + b"</plist>"
    yield "100,000 dictionaries", xml + b"<plist>" + b"<dict><key>a</key>" * 60_000
    entities = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 12))
    yield "entities that unfold", xml + b'<!DOCTYPE p [<!ENTITY e0 "aaaaaaaaaa">' + entities + b"]><plist><array><string>&e11;</string></array></plist>"
    yield "a file of the machine", xml + b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><plist><array><string>&x;</string></array></plist>'
    yield "comments without end", xml + b"<!--" + b"-" * 1_000_000
    yield "an attribute of 1 MB", xml + b'<plist version="' + b"1" * 1_000_000 + b'"><array/></plist>'
    yield "binary: an array in itself", binary([b"\xa1\x00"], 0)
    yield "binary: two arrays in each other", binary([b"\xa1\x01", b"\xa1\x00"], 0)
    yield "binary: arrays that double", binary([b"\xa2" + bytes([n + 1, n + 1]) for n in range(40)] + [b"\x09"], 0)
    yield "binary: an array of 2^62", binary([b"\xaf\x13" + struct.pack(">Q", 2**62)], 0)
    yield "binary: 250 arrays in each other", binary([b"\xa1" + bytes([n + 1]) for n in range(250)] + [b"\x09"], 0)
    yield "binary: offsets beyond the end", b"bplist00\xa1\x00" + bytes(6) + b"\x08\x08" + struct.pack(">QQQ", 2**60, 0, 2**63)
    yield "binary: a string of 2^31", binary([b"\x5f\x12\x7f\xff\xff\xff"], 0)
    yield "UTF-16", xml.decode().encode("utf-16") + ("<plist>" * 1_000).encode("utf-16-le")
    yield "NULs", bytes(1_000_000)


@probe("16 property lists that unfold, nest or lie", "No file that is sent ends the hub or holds it up.")
def property_lists(ground):
    app = ground.app()
    path, longest = f"/api/drums/import?person={app.ids['mila']}", 0.0
    count = 0
    for name, data in lists():
        for caller in (app.mila, app.tess):
            status, took = sent(app, caller, path, data)
            hold(not isinstance(status, int) or status < 500, f"{name}: {status}")
            hold(took < 10, f"{name} took {took:.1f} s")
            longest = max(longest, took)
        hold(slowest_page(app, 2) < 3, f"after {name} a page waits")
        count += 1
    hold(app.is_alive(), "the hub does not answer")
    return f"{count} files, the longest took {longest:.2f} s"


def songs():
    head = b"MThd\x00\x00\x00\x06"
    yield "MIDI: a track of 4 GB", head + b"\x00\x00\x00\x01\x00\x60MTrk\xff\xff\xff\xff\x00\x90"
    yield "MIDI: 65,535 tracks", head + b"\x00\x01\xff\xff\x00\x60" + b"MTrk\x00\x00\x00\x04\x00\xff\x2f\x00" * 30_000
    yield "MIDI: running status for ever", head + b"\x00\x00\x00\x01\x00\x60MTrk\x00\x07\xa1\x20" + b"\x00\x90\x40\x40" + b"\x00\x40\x40" * 160_000
    yield "MIDI: the longest deltas", head + b"\x00\x00\x00\x01\x00\x01MTrk\x00\x00\x27\x10" + b"\xff\xff\xff\x7f\x90\x40\x40" * 1_400
    yield "MIDI: a division of 0", head + b"\x00\x00\x00\x01\x00\x00MTrk\x00\x00\x00\x04\x00\xff\x2f\x00"
    yield "text: repeat without end", b"title: T\nmeter: 4/4\ntempo: 120\nrepeat: 999999999\n| C4 C4 C4 C4 |"
    yield "text: 200,000 bars", b"title: T\nmeter: 4/4\ntempo: 120\n" + b"| C4/1 " * 100_000
    yield "text: bytes that are no text", b"title: \xff\xfe\nmeter: 4/4\ntempo: 120\n| C4 |"
    yield "text: a title with a script", b"title: <script>alert(1)</script>\nmeter: 4/4\ntempo: 120\n| C4 C4 C4 C4 |"
    yield "text: a tempo of nought", b"title: T\nmeter: 0/0\ntempo: 0\n| C4 |"


@probe("10 songs that are too long, too deep or none", "No file that is sent ends the hub or holds it up.")
def song_files(ground):
    app, longest, count = ground.home, 0.0, 0
    for name, data in songs():
        kind = "song.mid" if name.startswith("MIDI") else "song.txt"
        status, took = sent(app, app.tess, f"/api/drums/songs?name={kind}", data)
        hold(not isinstance(status, int) or status < 500, f"{name}: {status}")
        hold(took < 10, f"{name} took {took:.1f} s")
        longest, count = max(longest, took), count + 1
    return f"{count} files, the longest took {longest:.2f} s"


def sessions(mark):
    """Sessions that begin as one does."""
    for body in (b"", b"\x01\x00", bytes(300), b"\xff" * 300, b"\x01\x00" + bytes(range(1, 17)) + b"\x05mila1" + b"\xff" * 400):
        yield mark + body
    yield mark
    yield bytes(400_000)
    yield b"\xff" * 1_100_000


@probe("sessions that were forged", "No file that is sent ends the hub or holds it up.")
def forged(ground):
    app, count = ground.home, 0
    for path, mark in (("/api/brushing/sessions", b"TBR\x01"), ("/api/drums/sessions", b"TDR\x01"), ("/api/drums/active/" + "1" * 32, b"TDR\x01")):
        for data in sessions(mark):
            caller = app.mila
            method, kind = ("PATCH", {**BYTES, "Upload-Offset": "0"}) if "active" in path else ("POST", BYTES)
            answer = caller.ask(method, path, data, kind, timeout=30)
            hold(answer.status in (400, 403, 404, 409, 413, 422), f"{method} {path}: {answer.status}")
            count += 1
    hold(app.is_alive(), "the hub does not answer")
    return f"{count} sessions, each refused"


def pictures():
    """Pictures, each with the words that are not to be stored, and whether it may be stored at all."""
    home = b"48.2082N 16.3738E"

    def segment(marker, content):
        return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content

    frame = segment(0xC0, b"\x08\0\x01\0\x01\x01\x01\x11\0")
    for name, marker, content in (
        ("JFXX", 0xE0, b"JFXX\0\x10" + home), ("a small picture in JFIF", 0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\x01\x05" + home),
        ("C2PA", 0xEB, b"JP\0\x01\0\0\0\x01" + home), ("a maker's own", 0xE7, home), ("a comment", 0xFE, home),
    ):  # fmt: skip
        yield f"JPEG with {name}", b"\xff\xd8" + segment(marker, content) + frame + b"\xff\xd9", home, True

    for name, behind in (
        ("its table", segment(0xDB, bytes(65) + home) + frame), ("its frame", segment(0xC0, b"\x08\0\x01\0\x01\x01\x01\x11\0" + home)),
        ("its interval", segment(0xDD, b"\0\x01" + home) + frame), ("a segment", segment(0xDD, b"\0\x01") + b"\0\0" + home + frame),
    ):  # fmt: skip
        yield f"JPEG with bytes behind {name}", b"\xff\xd8" + behind + b"\xff\xd9", home, True

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    def png(width, height, *more):
        header = chunk(b"IHDR", struct.pack(">II", width, height) + b"\x08\0\0\0\0")
        return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + chunk(b"IEND", b"")

    for name in (b"caBX", b"prVt", b"zxIf", b"QRST", b"iDOT"):
        yield f"PNG with {name.decode()}", png(1, 1, chunk(name, home)), home, True
    yield "PNG with a longer gAMA", png(1, 1, chunk(b"gAMA", b"\0\0\xb1\x8f" + home)), home, True
    for width, height in ((0, 1), (1, 0), (2**31, 1), (1, 2**32 - 1)):
        yield f"PNG of {width} x {height}", png(width, height), home, False

    def webp(*chunks):
        body = b"WEBP" + b"".join(n + struct.pack("<I", len(c)) + c + bytes(len(c) % 2) for n, c in chunks)
        return b"RIFF" + struct.pack("<I", len(body)) + body

    for name in (b"C2PA", b"home", b"EXIF"):
        yield f"WebP with {name.decode()}", webp((b"VP8 ", b"abc"), (name, home)), home, True
    yield "WebP of 0 x 0", webp((b"VP8 ", b"\0\0\0\x9d\x01\x2a\0\0\0\0")), home, False


@probe("pictures with more in them than is drawn", "What a picture is stored with is a list of what may stay.")
def picture_files(ground):
    app, count = ground.home, 0
    added = app.tess.ask("POST", "/api/plants", {"name": "Maidenhair"})  # others have theirs in this house
    hold(added.status == 201, f"a plant was answered with {added.status}: {added.text[:200]}")
    plant = added.json["id"]
    for name, data, secret, is_fine in pictures():
        answer = app.tess.ask("POST", f"/api/plants/{plant}/photos", data, BYTES)
        hold(answer.status == (201 if is_fine else 422), f"{name}: {answer.status}")
        if is_fine:
            stored = app.tess.ask("GET", f"/api/plants/{plant}/photos/{answer.json['id']}").body
            hold(secret not in stored, f"{name} is stored with it")
        count += 1
    return f"{count} pictures"


def nested(count):
    return b"[" * count + b"]" * count


@probe("JSON that nests, repeats and is too large", "No file that is sent ends the hub or holds it up.")
def json_bodies(ground):
    app, count = ground.home, 0
    kind = {"Content-Type": "application/json"}
    for data in (
        nested(100_000), b'{"a":' * 100_000, b'{"email":' + nested(200_000) + b"}", b'{"email":"' + b"\\" * 900_000,
        b'{"email":"a","email":"b"}', b"{\"email\":\"\\ud800\"}", b"1e999999999", b'{"email":' + b"9" * 900_000 + b"}",
        b"\xff\xfe{\x00}\x00", b"", b"[]", b"null", b" " * 1_000_000, b'{"' + b"k" * 900_000 + b'":1}',
        b"{" + b",".join(b'"k%d":1' % n for n in range(60_000)) + b"}",
    ):  # fmt: skip
        for path, caller in (("/api/session", app.stranger), ("/api/people", app.tess), ("/api/plants", app.tess)):
            answer = caller.ask("POST", path, data, kind, timeout=30)
            hold(400 <= answer.status < 500, f"POST {path} {data[:20]!r}…: {answer.status}")
            count += 1
    hold(app.is_alive(), "the hub does not answer")
    return f"{count} bodies, each refused in words"


@probe("a recording that is none, and one of 300 MB", "An upload is bounded before it is stored.")
def recordings(ground):
    app = ground.home
    for name, data in (("a.mp3", b"<html>"), ("../../x.mp3", b"ID3" + bytes(100)), ("x.svg", b"<svg onload=alert(1)>")):
        answer = app.tess.ask("POST", f"/api/drums/songs/audio?name={name}", data, {"Content-Type": "audio/mpeg"})
        hold(answer.status in (201, 400, 413, 415, 422), f"{name}: {answer.status}")
    hold(not list(app.data.parent.rglob("x.mp3")) or not (app.data.parent / "x.mp3").exists(), "a file left the folder")
    import contextlib

    with contextlib.closing(Caller(app, token=app.tess.token).connection()) as client:
        client.putrequest("POST", "/api/drums/songs/audio?name=big.mp3")
        for header, value in (("Authorization", f"Bearer {app.tess.token}"), ("Content-Type", "audio/mpeg"), ("Content-Length", str(300 << 20))):
            client.putheader(header, value)
        client.endheaders()
        taken = 0
        try:
            for _ in range(300):
                client.send(b"ID3" + bytes((1 << 20) - 3))
                taken += 1
            status = client.getresponse().status
        except OSError:
            status = "closed"
    hold(status in (400, 413, 422, "closed"), f"300 MB are answered with {status}")
    hold(app.is_alive(), "the hub does not answer")
    return f"{taken} MB were sent, answered with {status}"
