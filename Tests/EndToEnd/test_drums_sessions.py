"""Drum sessions: delivered, recorded while they are played, and gone on with elsewhere, through kill -9."""

import json
import secrets
import sqlite3
import struct
import time

import pytest

import drums_blobs
from drums_blobs import LOST, OPENED, RESUME, STOP, beat, blob, finish, session, start
from drums_page import me
from hub import EMAIL, Hub, Problem, eventually, tandem
from live import Live

YESTERDAY = int(time.time() * 1000) - 86_400_000
BYTES = {"Content-Type": "application/octet-stream"}


def deliver(hub, data):
    status, body, _ = hub.request("POST", "/api/drums/sessions", data, BYTES)
    return status, body


def append(hub, data, identifier):
    """All that was recorded, from its beginning: the hub takes what it does not have."""
    return hub.request("PATCH", f"/api/drums/active/{identifier.hex()}", data, BYTES | {"Upload-Offset": "0"})[1]


def part(person, at, answered, identifier, **more):
    """The recording of a song that goes on."""
    return session(person, at, answered, isFinished=False, identifier=identifier, **more)


def refused(call):
    with pytest.raises(Problem) as caught:
        call()
    assert caught.value.body["detail"], "no words"
    return caught.value


def exported(hub, person=EMAIL):
    text = tandem("export", "drums", "--person", person, "--format", "json", "--data", hub.data).stdout
    return json.loads(text)["sessions"]


class Elsewhere:
    """The same account on another device."""

    def __init__(self, hub):
        self.port, self.url = hub.port, hub.url
        self.hub = hub
        self.mine = hub.token
        self.token = Hub.cookies[0]

    def request(self, *arguments):
        self.hub.token = self.token
        try:
            return self.hub.request(*arguments)
        finally:
            self.hub.token = self.mine


def test_a_session_is_stored_with_every_beat_and_shown_again(hub):
    status, loaded = deliver(hub, session(me(hub), YESTERDAY))
    assert status == 201 and loaded["answered"] == loaded["right"] == 8 and loaded["end"] == "finished"
    assert loaded["reaction"] == {"n": 8, "lower": 400, "median": 400, "upper": 400}
    assert loaded["force"]["n"] == 8 and loaded["force"]["median"] == 3.2
    whole = hub.get(f"/api/drums/sessions/{loaded['id']}")
    assert [one["verdict"] for one in whole["beatList"]] == ["right"] * 8
    assert whole["chart"] == {"stepsPerBeat": 1, "tempo": [{"step": 0, "beatsPerMinute": 120}], "steps": "1" * 8}
    assert whole["happened"][-1]["what"] == "stored"
    assert hub.get(f"/api/drums/sessions?person={me(hub)}")["sessions"] == [loaded]


def test_kill_9_in_the_middle_of_a_song_keeps_all_that_was_acknowledged_and_another_device_goes_on(data):
    hub = Hub(data).start().signed_in()
    person, identifier = me(hub), secrets.token_bytes(16)
    for answered in range(1, 7):
        recorded = part(person, YESTERDAY, answered, identifier)
        loaded = append(hub, recorded, identifier)
        assert loaded["offset"] == len(recorded) and loaded["isNew"] == (answered == 1)
        if answered % 2 == 0:
            hub.kill()
            hub = Hub(data).start().signed_in()
            [active] = hub.get("/api/drums")["active"]
            assert active["id"] == identifier.hex() and active["beats"] == 8
            assert active["beat"] >= answered
    other = Elsewhere(hub)
    status, stored, _ = other.request("GET", f"/api/drums/active/{identifier.hex()}")
    taken = [start(YESTERDAY), *(event for step in range(6) for event in beat(step))]
    assert stored == blob(person, taken, identifier=identifier)
    last = taken[-1][1]
    taken += [(OPENED, last, struct.pack("<q", YESTERDAY + 60_000)), (RESUME, last + 1_000_000, b"")]
    with Live(hub) as live:
        append(other, blob(person, taken, identifier=identifier), identifier)
        frame = live.until(lambda one: one["type"] == "changed")
        assert (frame["companion"], frame["what"], frame["item"]) == ("drums", "active", identifier.hex())
    # The first device hears that, and stops.
    problem = refused(lambda: append(hub, part(person, YESTERDAY, 7, identifier), identifier))
    assert problem.status == 409 and problem.body["title"] == "Played elsewhere"
    taken += [(STOP, last + 2_000_000, b""), finish(last + 2_000_000, 6, 6)]
    status, loaded, _ = other.request("POST", "/api/drums/sessions", blob(person, taken, identifier=identifier), BYTES)
    assert status == 201 and loaded["answered"] == 6 and loaded["end"] == "stopped"
    assert hub.get("/api/drums")["active"] == []
    happened = hub.get(f"/api/drums/sessions/{loaded['id']}")["happened"]
    assert [one["what"] for one in happened] == ["takenUp", "stored"]
    hub.close()


def test_a_song_that_nobody_came_back_to_is_closed_with_its_reason_also_after_a_restart(data):
    hub = Hub(data).start().signed_in()
    person, left, lost = me(hub), secrets.token_bytes(16), secrets.token_bytes(16)
    append(hub, part(person, YESTERDAY, 5, left), left)
    gone = [(LOST, 5 * drums_blobs.BEAT, b"")]
    append(hub, part(person, YESTERDAY + 9, 4, lost, more=gone), lost)
    hub.terminate()
    with sqlite3.connect(hub.data / "tandem.sqlite") as database:
        database.execute("UPDATE active_session SET seen_at = seen_at - 1800000")
    hub = Hub(data).start().signed_in()
    eventually(lambda: not hub.get("/api/drums")["active"], what="the songs to be closed")
    ends = {one["id"]: (one["end"], one["isClosedByHub"], one["answered"]) for one in exported(hub)}
    assert ends == {left.hex(): ("left", True, 5), lost.hex(): ("linkLost", True, 4)}
    # The phone had gone on without the hub: what it brings is longer, and stands.
    status, loaded = deliver(hub, session(person, YESTERDAY, 8, identifier=left))
    assert status == 200 and loaded["answered"] == 8 and loaded["end"] == "finished" and not loaded["isClosedByHub"]
    assert len(exported(hub)) == 2
    hub.close()
