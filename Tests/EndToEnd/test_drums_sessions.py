"""Drum sessions: delivered once, recorded while they are played, through kill -9 and bad input."""

import concurrent.futures
import json
import secrets
import sqlite3
import struct
import time

import pytest

import drums_blobs
from drums_blobs import (
    BACK, LOST, OPENED, PAUSE, RESUME, STOP, beat, blob, finish, message, recording, session, start,
)  # fmt: skip
from drums_page import me
from hub import EMAIL, Hub, Problem, eventually, tandem
from live import Live

YESTERDAY = int(time.time() * 1000) - 86_400_000
BYTES = {"Content-Type": "application/octet-stream"}


def deliver(hub, data, key=None):
    status, body, _ = hub.request("POST", "/api/drums/sessions", data, BYTES | ({"Idempotency-Key": key} if key else {}))
    return status, body


def append(hub, data, identifier):
    """All that was recorded, from its beginning: the hub takes what it does not have."""
    return hub.request("PATCH", f"/api/drums/active/{identifier.hex()}", data, BYTES | {"Upload-Offset": "0"})[1]


def part(person, at, answered, identifier, **more):
    """The recording of a song that goes on."""
    return session(person, at, answered, isFinished=False, identifier=identifier, form=recording, **more)


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


def test_five_deliveries_at_once_are_one_session(hub):
    data = session(me(hub), YESTERDAY)
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda _: deliver(hub, data), range(5)))
    assert sorted(status for status, _ in answers) == [200, 200, 200, 200, 201]
    assert len(exported(hub)) == 1


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
    assert stored == recording(person, taken, identifier=identifier)
    last = taken[-1][1]
    taken += [(OPENED, last, struct.pack("<q", YESTERDAY + 60_000)), (RESUME, last + 1_000_000, b"")]
    with Live(hub) as live:
        append(other, recording(person, taken, identifier=identifier), identifier)
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


def test_a_song_is_ended_from_another_device(hub):
    identifier = secrets.token_bytes(16)
    append(hub, part(me(hub), YESTERDAY, 3, identifier), identifier)
    _, loaded, _ = Elsewhere(hub).request("DELETE", f"/api/drums/active/{identifier.hex()}")
    assert loaded["end"] == "left" and loaded["isClosedByHub"] and loaded["answered"] == 3
    # Nobody who played it has ended it: its own device may go on with it.
    assert append(hub, part(me(hub), YESTERDAY, 4, identifier), identifier)["isNew"]
    assert hub.get("/api/drums")["active"][0]["beat"] >= 4


def test_what_was_answered_outlives_kill_9(data):
    hub = Hub(data).start().signed_in()
    blobs = [session(me(hub), YESTERDAY - 3_600_000 * number) for number in range(16)]
    for number, one in enumerate(blobs):
        assert deliver(hub, one, key=f"k{number}")[0] == 201
        if number % 8 == 7:
            hub.kill()
            hub = Hub(data).start().signed_in()
            assert all(deliver(hub, again)[0] == 200 for again in blobs[: number + 1])
    assert len(exported(hub)) == 16
    hub.close()


def kept(hub, more, *, answered=1, beats=8):
    """What the hub makes of a session with something odd in it, which is stored in any case."""
    last = (answered + 1) * drums_blobs.BEAT
    events = [start(YESTERDAY), *(event for step in range(answered) for event in beat(step)), *more(last)]
    events.append(finish(events[-1][1] + 200_000, 0, 0))
    status, loaded = deliver(hub, blob(me(hub), events, beats=beats))
    assert status == 201
    return hub.get(f"/api/drums/sessions/{loaded['id']}")


