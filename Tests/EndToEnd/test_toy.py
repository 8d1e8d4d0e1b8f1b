"""The trivia toy: its firmware against a real hub, set up over its serial line, thrown, voting, and away for a while."""

import re

import pytest

from hub import Device, eventually, tandem
from toy import Toy


def plays(hub, person):
    return hub.get(f"/api/toy/people/{person}/history")["plays"]


def plain(text):
    """Without the signs that a speech module has others for."""
    return re.sub("[^A-Za-z0-9]", "", text)


@pytest.fixture
def person(hub):
    return next(one["id"] for one in hub.get("/api/people")["people"] if one["role"] == "adult")


def test_set_up_at_its_serial_line_it_joins_pairs_and_speaks(hub, person, tmp_path):
    code = hub.post("/api/toy/pairing", {"name": "Owl"})["code"]
    password = tmp_path / "password"
    password.write_text("sesame open\n")
    with Toy(tmp_path, "--console") as toy:
        line = toy.process.stdout.readline().strip()
        wrong = tmp_path / "wrong"
        wrong.write_text("sesame")
        arguments = ["provision", "--port", line, "--ssid", "House", "--hub", hub.url, "--code"]
        refused = tandem(*arguments, "nonsense", "--password-file", password, check=False)
        assert refused.returncode == 69 and "This code does not hold" in refused.stderr
        answer = tandem(*arguments, code, "--password-file", password)
        toy.is_online()
        device = hub.get("/api/toy/toys")["toys"][0]
        assert device["name"] == "Owl" and device["id"] in answer.stdout
        # A second toy cannot come in by the same code.
        assert tandem(*arguments, code, "--password-file", password, check=False).returncode == 69
        hub.put(f"/api/toy/toys/{device['id']}", {"person": person})
        eventually(lambda: (hub.get("/api/toy/toys")["toys"][0]["stored"] or 0) > 0, 60, "having facts")
        words = toy.tells()
        eventually(lambda: plays(hub, person), 20, "the play")
        assert [plain(one["fact"]["text"]) for one in plays(hub, person)] == [plain(words)]
        speech = hub.get(f"/api/toy/toys/{device['id']}/speech")["speech"]
        assert speech["words"] == words and (speech["hasSound"] or "espeak-ng" in speech["missing"])


def test_away_from_the_hub_it_speaks_and_votes_and_reports_each_once(hub, person, tmp_path):
    answer = hub.post("/api/devices", {"kind": "toy", "name": "Owl"})
    device = Device(answer["id"], answer["token"], hub)
    hub.put(f"/api/toy/toys/{device.id}", {"person": person})
    with Toy.of(device, tmp_path) as toy:
        toy.is_online()
        eventually(lambda: (hub.get("/api/toy/toys")["toys"][0]["stored"] or 0) > 2, 60, "having facts")
        first = toy.tells()
        eventually(lambda: len(plays(hub, person)) == 1, 20, "the play")
        toy.happens("offline")
        toy.is_online(False)
        second = toy.tells()
        toy.happens("good")
        eventually(lambda: list(tmp_path.glob(".local/state/tandem/toy-*.flash")), 10, "the memory's file")
        toy.happens("online")
        toy.is_online()
        eventually(lambda: len(plays(hub, person)) == 2, 30, "the second play")
        eventually(lambda: plays(hub, person)[0]["fact"]["vote"] == 1, 30, "the vote")
        assert [plain(one["fact"]["text"]) for one in plays(hub, person)] == [plain(second), plain(first)]
    # Another day: it remembers what it has told and reported.
    with Toy.of(device, tmp_path) as toy:
        toy.is_online()
        third = toy.tells("shake")
        eventually(lambda: len(plays(hub, person)) == 3, 30, "the third play")
        assert len({first, second, third}) == 3
        assert "twin" not in hub.get("/api/toy/toys")["toys"][0]


def test_what_is_typed_wrong_is_said_before_anything_happens(tmp_path):
    for arguments, words in [
        (["--ssid", "House"], "Either --port or --legacy-socket"),
        (["--port", "/dev/null", "--ssid", "x" * 33, "--hub", "http://a", "--code", "b"], "1 to 32 bytes"),
        (["--port", "/dev/null", "--ssid", "House"], "--hub and --code"),
        (["--legacy-socket", "--ssid", "House"], "--listen"),
        (["--legacy-socket", "--listen", "127.0.0.1:1", "--user", "7", "--ssid", "a:b"], "colon"),
    ]:  # fmt: skip
        refused = tandem("provision", *arguments, check=False)
        assert refused.returncode == 64 and words in refused.stderr, refused.stderr
    refused = tandem("provision", "--port", "/dev/null", "--ssid", "House", "--hub", "http://127.0.0.1:1", "--code", "a", check=False)
    assert refused.returncode == 66 and "is no serial line" in refused.stderr
