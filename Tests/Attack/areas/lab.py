"""Guests of a class of the lab, who have no account."""

import time

from areas.authorization import body_of, path_of
from ground import Caller
from probes import hold, probe

GUEST = "/api/lab/guest"


def opened(app):
    answer = app.tess.ask("POST", "/api/lab/classes", {"name": "8b", "sensors": ["accelerometer"], "minutes": 5})
    hold(answer.status == 201, f"a class was answered with {answer.status}: {answer.text[:200]}")
    return answer.json


def joined(app, code):
    answer = app.stranger.ask("POST", GUEST, {"code": code, "name": "Noor"})
    hold(answer.status == 201, f"who has the code was answered with {answer.status}")
    return Caller(app, answer.json["token"]), answer.json["state"]


@probe("every route of the hub with the token of a guest", "A guest of a class is a stranger everywhere else.")
def guest_elsewhere(ground):
    app = ground.home
    guest, _ = joined(app, opened(app)["code"])
    asked, others = 0, []
    for method, path, operation in app.routes:
        # Whoever is on the hub's own machine, as these probes are, reads its figures without a sign-in.
        if path.startswith(GUEST) or path == "/metrics" or not operation["security"]:
            continue
        asked += 1
        status = guest.ask(method, path_of(path), body_of(operation)).status
        if status != 401:
            others.append(f"{method} {path}: {status}")
    hold(asked > 50, f"only {asked} routes were asked")
    hold(not others, f"{len(others)} of {asked} otherwise than with 401, such as {', '.join(others[:5])}")
    return f"{asked} routes, each 401"


@probe("bytes that are no recording, another's, and too many of them", "A guest writes nothing but their own recording.")
def foreign_bytes(ground):
    app = ground.home
    one = opened(app)
    guest, _ = joined(app, one["code"])
    app.tess.ask("POST", f"/api/lab/classes/{one['class']['id']}/run")
    for path, offset, body, expected in (
        ("/runs/1", "0", b"x", {422}),
        ("/runs/1", "0", b"TML\x01" + bytes(200), {422}),
        ("/runs/1", "1", b"x", {409}),
        ("/runs/1", "-1", b"x", {400}),
        ("/runs/1", "99999999999999999999", b"x", {400}),
        ("/runs/2", "0", b"x", {404}),
        ("/runs/..%2f..", "0", b"x", {404}),
        ("/runs/1", "0", bytes(300 << 10), {413}),
    ):
        status = guest.ask("PATCH", GUEST + path, body, upload(offset)).status
        hold(status in expected, f"{path} at {offset} with {len(body)} bytes: {status}")
    hold(app.is_alive(), "the hub ended")
    return "8 ways, each refused"


def upload(offset, is_complete=False):
    """The header fields of a chunk, with the checksum of nothing."""
    return {
        "Content-Type": "application/partial-upload", "Upload-Offset": offset, "Upload-Checksum": "00000000",
        "Upload-Complete": "?1" if is_complete else "?0",
    }


def recording(state, samples):
    """A guest's recording of the last run, in blocks of 4,096 samples that are all the same: a dozen bytes each."""

    def number(value):
        out = b""
        while value > 127:
            out += bytes([value & 127 | 128])
            value >>= 7
        return out + bytes([value])

    def bits(text):
        text += "0" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")

    guest, start = state["guest"].encode(), state["run"]["startsAtMicroseconds"]
    head = b"TML\x01" + bytes.fromhex(state["recording"]["id"]) + bytes([len(guest)]) + guest + b"\0\0" + bytes(2)
    head += start.to_bytes(8, "little") + b"\x01" + bytes([KIND_ACCELEROMETER, SOURCE_LAB]) + bytes(4)
    rising = "10" + "11111" + "000000" + "000010" + "10"  # 0, 1, 2, … as a prediction of second order without a rest
    nought = "01" + "11111" + "000000"
    body = b"\0" + number((4_096 - 1) << 1) + b"\0" + bits(rising + 3 * nought)
    block = b"\x01" + number(len(body)) + body
    return head + block * (samples // 4_096 + 1) + b"\x06\x01\0"


KIND_ACCELEROMETER, SOURCE_LAB = 1, 0


@probe("10 kB that claim five million samples", "A guest costs the household no more than the run asked for.")
def claimed(ground):
    app = ground.app(legacy=False)
    one = opened(app)
    guest, _ = joined(app, one["code"])
    path = f"/api/lab/classes/{one['class']['id']}"
    app.tess.ask("POST", f"{path}/run")
    bytes_ = recording(guest.ask("GET", GUEST).json, 5_000_000)
    sent = guest.ask("PATCH", f"{GUEST}/runs/1", bytes_, upload("0")).status
    hold(sent == 200, f"the probe's own recording is answered with {sent}")
    begun = time.monotonic()
    curves = app.tess.ask("GET", f"{path}/curves?sensor=accelerometer", timeout=120)
    took = time.monotonic() - begun
    hold(curves.status == 200 and took < 3, f"the charts of the class: {curves.status} after {took:.1f} s")
    whole = guest.ask("PATCH", f"{GUEST}/runs/1", bytes_, upload("0", is_complete=True))
    hold(whole.status == 413, f"the whole of it is answered with {whole.status}")
    return f"{len(bytes_) / 1_000:.0f} kB, refused; the charts took {took:.1f} s"


@probe("one phone that joins 120 times", "One phone does not fill a class.")
def joins(ground):
    app = ground.app(legacy=False)
    code = opened(app)["code"]
    taken = [app.stranger.ask("POST", GUEST, {"code": code}).status for _ in range(120)].count(201)
    other = Caller(app, source=ground.stranger(3) if not ground.is_namespace else None)
    if ground.is_namespace:
        other = Caller(app, source=ground.stranger(3), secure=True)
    status = other.ask("POST", GUEST, {"code": code}).status
    hold(taken < 60, f"{taken} places were given to one address")
    hold(status == 201, f"after {taken} places for one address, another is answered with {status}")
    return f"{taken} places of 60, and another phone came in"


@probe("600 codes and 600 tokens guessed beside a guest", "Guessing shuts nobody out of a class.")
def beside(ground):
    app = ground.app(legacy=False)
    code = opened(app)["code"]
    guest, _ = joined(app, code)
    for number in range(600):
        app.stranger.ask("POST", GUEST, {"code": f"aaaa{number:04}"})
        Caller(app, f"wrong{number}").ask("GET", GUEST)
    hold(guest.ask("GET", GUEST).status == 200, "who is in is shut out")
    status = app.stranger.ask("POST", GUEST, {"code": code}).status
    hold(status == 201, f"who has the right code is answered with {status}")
    return "who is in stays in, and the right code opens"


# Last: whoever guesses from this address is told nothing from then on.
@probe("600 codes guessed", "Codes of classes cannot be guessed.")
def guessed(ground):
    app = ground.home
    opened(app)
    answers = [app.stranger.ask("POST", GUEST, {"code": f"aaaa{number:04}"}).status for number in range(600)]
    hold(set(answers) <= {403, 429}, f"answered with {sorted(set(answers))}")
    hold(answers[-1] == 429, "the last try was not held up")
    return f"{answers.count(403)} looked up, {answers.count(429)} held up"
