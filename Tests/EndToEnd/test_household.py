"""A household of its own: the first run, who is there, and what is delivered more than once. What a key may be, and what comes with
it when it comes again, `IdempotencyTests` have."""

import http.client
import json
import os
import random
import socket
import ssl
import threading
import time
import uuid

import pytest
import websocket

from hub import EMAIL, PASSWORD, Hub, Problem, code_of
from live import Closed, Live

ROUNDS = int(os.environ.get("TANDEM_DELIVERY_ROUNDS", "10"))
DAY = 86_400_000
FIRST = {"household": "Our house", "name": "Tess", "email": EMAIL, "password": PASSWORD}


def now():
    return int(time.time() * 1000)


@pytest.fixture
def plant(hub):
    return hub.post("/api/plants", {"name": "Fern"})["id"]


def deliver(hub, plant, key, body):
    """As the outbox does it: (status, answer, whether it was answered before)."""
    status, answer, headers = hub.request("POST", f"/api/plants/{plant}/waterings", body, {"Idempotency-Key": key})
    return status, answer, headers.get("Idempotent-Replayed") == "true"


def waterings(hub, plant):
    return hub.get(f"/api/plants/{plant}/waterings")


# The first run.


def test_the_first_run_survives_a_wrong_code_and_a_restart_and_goes_on_where_it_was(fresh):
    with pytest.raises(Problem) as refused:
        fresh.post("/api/setup", {**FIRST, "code": "0000-000"})
    assert refused.value.status == 422 and refused.value.body["field"] == "code"
    assert fresh.get("/api/setup")["needsFirstAccount"] is True
    fresh.terminate()
    fresh.start()
    session = fresh.post("/api/setup", {**FIRST, "code": code_of(fresh)})["session"]
    assert session["household"]["setupStep"] == "children"
    fresh.sign_in()
    mila = fresh.post("/api/people", {"name": "Mila", "birthYear": 2017, "face": "fox"})
    fresh.request("PUT", "/api/household/setup-step", {"step": "companions"})
    fresh.kill()
    fresh.start()
    session = fresh.get("/api/session")
    assert session["household"]["setupStep"] == "companions"
    assert [person["id"] for person in session["people"]][1:] == [mila["id"]]
    fresh.request("PUT", "/api/household/companions", {"slugs": ["plants"]})
    fresh.request("PUT", "/api/household/setup-step", {"step": "device"})
    _, session, _ = fresh.request("PUT", "/api/household/setup-step", {"step": "done"})
    assert session["household"].get("setupStep") is None
    fresh.terminate()
    fresh.start()
    assert fresh.get("/api/session")["household"].get("setupStep") is None


# Who is there.


def test_a_sign_in_ended_at_one_tap_puts_its_open_page_out(hub):
    tablet = Hub(hub.data)
    tablet.port = hub.port
    tablet.sign_in()
    listed = hub.get("/api/sign-ins")
    assert [entry["current"] for entry in listed].count(True) == 1
    assert not any(entry["isShared"] for entry in listed)
    tablet.request("PUT", "/api/session/shared", {"isShared": True})
    listed = hub.get("/api/sign-ins")
    shared = [entry for entry in listed if entry["isShared"]]
    assert len(shared) == 1 and not shared[0]["current"]
    with Live(tablet) as live, Live(hub) as stays:
        hub.request("DELETE", f"/api/sign-ins/{shared[0]['id']}")
        with pytest.raises(Closed) as closed:
            live.until(lambda _: False)
        assert closed.value.code == 4401
        device = hub.add_device("Told to those who stay")
        hub.request("PATCH", f"/api/devices/{device.id}", {"name": "Another name"})
        stays.until(lambda frame: frame["type"] == "device" and frame["device"] == device.id)
    with pytest.raises(Problem) as refused:
        tablet.get("/api/session")
    assert refused.value.status == 401


def test_a_child_on_the_family_device_changes_nothing_of_the_household(hub):
    mila = hub.post("/api/people", {"name": "Mila", "face": "fox"})
    tess = hub.get("/api/session")["person"]
    hub.request("PUT", "/api/session/shared", {"isShared": True})
    hub.request("PUT", "/api/session/profile", {"personID": mila["id"]})
    for method, path, body in [
        ("PATCH", "/api/household", {"name": "Mila's house"}),
        ("PUT", "/api/household/companions", {"slugs": ["plants"]}),
        ("PUT", "/api/household/setup-step", {"step": "children"}),
        ("PATCH", f"/api/people/{tess['id']}", {"name": "Nobody"}),
        ("PUT", "/api/session/shared", {"isShared": False}),
        ("GET", "/api/sign-ins", None),
        ("DELETE", "/api/session", None),
    ]:
        with pytest.raises(Problem) as refused:
            hub.request(method, path, body)
        assert refused.value.status == 403, path
    with pytest.raises(Problem):
        hub.request("PUT", "/api/session/profile", {"personID": tess["id"]})
    _, session, _ = hub.request("PUT", "/api/session/profile", {"personID": tess["id"], "password": PASSWORD})
    assert session["profile"]["name"] == "Tess" and session["signIn"]["isShared"] is True


