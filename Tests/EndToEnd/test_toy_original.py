"""What the original toy and its app sent, sent again: word for word, by curl, against `--legacy toy`."""

import json
import subprocess

import pytest

from hub import Hub, copy_of

APP = ["-H", "Content-Type: application/json"]


@pytest.fixture(scope="module")
def hub(prepared, tmp_path_factory):
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("original") / "data"), "--legacy", "toy").start().signed_in()
    yield hub
    hub.close()


def curl(hub, method, path, body=None):
    """The status, and the bytes that came."""
    data = [*APP, "--data-binary", json.dumps(body)] if body is not None else []
    answer = subprocess.run(
        ["curl", "-sS", "-X", method, *data, "-w", "\n%{http_code}", hub.url + path], capture_output=True, timeout=30, check=True
    )  # fmt: skip
    text, _, status = answer.stdout.decode().rpartition("\n")
    return int(status), text


@pytest.fixture(scope="module")
def user(hub):
    """Ada's number. Nobody signs up before an adult has opened it."""
    ada = {"username": "Ada", "email": "ada@example.org", "password": "correct horse"}
    status, words = curl(hub, "POST", "/User/Register", ada)
    assert status == 403 and "adult" in json.loads(words)["message"]
    assert hub.post("/api/toy/registration-window")["openUntil"]
    status, answer = curl(hub, "POST", "/User/Register", ada)
    assert status == 200, answer
    return json.loads(answer)["id"]


def test_who_signs_up_gets_a_number_that_nobody_guesses(hub, user):
    assert 0 < user < 2**31
    signed_in = curl(hub, "POST", "/User/Login", {"email": "ada@example.org", "password": "correct horse"})
    assert signed_in[0] == 200 and json.loads(signed_in[1])["id"] == user
    status, words = curl(hub, "POST", "/User/Login", {"email": "ada@example.org", "password": "wrong horse"})
    assert status == 401 and json.loads(words)["message"] == "The email address or the password is wrong."


def test_the_toy_fetches_plays_and_reports_and_the_app_shows_it(hub, user):
    # The toy speaks what stands between the first two quotes of the whole answer.
    fetched = []
    for _ in range(3):
        status, text = curl(hub, "GET", f"/Trivia/{user}")
        assert status == 200
        fetched.append(text.split('"')[1])
    assert len(set(fetched)) == 3
    status, answer = curl(hub, "GET", f"/User/History/{user}/2")
    assert status == 200
    assert [one["trivia"]["text"] for one in json.loads(answer)["triviaHistory"]] == fetched[:2]
    status, answer = curl(hub, "GET", f"/User/History/{user}")
    history = json.loads(answer)["triviaHistory"]
    assert status == 200 and {one["trivia"]["text"] for one in history} == set(fetched[:2])


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_a_vote_by_either_verb_is_counted_once(hub, user, method):
    curl(hub, "GET", f"/Trivia/{user}")
    curl(hub, "GET", f"/User/History/{user}/1")
    fact = json.loads(curl(hub, "GET", f"/User/History/{user}")[1])["triviaHistory"][0]["trivia"]["id"]
    vote = {"userVote": 1, "userId": user, "triviaId": fact}
    for _ in range(2):
        status, answer = curl(hub, method, f"/Trivia/Vote/{fact}", vote)
        assert status == 200 and isinstance(json.loads(answer), dict)
    assert hub.get(f"/api/toy/facts/{fact}")["upvotes"] == 1
    status, words = curl(hub, method, f"/Trivia/Vote/{fact}", vote | {"userVote": 7})
    assert status == 400 and json.loads(words)["message"]
    assert hub.get(f"/api/toy/facts/{fact}")["upvotes"] == 1


def test_once_linked_a_person_has_the_history_of_their_toy(hub, user):
    me = next(one for one in hub.get("/api/people") if one["role"] == "adult")["id"]
    hub.put(f"/api/toy/original-users/{user}", {"person": me})
    text = curl(hub, "GET", f"/Trivia/{user}")[1].split('"')[1]
    # Those that it fetched before are reported first, in their order.
    for _ in range(6):
        curl(hub, "GET", f"/User/History/{user}/1")
        plays = hub.get(f"/api/toy/people/{me}/history")["plays"]
        if plays and plays[0]["fact"]["text"] == text:
            break
    assert plays[0]["fact"]["text"] == text


def test_numbers_that_are_nobodys_are_soon_not_looked_up_any_more(hub, user):
    answers = [curl(hub, "GET", f"/User/History/{number}")[0] for number in range(1, 15)]
    assert answers[0] == 404 and answers[-1] == 429
    assert "linked" not in hub.log
