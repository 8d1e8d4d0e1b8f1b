"""Guests of a class of the lab, who have no account."""

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
        if path.startswith(GUEST) or not operation["security"]:
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
    for path, body, expected in (
        ("/runs/1?offset=0", b"x", {422}),
        ("/runs/1?offset=0", b"TML\x01" + bytes(200), {422}),
        ("/runs/1?offset=1", b"x", {409}),
        ("/runs/1?offset=-1", b"x", {422}),
        ("/runs/1?offset=99999999999999999999", b"x", {422}),
        ("/runs/2?offset=0", b"x", {404}),
        ("/runs/..%2f..?offset=0", b"x", {404}),
        ("/runs/1?offset=0", bytes(300 << 10), {413}),
    ):
        status = guest.ask("POST", GUEST + path, body, {"Content-Type": "application/octet-stream"}).status
        hold(status in expected, f"{path} with {len(body)} bytes: {status}")
    hold(app.is_alive(), "the hub ended")
    return "8 ways, each refused"


# Last: whoever guesses from this address is held up from then on.
@probe("600 codes guessed", "Codes of classes cannot be guessed.")
def guessed(ground):
    app = ground.home
    opened(app)
    answers = [app.stranger.ask("POST", GUEST, {"code": f"aaaa{number:04}"}).status for number in range(600)]
    hold(set(answers) <= {403, 429}, f"answered with {sorted(set(answers))}")
    hold(answers[-1] == 429, "the last try was not held up")
    return f"{answers.count(403)} looked up, {answers.count(429)} held up"