class Secure:
    """A browser that trusts the hub's authority, at its one origin."""

    def __init__(self, hub):
        self.hub = hub
        self.context = ssl.create_default_context(cafile=hub.data / "authority/authority.pem")

    def socket(self):
        link = socket.create_connection(("127.0.0.1", self.hub.https_port), timeout=10)
        return self.context.wrap_socket(link, server_hostname=self.hub.name)

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.hub.name, self.hub.https_port)
        connection.sock = self.socket()
        connection.request(method, path, body and json.dumps(body), {"Origin": self.hub.origin, **headers})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null"), answer.headers

    def live(self, cookie, origin):
        return websocket.create_connection(
            f"wss://{self.hub.name}:{self.hub.https_port}/api/live", socket=self.socket(), origin=origin, cookie=cookie
        )


def test_over_https_the_cookie_is_the_hosts_own_and_a_planted_one_opens_nothing(data):
    hub = Hub(data, lan="linden").start().signed_in()
    try:
        browser = Secure(hub)
        status, _, headers = browser.request("POST", "/api/session", {"email": EMAIL, "password": PASSWORD})
        cookie, *attributes = headers["Set-Cookie"].split("; ")
        assert status == 200 and cookie.startswith("__Host-tandem_session=")
        assert {"Path=/", "HttpOnly", "SameSite=Strict", "Secure"} <= set(attributes)
        status, session, _ = browser.request("GET", "/api/session", Cookie=cookie)
        assert status == 200 and session["hub"]["isSecure"] is True and session["hub"]["origin"] == hub.origin
        planted = cookie.removeprefix("__Host-")
        assert browser.request("GET", "/api/session", Cookie=planted)[0] == 401
        assert browser.request("GET", "/api/session", Cookie=f"tandem_session=nobody; {cookie}")[0] == 200
        _, invitation, _ = browser.request("POST", "/api/invitations", {}, Cookie=cookie)
        assert invitation["link"] == f"{hub.origin}/join#{invitation['code']}"
        live = browser.live(f"tandem_session=nobody; {cookie}", hub.origin)
        assert json.loads(live.recv())["type"] == "hello"
        live.close()
        for others in ((planted, hub.origin), (cookie, hub.url)):
            with pytest.raises(websocket.WebSocketBadStatusException) as refused:
                browser.live(*others)
            assert refused.value.status_code in (401, 403)
        _, _, headers = browser.request("DELETE", "/api/session", Cookie=cookie)
        assert headers["Set-Cookie"].startswith("__Host-tandem_session=; ") and "Max-Age=0" in headers["Set-Cookie"]
    finally:
        hub.close()


# What is delivered more than once.


def test_a_watering_delivered_five_times_is_stored_once(hub, plant):
    key, body = str(uuid.uuid4()), {"at": now() - 3 * 3_600_000}
    answers = [deliver(hub, plant, key, body) for _ in range(3)]
    hub.terminate()
    hub.start()
    answers += [deliver(hub, plant, key, body) for _ in range(2)]
    assert [replayed for _, _, replayed in answers] == [False, True, True, True, True]
    assert {status for status, _, _ in answers} == {201}
    assert all(answer == answers[0][1] for _, answer, _ in answers)
    assert [watering["at"] for watering in waterings(hub, plant)] == [body["at"]]


def test_a_watering_delivered_days_later_lands_at_its_time_and_is_hers_who_did_it(hub, plant):
    mila = hub.post("/api/people", {"name": "Mila"})
    at = now() - 5 * DAY
    _, answer, _ = deliver(hub, plant, str(uuid.uuid4()), {"at": at, "person": mila["id"]})
    assert answer["at"] == at and answer["person"] == "Mila"
    later = now() - 4 * DAY
    hub.request("DELETE", f"/api/people/{mila['id']}")
    _, answer, _ = deliver(hub, plant, str(uuid.uuid4()), {"at": later, "person": mila["id"]})
    assert answer["at"] == later and answer.get("person") is None
    assert [watering["at"] for watering in waterings(hub, plant)] == [later, at]


@pytest.mark.timeout(300)
def test_kill_9_between_deliveries_loses_nothing_and_doubles_nothing(hub, plant):
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    # A quarter of an hour apart, so that no two are taken for one.
    outbox = [(str(uuid.uuid4()), now() - 20 * DAY + index * 900_000) for index in range(40 * ROUNDS)]
    left, delivered, wrong = list(outbox), {}, []
    for _ in range(ROUNDS):
        # What was delivered comes again now and then: the phone died before it heard the answer.
        batch = chance.sample(sorted(delivered), min(5, len(delivered))) + [key for key, _ in left]
        times, stop_after = dict(outbox), chance.randrange(1, 60)
        enough = threading.Event()

        def run():
            for number, key in enumerate(batch):
                if number == stop_after:
                    enough.set()
                try:
                    _, answer, replayed = deliver(hub, plant, key, {"at": times[key]})
                except (OSError, http.client.HTTPException, Problem):
                    break
                if key in delivered and not replayed or delivered.setdefault(key, answer) != answer:
                    wrong.append((key, answer))
            enough.set()

        thread = threading.Thread(target=run)
        thread.start()
        assert enough.wait(60)
        hub.kill()
        thread.join(60)
        left = [(key, at) for key, at in left if key not in delivered]
        hub.start()
    assert not wrong, "an answer that was given is given again"
    for key, at in left:
        deliver(hub, plant, key, {"at": at})
    stored = waterings(hub, plant)
    assert sorted(watering["at"] for watering in stored) == [at for _, at in outbox]
    assert {answer["id"] for answer in delivered.values()} <= {watering["id"] for watering in stored}
