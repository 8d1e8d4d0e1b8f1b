"""The trivia toy: the original's API, which knows people by a number alone, codes for new toys, and recordings."""

import random
import struct

from ground import Caller
from probes import hold, probe


@probe("guessing who uses an original toy", "A number is 31 bits at random, and few are tried from one address.")
def numbers(ground):
    app = ground.app("--legacy", "toy", legacy=False)
    app.tess.ask("POST", "/api/toy/registration-window")
    body = {"username": "Ann", "email": "ann@example.org", "password": "sesame open"}
    known = app.stranger.ask("POST", "/User/Register", body).json["id"]
    statuses = []
    for number in range(200):
        guess = random.randrange(1, 2**31)
        path = [f"/Trivia/{guess}", f"/User/History/{guess}", f"/User/History/{guess}/1"][number % 3]
        statuses.append(app.stranger.ask("GET", path).status)
    hold(statuses.count(429) >= 180, f"{statuses.count(429)} of 200 guesses were held up")
    hold(app.stranger.ask("GET", f"/Trivia/{known}").status == 429, "beyond the limit the right number is told from a wrong one")
    hold("address" in app.log and "Too many numbers" in app.log, "nothing of it is in the log")
    return f"{statuses.count(429)} of 200 guesses were not answered, and the log says from where they came"


@probe("bodies of the original's app that are none", "What cannot be read is answered in words, and stores nothing.")
def bodies(ground):
    app = ground.app("--legacy", "toy", legacy=False)
    app.tess.ask("POST", "/api/toy/registration-window")
    worst = 0
    for body in [
        b"", b"[]", b"{", b"null", b'{"username":{}}', b'{"email":"' + b"a" * 5_000 + b'"}', b"\xff\xfe", b"[" * 50_000,
        b'{"userVote":7,"userId":1,"triviaId":1}', b'{"userVote":1e400,"userId":1,"triviaId":1}',
        b'{"userVote":1,"userId":4294967297,"triviaId":1}', b'{"userVote":1,"userId":"1; DROP TABLE toy_fact"}',
    ]:  # fmt: skip
        for method, path in [("POST", "/User/Register"), ("POST", "/User/Login"), ("PUT", "/Trivia/Vote/1"), ("POST", "/Trivia/Vote/99999999999999999999")]:
            answer = app.stranger.ask(method, path, body, {"Content-Type": "application/json"})
            worst = max(worst, answer.status)
            hold(400 <= answer.status < 500, f"{method} {path} with {body[:40]!r} is answered with {answer.status}")
    hold(app.is_alive(), "the hub is not there any more")
    hold(app.tess.ask("GET", "/api/toy/original-users").json["users"] == [], "somebody was registered")
    return f"none was answered with more than {worst}"


@probe("guessing codes of new toys", "A code holds for ten minutes and once, and few are tried from one address.")
def codes(ground):
    app = ground.app()
    code = app.tess.ask("POST", "/api/toy/pairing", {"name": "Owl"}).json["code"]
    statuses = [
        app.stranger.ask("POST", "/api/toy/pairing/redemption", {"code": "".join(random.choices("abcdefgh", k=8))}).status
        for _ in range(100)
    ]
    hold(statuses.count(404) <= 10 and statuses.count(429) >= 90, f"{statuses.count(404)} of 100 codes were looked at")
    hold(app.stranger.ask("POST", "/api/toy/pairing/redemption", {"code": code}).status == 429, "the right code is told from a wrong one")
    hold(app.tess.ask("GET", "/api/toy/toys").json["toys"] == [], "there is a toy")
    return f"{statuses.count(429)} of 100 were not looked at"


@probe("guessing codes of new toys from many addresses", "All addresses together try few, and who made the code is not held up.")
def codes_from_everywhere(ground):
    app = ground.app(legacy=False)
    body = lambda: {"code": "".join(random.choices("abcdefgh", k=8)), "host": "127.0.0.1"}  # noqa: E731
    statuses = []
    for number in range(260):
        source = f"127.77.{number // 100}.{number % 100 + 1}"
        statuses.append(Caller(app, source=source).ask("POST", "/api/toy/pairing/redemption", body()).status)
    hold(409 not in statuses, "this hub speaks no MQTT without TLS, so that no code is looked at")
    hold(statuses.count(404) <= 90, f"{statuses.count(404)} of {len(statuses)} codes were looked at")
    code = app.tess.ask("POST", "/api/toy/pairing", {"name": "Owl"}).json["code"]
    status = app.stranger.ask("POST", "/api/toy/pairing/redemption", {"code": code, "host": "127.0.0.1"}).status
    hold(status == 201, f"the toy of who made the code is answered with {status}")
    return f"{statuses.count(429)} of {len(statuses)} were not looked at"


@probe("recordings that are none", "What is no recording is refused in words; no program is asked for an address in it.")
def recordings(ground):
    app = ground.app()
    path = f"/api/toy/messages?person={app.ids['mila']}"
    wave = b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 16_000, 2, 16)
    files = {
        "a playlist": b"#EXTM3U\nhttp://10.77.0.1/\n", "a list for ffmpeg": b"ffconcat version 1.0\nfile /etc/passwd\n",
        "a script": b"<script>alert(1)</script>", "a WebM of noise": b"\x1a\x45\xdf\xa3" + random.randbytes(100_000),
        "an MP4 that points anywhere": b"\0\0\0\x18ftypmp42" + b"\xff" * 50_000, "an Ogg of nothing": b"OggS" + bytes(10_000),
        "a sound of 4 GB": wave + b"data\xff\xff\xff\xff\0\0", "a sound without samples": wave + b"data\0\0\0\0",
        "a sound of 0 channels": b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 0, 0, 0, 0, 0) + b"data\2\0\0\0\0\0",
    }  # fmt: skip
    seen = {}
    for name, content in files.items():
        seen[name] = app.tess.ask("POST", path, content, {"Content-Type": "application/octet-stream"}, timeout=60).status
        hold(seen[name] == 201 if name == "a sound of 4 GB" else seen[name] in (415, 422, 503), f"{name}: {seen[name]}")
    hold(app.mila.ask("POST", path, wave + b"data\2\0\0\0\0\0").status == 403, "a child's profile sends messages")
    hold(app.is_alive(), "the hub is not there any more")
    return f"{len(files)} files"
