"""Reminders by ntfy, events for webhooks, and programs that read, from the executable as it is."""

import hashlib
import hmac
import json
import time
import urllib.request

import pytest

import brushing_blobs
from hub import Problem, eventually
from http_receiver import Receiver
from shared_hub import child, shared_hub

hub = shared_hub()


@pytest.fixture
def mila(hub):
    return child(hub, "Mila", "fox")["id"]


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def topic(hub, receiver, person, **more):
    return hub.post("/api/channels", {"kind": "ntfy", "person": person, "address": f"{receiver.url}/our-topic", **more})


def channel(hub, made):
    return next((one for one in hub.get("/api/channels")["channels"] if one["id"] == made["id"]), None)


def test_a_reminder_goes_to_ntfy_and_the_owner_sees_that_it_did(hub, receiver, mila):
    made = topic(hub, receiver, mila, token="tk_of_ours")
    hub.request("POST", f"/api/reminders/brushing/morning/{mila}/try", {})
    request = receiver.next()
    assert (request.path, request.headers["Authorization"]) == ("/", "Bearer tk_of_ours")
    assert request.headers["Content-Type"] == "application/json"
    said = request.json
    assert said["topic"] == "our-topic" and "Mila" in said["title"] and said["message"]
    assert (said["priority"], said["tags"]) == (4, ["bell"])
    eventually(lambda: channel(hub, made).get("lastAt"), what="the note of it")
    use = next(one for one in hub.get("/api/outbound")["chosen"] if one["purpose"] == "ntfy")
    assert [(one["name"], one["houseAddress"]) for one in use["hosts"]] == [("127.0.0.1", "127.0.0.1")]
    assert use["hosts"][0]["lastAt"]
    hub.request("DELETE", f"/api/channels/{made['id']}")
    assert not [one for one in hub.get("/api/outbound")["chosen"] if one["purpose"] == "ntfy"]
    hub.request("POST", f"/api/reminders/brushing/morning/{mila}/try", {})
    assert receiver.requests.empty()


@pytest.mark.by_the_clock
def test_what_ntfy_does_not_take_now_outlives_a_kill(hub, receiver, mila):
    made = topic(hub, receiver, mila)
    receiver.say(503)
    hub.request("POST", f"/api/channels/{made['id']}/try", {})
    receiver.next()
    eventually(lambda: "503" in (channel(hub, made).get("lastError") or ""), what="the word of the trouble")
    hub.kill()
    hub.start()
    assert receiver.next().json["topic"] == "our-topic"
    eventually(lambda: "lastError" not in channel(hub, made), what="the end of the trouble")
    hub.request("DELETE", f"/api/channels/{made['id']}")


@pytest.mark.parametrize("address", [
    "http://ntfy.sh/topic", "http://169.254.169.254/topic", "http://0.0.0.0/topic", "https://user@ntfy.sh/topic",
    "http://2130706433/topic", "file:///etc/passwd",
])  # fmt: skip
def test_an_address_that_nobody_may_choose_is_refused_in_words(hub, mila, address):
    with pytest.raises(Problem) as refused:
        hub.post("/api/channels", {"kind": "ntfy", "person": mila, "address": address})
    assert (refused.value.status, refused.value.body["field"]) == (422, "address")
    assert refused.value.body["detail"]


def test_a_webhook_is_told_that_somebody_has_brushed(hub, receiver, mila):
    event = next(one for one in hub.get("/api/webhooks")["events"] if one["companion"] == "brushing")
    assert (event["event"], event["isOfPeople"]) == ("brushed", True)
    made = hub.post("/api/webhooks", {
        "name": "Node-RED", "address": f"{receiver.url}/hook?from=tandem",
        "events": [{"companion": "brushing", "event": "brushed"}], "people": [],
    })  # fmt: skip
    path, key = f"/api/webhooks/{made['webhook']['id']}", made["key"]
    hub.request("PUT", path, {"events": [{"companion": "brushing", "event": "brushed"}], "people": [mila]})
    receiver.say(500)
    brushing_blobs.deliver(hub, mila, int(time.time() * 1000) - 210_000)
    first, second = receiver.next(), receiver.next()
    assert first.path == "/hook?from=tandem"
    assert (first.body, first.headers["Idempotency-Key"]) == (second.body, second.headers["Idempotency-Key"])
    signature = "sha256=" + hmac.new(key.encode(), first.body, hashlib.sha256).hexdigest()
    assert first.headers["X-Hub-Signature"] == signature
    said = first.json
    assert (said["id"], said["event"], said["owner"]) == (first.headers["Idempotency-Key"], "brushed", mila)
    assert (said["data"]["seconds"], said["data"]["isLate"]) == (210, False)
    assert key not in json.dumps(hub.get("/api/webhooks"))
    hub.request("DELETE", path)
    brushing_blobs.deliver(hub, mila, int(time.time() * 1000) - 2 * 86_400_000)
    assert receiver.requests.empty()


def test_a_program_reads_what_was_chosen_and_nothing_else(hub, mila):
    made = hub.post("/api/programs", {"name": "Grafana", "companions": ["brushing"], "person": mila})

    def status(path, method="GET", token=made["token"]):
        request = urllib.request.Request(hub.url + path, method=method, headers={"Authorization": f"Bearer {token}"})
        try:
            return urllib.request.urlopen(request).status
        except urllib.error.HTTPError as error:
            return error.code

    assert status(f"/api/brushing/people/{mila}/history") == 200
    assert status("/api/brushing") == 200 and status("/api/brushing", "HEAD") == 200
    for path in ("/api/people", "/api/plants", "/api/drums", "/api/devices", "/api/programs", "/metrics?x"):
        # Figures are for whatever runs on the hub's own machine.
        assert status(path) == (200 if path.startswith("/metrics") else 403), path
    assert status("/api/brushing/sessions", "POST") == 403
    assert next(one for one in hub.get("/api/programs")["programs"])["usedAt"]
    hub.request("DELETE", f"/api/programs/{made['program']['id']}")
    assert status("/api/brushing") == 401


def test_the_hub_asks_a_forge_for_new_versions_only_where_an_adult_has_said_so(hub, receiver):
    """The path and the answer are Forgejo's, "repoGetLatestRelease"."""
    assert hub.get("/api/releases") == {"version": hub.get("/api/hub")["version"]}
    project = f"{receiver.url}/owner/tandem"
    with pytest.raises(Problem) as refused:
        hub.request("PUT", "/api/releases", {"address": project})
    assert (refused.value.status, refused.value.body["field"]) == (422, "address")
    assert "address" not in hub.get("/api/releases")
    receiver.next()
    receiver.content["/api/v1/repos/owner/tandem/releases/latest"] = {
        "tag_name": "v999.1.0", "html_url": f"{project}/releases/tag/v999.1.0",
    }  # fmt: skip
    _, said, _ = hub.request("PUT", "/api/releases", {"address": project})
    assert (said["latest"], said["update"], said["page"]) == ("999.1.0", "999.1.0", f"{project}/releases/tag/v999.1.0")
    assert receiver.next().headers["User-Agent"] == f"tandem/{said['version']}"
    use = next(one for one in hub.get("/api/outbound")["chosen"] if one["purpose"] == "releases")
    assert [one["name"] for one in use["hosts"]] == ["127.0.0.1"]
    assert hub.request("PUT", "/api/releases", {})[1] == {"version": said["version"]}
    assert not [one for one in hub.get("/api/outbound")["chosen"] if one["purpose"] == "releases"]
