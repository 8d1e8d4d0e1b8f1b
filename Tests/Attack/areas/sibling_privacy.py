"""What a child's profile is told of the others."""

import struct
import time

import brushing_blobs
import drums_blobs
from ground import EMAIL
from probes import hold, probe

DAY = 86_400_000


def brushed(app, child):
    """A session of brushing of a child, an hour ago: its id."""
    blob = brushing_blobs.session(app.ids[child], int(time.time() * 1000) - 3_600_000)
    answer = app.tess.ask("POST", "/api/brushing/sessions", blob, {"Content-Type": "application/octet-stream"})
    assert answer.status in (200, 201), answer.text
    return answer.json["id"]


def drummed(app, child):
    blob = drums_blobs.session(app.ids[child], int(time.time() * 1000) - DAY)
    answer = app.tess.ask("POST", "/api/drums/sessions", blob, {"Content-Type": "application/octet-stream"})
    assert answer.status in (200, 201), answer.text
    return answer.json["id"]


@probe("a sibling’s brushing: history, statistics, one session", "Siblings see names, faces and whether it is done, no more.")  # fmt: skip
def brushing(ground):
    app = ground.home
    session, theo = brushed(app, "theo"), app.ids["theo"]
    for path in (
        f"/api/brushing/people/{theo}/history", f"/api/brushing/people/{theo}/statistics?by=week",
        f"/api/brushing/sessions/{session}",
    ):  # fmt: skip
        status = app.mila.ask("GET", path).status
        hold(status in (403, 404), f"GET {path.replace(theo, '{theo}')}: {status}")
    own = app.theo.ask("GET", f"/api/brushing/people/{theo}/history").status
    hold(own == 200, f"his own history is answered to him with {own}")
    return "3 routes, each refused; his own are his"


@probe("a sibling’s drums: days, data, report, export, one session", "Siblings see names, faces and whether it is done, no more.")  # fmt: skip
def drums(ground):
    app = ground.home
    session, theo = drummed(app, "theo"), app.ids["theo"]
    for path in (
        f"/api/drums/days?person={theo}", f"/api/drums/data?person={theo}&span=week", f"/api/drums/report?person={theo}",
        f"/api/drums/export?person={theo}&format=json", f"/api/drums/sessions?person={theo}",
        f"/api/drums/sessions/{session}",
    ):  # fmt: skip
        status = app.mila.ask("GET", path).status
        hold(status in (403, 404), f"GET {path.replace(theo, '{theo}')}: {status}")
    return "6 routes, each refused"


@probe("everybody’s e-mail from a child’s profile", "A child’s profile is not told anybody’s e-mail.")
def emails(ground):
    app, asked = ground.home, 0
    for path in ("/api/people", "/api/session", "/api/brushing", "/api/drums", "/api/plants", "/api/devices", "/api/hub"):
        answer = app.mila.ask("GET", path)
        asked += 1
        hold(EMAIL not in answer.text, f"GET {path} tells it")
    hold(EMAIL in app.tess.ask("GET", "/api/session").text, "an adult is not told their own")
    return f"{asked} routes, none tells it"


@probe("what the companions tell of a sibling at a glance", "Siblings see names, faces and whether it is done, no more.")
def glance(ground):
    app = ground.home
    theo = app.ids["theo"]
    brushed(app, "theo")
    person = next((one for one in app.mila.ask("GET", "/api/brushing").json["people"] if theo in str(one)), {})
    data = {name for name, value in person.items() if value and name in ("settings", "streak", "progress", "history", "sessions", "reminders", "brushHead", "appointments")}  # fmt: skip
    hold(not data, f"of a sibling it tells {', '.join(sorted(data))}")
    return f"of a sibling: {', '.join(sorted(person)) or 'nothing'}"


@probe("a sibling’s vote, message, toy and name", "Siblings see names, faces and whether it is done, no more.")
def toys(ground):
    app = ground.app()
    theo, mila = app.ids["theo"], app.ids["mila"]
    fact = app.tess.ask("GET", f"/api/toy/people/{theo}/next").json["fact"]["id"]
    voted = app.theo.ask("PUT", f"/api/toy/facts/{fact}/vote", {"vote": -1})
    hold(voted.status == 200, f"his own vote is answered with {voted.status}")
    played = app.mila.ask("POST", f"/api/toy/people/{theo}/plays", {"fact": fact, "ending": "finished"})
    hold((played.json or {}).get("vote", 0) == 0, "the answer of a play tells his vote")
    status = app.mila.ask("PUT", f"/api/toy/facts/{fact}/vote", {"vote": 1, "person": theo}).status
    hold(status == 403, f"a vote in his name is answered with {status}")
    wave = b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 16_000, 2, 16) + b"data" + struct.pack("<I", 800) + bytes(800)
    sent = app.tess.ask("POST", f"/api/toy/messages?person={theo}", wave, {"Content-Type": "application/octet-stream"})
    hold(sent.status == 201, f"a message is answered with {sent.status}")
    status = app.mila.ask("POST", f"/api/toy/messages/{sent.json['id']}/heard").status
    hold(status == 403, f"his message, made heard by her, is answered with {status}")
    waiting = app.theo.ask("GET", f"/api/toy/people/{theo}/next").json.get("message")
    hold(waiting and waiting["id"] == sent.json["id"], "his message does not wait any more")
    plant = app.tess.ask("POST", "/api/plants", {"name": "Fern"}).json["id"]
    for path, body in (("care", {"what": "note", "note": "x", "person": theo}), ("waterings", {"person": theo})):
        status = app.mila.ask("POST", f"/api/plants/{plant}/{path}", body).status
        hold(status == 403, f"an entry of {path} in his name is answered with {status}")
        body["person"] = mila
        status = app.mila.ask("POST", f"/api/plants/{plant}/{path}", body).status
        hold(status == 201, f"an entry of {path} in her own is answered with {status}")
    return "7 ways, each refused or told nothing; what is one's own works"


@probe("somebody else’s answer by their idempotency key", "An answer that is kept is given to who was given it.")
def receipts(ground):
    app = ground.home
    key = {"Idempotency-Key": "11111111-2222-4333-8444-555555555555"}
    plant = app.tess.ask("POST", "/api/plants", {"name": "Fern"}).json["id"]
    path, body = f"/api/plants/{plant}/waterings", {"at": int(time.time() * 1000) - 60_000}
    first = app.tess.ask("POST", path, body, key)
    assert first.status == 201, first.text
    again = app.mila.ask("POST", path, body, key)
    hold(
        "tess" not in again.text.lower() and first.json["id"] not in again.text,
        f"{again.status}, {again.text[:120]}",
    )
    return f"answered with {again.status} and nothing of hers"