def test_hostile_notifications_are_counted_and_the_session_is_kept(hub):
    noise = [b"\xff" * 20, b"\0" * 20, b"9 9 9 9 9 9 9", b"0 99999999999 1.00", b"-1 -1 -1", b"", b"0 400", b"\xf0\x9f\x98\x80"]

    def more(last):
        for number, data in enumerate(noise):
            yield message(data, last + number * 1_000)
            yield message("END", last + number * 1_000 + 500)

    loaded = kept(hub, more)
    assert loaded["answered"] == 1 and loaded["stray"] >= len(noise) - 2
    # Its claim was another, and is shown beside the hub's result.
    assert loaded["claim"] == {"right": 0, "answered": 0, "median": 400}


def test_a_drum_that_answers_for_another_one_is_no_answer(hub):
    loaded = kept(hub, lambda last: beat(1, "2 400 -1.00"))
    assert loaded["answered"] == 1 and loaded["stray"] == 1
    assert loaded["beatList"][1]["verdict"] == "unanswered"


def test_an_answer_that_comes_twice_counts_once(hub):
    loaded = kept(hub, lambda last: [message("0 400 3.20", last - 60_000), message("END", last - 50_000), *beat(1)], answered=1)
    assert loaded["answered"] == 2 and loaded["stray"] == 1


def test_a_reaction_faster_than_a_person_is_answered_and_left_out_of_the_figures(hub):
    loaded = kept(hub, lambda last: beat(1, "0 12 3.20"))
    assert loaded["answered"] == 2 and loaded["implausible"] == 1 and loaded["reaction"]["n"] == 1
    assert loaded["beatList"][1]["verdict"] == "right" and not loaded["beatList"][1]["isPlausible"]


def test_a_link_that_is_lost_and_found_is_told_with_its_time(hub):
    def more(last):
        yield (LOST, last + 10_000, b"")
        yield (BACK, last + 14_010_000, struct.pack("<BH", drums_blobs.BLUETOOTH, 0))
        yield (PAUSE, last + 15_000_000, b"")
        yield (RESUME, last + 17_000_000, b"")

    loaded = kept(hub, more)
    assert [(one["what"], one.get("milliseconds")) for one in loaded["happened"]] == [
        ("linkLost", 14_000), ("paused", 2_000), ("stored", None)]  # fmt: skip
    assert loaded["lostMilliseconds"] == 14_000


def test_bytes_that_are_no_session_are_refused_in_words_and_nothing_is_stored(hub):
    good = session(me(hub), YESTERDAY)
    damaged = bytearray(good)
    damaged[-20] ^= 255
    cases = [
        (b"", 422, "no drum session"), (b"{}", 422, "no drum session"), (good[:-9], 422, "ends in the middle"),
        (good + b"\0", 422, "behind the end"), (bytes(damaged), 422, "damaged"),
        (session("nobody", YESTERDAY), 422, "not in this household"),
        (session(me(hub), YESTERDAY, identifier=bytes(16)), 422, "no id"),
        (session(me(hub), YESTERDAY + 200_000_000), 422, "in the future"), (session(me(hub), 0), 422, "before 2016"),
        (blob(me(hub), [start(YESTERDAY)], drums=0), 422, "No drum is active"),
        (blob(me(hub), []), 422, "no beginning"), (blob(me(hub), [(99, 0, b"")]), 422, "does not know"),
        (b"TDR\x01" + secrets.token_bytes(400_000), 413, "more than"),
    ]  # fmt: skip
    for data, status, words in cases:
        problem = refused(lambda data=data: deliver(hub, data))
        assert problem.status == status, problem.body
        assert words in problem.body["detail"], problem.body
    assert exported(hub) == []


def test_an_id_with_other_content_is_refused_and_the_first_stays(hub):
    identifier = secrets.token_bytes(16)
    deliver(hub, session(me(hub), YESTERDAY, identifier=identifier))
    problem = refused(lambda: deliver(hub, session(me(hub), YESTERDAY + 1, identifier=identifier)))
    assert problem.status == 409 and "id of its own" in problem.body["detail"]
    assert [one["startedAt"] for one in exported(hub)] == [YESTERDAY]
