"""Passkeys, made and used by python-fido2 as authenticator and browser, and each answer judged by its own verifier too."""

import http.client
import itertools
import json

import pytest
from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity, UserVerificationRequirement

import passkey
import tls
from hub import EMAIL, PASSWORD, Hub, Problem
from shared_hub import shared_hub

hub = shared_hub()
TOM = {"name": "Tom", "email": "tom@example.org", "password": "the password of Tom"}


class Door:
    """The hub as it is opened at a name, each time from another address of this machine, since tries are counted by them."""

    addresses = itertools.count(2)

    def __init__(self, hub, name="localhost", ca=None):
        """ca: the authority of the hub, which is then opened by HTTPS at its own name."""
        self.hub, self.ca = hub, ca
        self.origin = hub.origin if ca else f"http://{name}:{hub.port}"
        self.host = self.origin.split("//")[1]
        self.address = f"127.0.0.{next(self.addresses)}"

    def post(self, path, body=None, token=None):
        headers = {"Host": self.host, "Origin": self.origin, "Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=30, source_address=(self.address, 0))
        if self.ca:
            context = tls.context(self.ca, check_hostname=False)  # the name is in the request, which the hub checks
            connection = http.client.HTTPSConnection("127.0.0.1", self.hub.https_port, timeout=30, context=context)
        connection.request("POST", path, json.dumps(body or {}), headers)
        answer = connection.getresponse()
        said = json.loads(answer.read())
        connection.close()
        if answer.status >= 400:
            raise Problem(answer.status, said, answer.headers)
        return said

    def make(self, key=passkey.es256, password=PASSWORD, token=None, **how):
        made = passkey.Passkey(self.origin, key)
        options = self.post("/api/passkeys/challenge", {"password": password}, token or self.hub.token)
        made.stored = self.post(
            "/api/passkeys", {"name": "Key", "credential": made.made(options, **how)}, token or self.hub.token
        )
        return made

    def options(self):
        return self.post("/api/session/passkey/challenge")["options"]

    def come_in(self, answer):
        return self.post("/api/session/passkey", answer)["session"]["person"]


@pytest.fixture
def door(hub):
    yield Door(hub)
    for one in hub.get("/api/passkeys")["passkeys"]:
        hub.request("DELETE", f"/api/passkeys/{one['id']}")


def refused(door, made, agrees=True, **changed):
    """An answer that the hub refuses, and python-fido2's verifier as well unless it has no such check."""
    options = door.options()
    answer = made.used(options, **changed)
    with pytest.raises(Problem) as problem:
        door.come_in(answer)
    assert problem.value.status == 401, problem.value.body
    if agrees:
        with pytest.raises(ValueError):
            judged(made, options, answer)
    return problem.value.body


def judged(made, options, answer):
    """What python-fido2 says of an answer."""
    server = Fido2Server(PublicKeyCredentialRpEntity(id=made.relying_party, name="Tandem"), verify_origin=made.origin.__eq__)
    _, state = server.authenticate_begin(
        [made.credential], UserVerificationRequirement.REQUIRED, passkey.challenge_of(options)
    )
    return server.authenticate_complete(state, [made.credential], answer)


@pytest.mark.parametrize("key", [passkey.es256, passkey.eddsa, passkey.rs256], ids=lambda key: key.__name__)
@pytest.mark.parametrize("attestation", ["none", "packed"])
def test_a_passkey_of_each_kind_is_made_and_opens_its_account(door, key, attestation):
    made = door.make(key, attestation=attestation)
    assert made.stored["relyingParty"] == "localhost" and made.stored["isHere"]
    options = door.options()
    answer = made.used(options)
    judged(made, options, answer)
    assert door.come_in(answer)["email"] == EMAIL


def test_the_hub_asks_for_a_passkey_that_lists_itself_and_looks_who_it_is(door):
    door.make()
    options = door.post("/api/passkeys/challenge", {"password": PASSWORD}, door.hub.token)
    assert options["authenticatorSelection"] == {
        "residentKey": "required", "requireResidentKey": True, "userVerification": "required"
    }  # fmt: skip
    assert [one["alg"] for one in options["pubKeyCredParams"]] == [-7, -8, -257] and options["attestation"] == "none"
    assert len(passkey.challenge_of(options)) == 32 and len(options["excludeCredentials"]) == 1
    asked = door.options()
    assert asked["userVerification"] == "required" and "allowCredentials" not in asked


def test_a_passkey_of_another_origin_opens_nothing(door):
    assert refused(door, door.make(), origin="https://evil.example")["title"] == "Another address"


def test_a_passkey_of_another_port_of_this_machine_opens_nothing(door):
    refused(door, door.make(), origin=f"http://localhost:{door.hub.port + 1}")


def test_an_assertion_that_is_replayed_opens_nothing(door):
    made = door.make()
    answer = made.used(door.options())
    door.come_in(answer)
    with pytest.raises(Problem) as problem:
        door.come_in(answer)
    assert problem.value.status == 401 and problem.value.body["title"] == "Too late"


def test_a_counter_that_goes_back_is_refused_and_told(door):
    made = door.make()
    made.count = 5
    door.come_in(made.used(door.options()))
    made.count = 5
    # That the hub has to look at the counter is what python-fido2 leaves to it.
    assert refused(door, made, agrees=False)["title"] == "Perhaps a copy"
    assert [one["counterBackAt"] > 0 for one in door.hub.get("/api/passkeys")["passkeys"]] == [True]
    made.count = 6
    door.come_in(made.used(door.options()))


def test_a_passkey_of_another_name_opens_nothing(door):
    refused(door, door.make(), relying_party="evil.example")


def test_the_signature_of_another_key_opens_nothing(door):
    refused(door, door.make(), sign=passkey.es256()[1])


def test_a_device_that_did_not_look_who_it_is_opens_nothing(door):
    assert refused(door, door.make(), flags=passkey.FLAG.UP)["title"] == "Is it you?"


def test_a_device_that_nobody_touched_opens_nothing(door):
    refused(door, door.make(), flags=passkey.FLAG.UV)


def test_an_answer_to_the_making_of_one_opens_nothing(door):
    refused(door, door.make(), type="webauthn.create")


def test_a_passkey_of_another_person_opens_nothing(door):
    made = door.make()
    code = door.hub.post("/api/invitations")["code"]
    tom = door.post("/api/accounts", {"code": code, **TOM})["session"]["person"]
    try:
        refused(door, made, agrees=False, user=tom["id"].encode())
        assert door.come_in(made.used(door.options()))["email"] == EMAIL
    finally:
        door.hub.request("DELETE", f"/api/people/{tom['id']}")


def test_a_credential_is_not_stored_twice(door):
    made = door.make()
    options = door.post("/api/passkeys/challenge", {"password": PASSWORD}, door.hub.token)
    with pytest.raises(Problem) as problem:
        door.post("/api/passkeys", {"name": "Again", "credential": made.made(options)}, door.hub.token)
    assert problem.value.status == 409


def test_no_passkey_is_made_without_the_password(door):
    with pytest.raises(Problem) as problem:
        door.make(password="a wrong password")
    assert problem.value.status == 401 and problem.value.body["field"] == "password"


def test_a_page_of_another_site_can_ask_for_nothing(door):
    door.make()
    foreign = Door(door.hub)
    foreign.origin = "https://evil.example"
    with pytest.raises(Problem) as problem:
        foreign.post("/api/session/passkey/challenge")
    assert problem.value.status == 403


def test_over_https_a_passkey_belongs_to_the_hubs_own_name(data, tmp_path):
    hub = Hub(data, lan="linden").start().signed_in()
    try:
        door = Door(hub, ca=tls.authority(hub, tmp_path))
        made = door.make()
        assert made.stored["relyingParty"] == "linden.local" and made.origin == hub.origin
        assert door.come_in(made.used(door.options()))["email"] == EMAIL
        refused(door, made, origin=f"http://linden.local:{hub.port}")
        # By another of its names it is nobody's.
        assert "linden.local" in Door(hub).post("/api/session/passkey/challenge")["obstacle"]
    finally:
        hub.close()


def test_at_a_number_the_page_is_told_why_there_is_no_passkey(door):
    digits = Door(door.hub, "127.0.0.1")
    assert digits.post("/api/session/passkey/challenge") == {}
    door.make()
    assert "localhost" in digits.post("/api/session/passkey/challenge")["obstacle"]
    said = door.hub.get("/api/passkeys")["obstacle"]
    assert "by a number" in said and "--lan" in said
    with pytest.raises(Problem) as problem:
        digits.make()
    assert problem.value.status == 422 and "by a number" in problem.value.body["detail"]


def test_a_passkey_survives_a_restart_and_is_gone_when_removed(door):
    made = door.make()
    late = made.used(door.options())
    door.hub.terminate()
    door.hub.start()
    with pytest.raises(Problem):
        door.come_in(late)  # asked by the hub that is gone
    door.come_in(made.used(door.options()))
    door.hub.request("PATCH", f"/api/passkeys/{made.stored['id']}", {"name": "My phone"})
    assert [one["name"] for one in door.hub.get("/api/passkeys")["passkeys"]] == ["My phone"]
    other = door.make()
    door.hub.request("DELETE", f"/api/passkeys/{made.stored['id']}")
    with pytest.raises(Problem):
        door.come_in(made.used(door.options()))
    door.come_in(other.used(door.options()))
