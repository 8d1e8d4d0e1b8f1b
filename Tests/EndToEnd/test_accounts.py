"""Who may come in, over HTTP."""

import socket
import urllib.request

import pytest
import websocket

from hub import EMAIL, PASSWORD, Problem, code_of
from live import Closed, Live
from shared_hub import shared_hub

hub = shared_hub()

FIRST = {"household": "Our house", "name": "Tess", "email": EMAIL, "password": PASSWORD}


def test_the_first_account_needs_the_code_from_the_terminal(fresh):
    assert fresh.get("/api/setup")["needsFirstAccount"] is True
    with pytest.raises(Problem) as refused:
        fresh.post("/api/setup", {**FIRST, "code": "WRONG-CODE"})
    assert refused.value.status in (401, 403, 422)
    session = fresh.post("/api/setup", {**FIRST, "code": code_of(fresh)})["session"]
    assert session["person"]["name"] == "Tess" and session["household"]["name"] == "Our house"
    assert fresh.get("/api/setup")["needsFirstAccount"] is False
    with pytest.raises(Problem):
        fresh.post("/api/setup", {**FIRST, "email": "second@example.org", "code": code_of(fresh)})


def test_a_later_account_needs_an_invitation_which_works_once(hub):
    code = hub.post("/api/invitations")["code"]
    tom = {"code": code, "name": "Tom", "email": "tom@example.org", "password": "another long password"}
    assert hub.post("/api/accounts", tom)["session"]["person"]["name"] == "Tom"
    with pytest.raises(Problem):
        hub.post("/api/accounts", {**tom, "email": "third@example.org"})


ROUTES = ["/api/session", "/api/devices", "/api/hub", "/api/plants", "/api/people", "/api/sign-ins"]


@pytest.mark.parametrize("path", ROUTES)
def test_nobody_reads_without_signing_in(hub, path):
    hub.token = None
    with pytest.raises(Problem) as refused:
        hub.get(path)
    assert refused.value.status == 401


def test_a_token_in_a_url_opens_nothing(hub):
    token, hub.token = hub.token, None
    with pytest.raises(Problem) as refused:
        hub.get(f"/api/devices?token={token}&access_token={token}")
    assert refused.value.status == 401


@pytest.mark.own_hub
def test_signing_out_ends_the_token(hub):
    hub.request("DELETE", "/api/session")
    with pytest.raises(Problem) as refused:
        hub.get("/api/devices")
    assert refused.value.status == 401


@pytest.mark.own_hub
def test_a_page_whose_right_ended_is_put_out(hub):
    with Live(hub) as live:
        hub.request("DELETE", "/api/session")
        with pytest.raises(Closed) as closed:
            live.until(lambda _: False)
        assert closed.value.code == 4401


def test_the_live_connection_wants_a_sign_in_and_its_own_origin(hub):
    for options in ({"authorized": False}, {"origin": "http://evil.example"}):
        with pytest.raises(websocket.WebSocketBadStatusException) as refused:
            Live(hub, **options).__enter__()
        assert refused.value.status_code in (401, 403)


@pytest.mark.own_hub
def test_guessing_passwords_is_slowed_down(hub):
    statuses = []
    for number in range(30):
        with pytest.raises(Problem) as refused:
            hub.post("/api/session", {"email": EMAIL, "password": f"guess {number}"})
        statuses.append(refused.value.status)
        if refused.value.status == 429:
            assert int(refused.value.headers["Retry-After"]) > 0
            break
    assert statuses[0] == 401 and statuses[-1] == 429


def test_the_cookie_is_for_the_browser_alone(hub):
    _, _, headers = hub.request("POST", "/api/session", {"email": EMAIL, "password": PASSWORD})
    cookie = headers["Set-Cookie"]
    assert cookie.startswith("tandem_session=") and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    value = cookie.split(";")[0]
    hub.token = None
    assert hub.request("GET", "/api/session", headers={"Cookie": value})[0] == 200
    with pytest.raises(Problem) as refused:
        hub.request(
            "POST", "/api/people", {"name": "Mia"}, headers={"Cookie": value, "Origin": "http://evil.example"}
        )
    assert refused.value.status == 403
    status, person, _ = hub.request("POST", "/api/people", {"name": "Mia"}, headers={"Cookie": value, "Origin": hub.url})
    assert status == 201 and person["role"] == "child"


NAMES = [
    "Fern 🌿 of 👩‍👩‍👧", "<script>alert(1)</script>", "\"quoted\" & 'quoted'", "Robert'); DROP TABLE device;--", "ﬁ Å Ω 中文 עברית",
    "a" * 40,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_comes_back_as_it_was_given(hub, name):
    device = hub.add_device(name)
    assert device.show()["name"] == name
    child = hub.post("/api/people", {"name": name})
    assert name in [person["name"] for person in hub.get("/api/people")]
    assert child["name"] == name


@pytest.mark.parametrize("unseen", ["\x00", "\u202e", "\u2066"], ids=["NUL", "right to left", "isolate"])
def test_a_name_comes_back_without_what_nobody_sees(hub, unseen):
    assert hub.add_device(f"Fern{unseen}sensor").show()["name"] == "Fernsensor"


@pytest.mark.parametrize("name", ["", "   ", "x" * 5000, "two\nlines"])
def test_a_name_that_is_none_is_told_in_its_field(hub, name):
    with pytest.raises(Problem) as refused:
        hub.post("/api/devices", {"kind": "plant-sensor", "name": name})
    assert refused.value.status == 422 and refused.value.body["field"] == "name" and refused.value.body["detail"]


BODIES = {"nothing": b"", "no JSON": b"banana", "half of it": b'{"kind": "plant', "a list": b"[1,2]", "invalid UTF-8": b'"\xff"',
          "deep": b"[" * 100_000, "wrong types": b'{"kind": 4, "name": []}'}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_that_is_not_what_was_asked_for_is_told(hub, body):
    with pytest.raises(Problem) as refused:
        hub.request("POST", "/api/devices", body)
    assert refused.value.status in (400, 422)
    assert refused.value.body["detail"]


def test_a_body_of_ten_megabytes_is_refused_before_it_has_come(hub):
    with socket.create_connection(("127.0.0.1", hub.port), timeout=10) as link:
        link.sendall(
            b"POST /api/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n"
            + f"Authorization: Bearer {hub.token}\r\n\r\n".encode() + b'{"name": "' + b"x" * 2_500_000
        )  # fmt: skip
        answer = link.recv(65536)
    assert answer.split()[1] in (b"400", b"413", b"422"), answer
    assert hub.get("/healthz")["status"] == "ok"


def test_the_openapi_document_names_every_route(hub):
    document = hub.get("/openapi.json")
    assert document["openapi"].startswith("3.1")
    for path in ROUTES + ["/api/plants/{id}", "/api/plants/{id}/chart", "/healthz"]:
        assert path in document["paths"] or path.replace("{id}", "{plant}") in document["paths"], path


def test_the_page_comes_with_a_strict_policy(hub, web):
    with urllib.request.urlopen(hub.url + "/plants") as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self' 'wasm-unsafe-eval'" in policy and "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/app/../../etc/passwd", "/app/%2e%2e/%2e%2e/manifest.json", "/app//etc/passwd", "/app/x/nothing.js"])
def test_the_web_folder_gives_nothing_else(hub, path):
    with pytest.raises(Problem) as refused:
        hub.get(path)
    assert refused.value.status in (400, 404)
