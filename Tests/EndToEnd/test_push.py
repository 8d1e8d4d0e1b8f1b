"""Messages to phones, read by an independent library, from the executable as it is: a machine is built around it on
which the push service's name leads to one that is played here. No flag of the hub knows of it."""

import pytest

import machine
from hub import Problem, eventually
from machine import HubOnMachine, Machine
from push_service import ADDRESS, HOST, Phone, PushService

pytestmark = pytest.mark.skipif(
    not machine.can_be_made(), reason="this user may not make network namespaces; root may, in most places"
)


@pytest.fixture
def oak():
    oak = Machine("oak")
    yield oak
    oak.close()


@pytest.fixture
def service(oak, tmp_path):
    service = PushService(oak, tmp_path)
    yield service
    service.close()


@pytest.fixture
def hub(oak, service, data):
    hub = HubOnMachine(oak, data)
    hub.start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def mila(hub):
    return hub.post("/api/people", {"name": "Mila", "face": "fox"})["id"]


@pytest.fixture
def phone(hub, mila):
    phone = Phone()
    phone.id = hub.post("/api/push/subscriptions", phone.offer([mila]))["id"]
    return phone


def try_out(hub, phone):
    hub.request("POST", f"/api/push/subscriptions/{phone.id}/try", {})


def subscription(hub):
    return hub.get("/api/push").get("subscription")


def test_a_phone_reads_its_message_and_nobody_in_between_does(hub, service, phone):
    service.answer(201)
    try_out(hub, phone)
    request = service.next()

    assert request.path == "/fcm/send/phone"
    assert request.headers["content-encoding"] == "aes128gcm"
    assert 0 < int(request.headers["ttl"]) <= 3600
    assert request.headers["urgency"] == "high"
    claims, key = request.claims()
    assert key == hub.get("/api/push")["key"]
    assert claims["aud"] == f"https://{HOST}"
    assert claims["sub"].startswith(("mailto:", "https://"))
    now = int(hub.machine.run("date", "+%s"))
    assert now < claims["exp"] <= now + 86_400

    message = phone.open(request.body)
    assert message["title"] == "Notifications arrive"
    assert "Mila" in message["body"]
    for word in ("Mila", "Tess", "tess@", "Notifications", "arrive", "hub", "linden"):
        assert word.encode() not in request.all
    # A second one is as long, and has nothing else in common with it.
    service.answer(201)
    try_out(hub, phone)
    other = service.next()
    assert len(other.body) == len(request.body) == 2151
    assert other.body[:16] != request.body[:16]


def test_the_owner_sees_that_the_hub_called_and_whom(hub, service, phone):
    loaded = hub.get("/api/outbound")
    assert loaded["calls"] == [] and [use["purpose"] for use in loaded["uses"]] == ["push", "trivia", "phyphox"]
    service.answer(201, 403)
    for _ in range(2):
        try_out(hub, phone)
        service.next()
    call = eventually(lambda: next((c for c in hub.get("/api/outbound")["calls"] if c["calls"] == 2), None))
    assert (call["host"], call["purpose"], call["bytes"], call["lastStatus"]) == (HOST, "push", 2 * 2151, 403)
    assert "403" in eventually(lambda: subscription(hub).get("lastError"))


def test_a_subscription_that_is_over_ends(hub, service, phone):
    service.answer(410)
    try_out(hub, phone)
    service.next()
    eventually(lambda: subscription(hub) is None, what="the end of the subscription")
    with pytest.raises(Problem) as refused:
        try_out(hub, phone)
    assert refused.value.status == 404


@pytest.mark.by_the_clock
def test_a_message_outlives_a_kill_and_arrives_once(hub, service, phone):
    service.answer(503)
    try_out(hub, phone)
    first = service.next()
    eventually(lambda: "503" in (subscription(hub).get("lastError") or ""), what="the word of the trouble")
    hub.kill()
    hub.start()
    service.answer(201)
    second = service.next()
    assert phone.open(second.body) == phone.open(first.body)
    assert second.body != first.body
    eventually(lambda: "lastError" not in subscription(hub), what="the end of the trouble")
    # Whatever else was in the queue would have come before this one.
    service.answer(201)
    try_out(hub, phone)
    assert phone.open(service.next().body)["at"] > phone.open(second.body)["at"]
    assert len(service.requests) == 3


@pytest.mark.by_the_clock
def test_a_stop_with_a_call_in_the_air_takes_it_back(hub, service, phone):
    # The push service does not answer.
    try_out(hub, phone)
    first = service.next()
    assert hub.terminate(within=5) == 0
    service.answer(201, 201)
    hub.start()
    assert phone.open(service.next().body) == phone.open(first.body)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "192.168.1.1", "fd00::1", "::ffff:127.0.0.1"])
def test_a_name_that_leads_into_the_house_is_refused_when_subscribing(hub, service, mila, address):
    service.names({HOST: address})
    with pytest.raises(Problem) as refused:
        hub.post("/api/push/subscriptions", Phone().offer([mila]))
    assert refused.value.status == 422
    assert refused.value.body["field"] == "endpoint"
    assert "not on the internet" in refused.value.body["detail"]
    assert service.requests == []


def test_a_name_that_leads_into_the_house_later_is_not_called(hub, service, phone):
    service.names({HOST: "127.0.0.1"})
    try_out(hub, phone)
    assert "127.0.0.1" in eventually(lambda: subscription(hub).get("lastError"))
    assert service.requests == []
    service.names({HOST: ADDRESS})
    service.answer(201)
    try_out(hub, phone)
    phone.open(service.next().body)


def test_a_push_service_with_another_certificate_is_told_nothing(hub, service, mila):
    # Known to the policy, and led to the same machine, whose certificate is not for it.
    service.names({"updates.push.services.mozilla.com": ADDRESS})
    phone = Phone()
    phone.endpoint = "https://updates.push.services.mozilla.com/wpush/v2/x"
    phone.id = hub.post("/api/push/subscriptions", phone.offer([mila]))["id"]
    try_out(hub, phone)
    assert "certificate" in eventually(lambda: subscription(hub).get("lastError"))
    assert service.requests == []


@pytest.mark.by_the_clock
def test_a_hub_without_a_network_keeps_the_message_for_later(hub, service, phone):
    service.names({})
    try_out(hub, phone)
    assert "was not found" in eventually(lambda: subscription(hub).get("lastError"))
    service.names({HOST: ADDRESS})
    service.answer(201)
    assert phone.open(service.next().body)["title"] == "Notifications arrive"
