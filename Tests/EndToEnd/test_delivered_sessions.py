"""Sessions that are delivered: through kill -9, exported, and lived by a simulated family. That one is stored once however often
it comes, and that an id with other content is refused, `SessionStoreTests` and the companions' `DeliveryTests` have."""

import base64
import json
import os
import subprocess
import time

import brushing_blobs
from hub import EMAIL, PASSWORD, TANDEM, Hub, tandem

YESTERDAY = int(time.time() * 1000) - 86_400_000
BYTES = {"Content-Type": "application/octet-stream"}


def post(hub, blob, key=None):
    headers = BYTES | ({"Idempotency-Key": key} if key else {})
    return hub.request("POST", "/api/brushing/sessions", blob, headers)


def exported(hub, person):
    text = tandem("export", "sessions", "--person", person, "--format", "json", "--data", hub.data).stdout
    return json.loads(text)["sessions"]


def simulate(hub, *arguments, password=PASSWORD, check=True):
    result = subprocess.run(
        [TANDEM, "simulate", "brushing", "--url", hub.url, "--email", EMAIL, *arguments],
        env=os.environ | {"TANDEM_PASSWORD": password}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert not check or result.returncode == 0, result.stderr
    return result


def test_a_session_that_was_answered_outlives_kill_9_and_what_was_not_comes_again(data):
    hub = Hub(data).start().signed_in()
    person = hub.get("/api/session")["person"]["id"]
    blobs = [brushing_blobs.session(person, YESTERDAY - number * 43_200_000) for number in range(40)]
    answered = []
    for number, blob in enumerate(blobs):
        assert post(hub, blob, key=f"k{number}")[0] == 201
        answered.append(blob)
        if number % 8 == 7:
            hub.kill()
            hub = Hub(data).start().signed_in()
            # The phone did not hear the answer, and sends all of them again, with their keys and without.
            assert all(post(hub, one)[0] == 200 for one in answered)
            assert post(hub, blob, key=f"k{number}")[2]["Idempotent-Replayed"] == "true"
    assert sorted(base64.b64decode(one["content"]) for one in exported(hub, EMAIL)) == sorted(blobs)
    hub.close()


def test_an_export_of_nobody_says_who_there_is(hub):
    hub.post("/api/people", {"name": "Mila"})
    result = tandem("export", "sessions", "--person", "Mia", "--data", hub.data, check=False)
    assert result.returncode == 1
    assert result.stdout == ""
    assert "Nobody here is called “Mia”" in result.stderr and f"Tess ({EMAIL})" in result.stderr and "Mila" in result.stderr
    result = tandem("export", "sessions", "--person", "Mila", "--format", "xml", "--data", hub.data, check=False)
    assert result.returncode == 64 and "json" in result.stderr


def test_a_simulated_family_lives_through_the_public_api_and_twice_is_once(hub):
    mila = hub.post("/api/people", {"name": "Mila", "birthYear": 2018})
    # What is still to come today would be brushed by the second time.
    life = ["--months", "2", "--seed", "5", "--until", time.strftime("%Y-%m-%d", time.gmtime(YESTERDAY / 1000))]
    signed_in = len(hub.get("/api/sign-ins"))
    first = simulate(hub, *life)
    assert "Tess: " in first.stdout and "Mila: " in first.stdout
    people = {one["name"]: one for one in hub.get("/api/brushing")["people"]}
    assert all(60 < people[name]["progress"]["sessions"] < 123 for name in ("Tess", "Mila"))
    assert all(any(award["name"] == "first" for award in one["awards"]) for one in people.values())
    sessions = exported(hub, "Mila")
    assert not any(one["claimDiffers"] for one in sessions)
    bars = hub.get(f"/api/brushing/people/{mila['id']}/statistics?by=year")["bars"]
    assert sum(bar["sessions"] for bar in bars) == people["Mila"]["progress"]["sessions"]
    again = simulate(hub, *life)
    assert all(" 0 sessions stored" in line for line in again.stdout.splitlines())
    assert exported(hub, "Mila") == sessions
    assert len(hub.get("/api/sign-ins")) == signed_in, "its sign-ins have ended"


def test_a_simulation_that_cannot_begin_says_why(hub):
    wrong = simulate(hub, password="not the password", check=False)
    assert wrong.returncode == 1 and "That password does not belong to this email" in wrong.stderr
    for day, words in (("2999-01-01", "lies ahead"), ("2016-05-01", "too long ago"), ("2026-02-30", "is a day such as")):
        refused = simulate(hub, "--until", day, check=False)
        assert refused.returncode == 64 and words in refused.stderr
    port = hub.port
    hub.terminate()
    gone = simulate(hub, check=False)
    assert gone.returncode == 1 and f"Nothing answers at http://127.0.0.1:{port}" in gone.stderr
