"""Reminders by e-mail: the hub at a real mail server (aiosmtpd), with STARTTLS and with TLS from the start."""

import email
import email.policy
import re

import pytest

from hub import Problem, eventually, free_port
from mail_server import PASSWORD, SENDER, USER, MailServer, RudeServer
from shared_hub import child, shared_hub

hub = shared_hub()
ADDRESS = "mila@linden.example"


@pytest.fixture
def mila(hub):
    return child(hub, "Mila", "fox")["id"]


@pytest.fixture(params=["starttls", "tls"])
def server(request, tmp_path):
    server = MailServer(tmp_path / "mail", free_port(), implicit=request.param == "tls")
    yield server
    server.close()


def account(server, **more):
    return {
        "host": "localhost", "port": server.port, "isStarttls": not server.implicit, "user": USER, "password": PASSWORD,
        "fingerprint": server.fingerprint, **more,
    }  # fmt: skip


def put(hub, server, **more):
    return hub.request("PUT", "/api/mail-account", account(server, **more))[1]["account"]


def refusal(hub, server, **more):
    with pytest.raises(Problem) as refused:
        put(hub, server, **more)
    assert refused.value.status == 422
    return refused.value.body["field"], refused.value.body["detail"]


def read(envelope):
    return email.message_from_bytes(envelope.content, policy=email.policy.default)


def confirmed(hub, server, person):
    made = hub.post("/api/channels", {"kind": "email", "person": person, "address": ADDRESS})
    code = re.match(r"(\d{8}) ", read(server.next())["Subject"]).group(1)
    hub.request("POST", f"/api/channels/{made['id']}/confirm", {"code": code})
    return made["id"]


def channel(hub, name):
    return next(one for one in hub.get("/api/channels")["channels"] if one["id"] == name)


def test_a_reminder_comes_by_email_to_an_address_that_was_confirmed(hub, server, mila):
    assert put(hub, server)["sender"] == SENDER
    name = confirmed(hub, server, mila)
    hub.request("POST", f"/api/reminders/brushing/morning/{mila}/try", {})
    envelope = server.next()
    assert (envelope.mail_from, envelope.rcpt_tos) == (SENDER, [ADDRESS])
    mail = read(envelope)
    assert mail["From"].addresses[0].addr_spec == SENDER and mail["To"].addresses[0].addr_spec == ADDRESS
    assert "Mila" in mail["Subject"] and mail["Auto-Submitted"] == "auto-generated"
    assert mail["Date"].datetime and re.fullmatch(r"<[a-z0-9]+@linden\.example>", mail["Message-ID"])
    assert mail.get_content_charset() == "utf-8" and "Settings, Reminders" in mail.get_content()
    # Whoever it is, is said within TLS alone.
    assert server.sign_ins and all(isSecret for _, isSecret in server.sign_ins)
    eventually(lambda: channel(hub, name).get("lastAt"), what="the note of it")
    use = next(one for one in hub.get("/api/outbound")["chosen"] if one["purpose"] == "mail")
    assert [(one["name"], one["port"]) for one in use["hosts"]] == [("localhost", server.port)]
    assert PASSWORD not in hub.log and ADDRESS not in hub.log


def test_an_address_that_nobody_confirmed_gets_nothing_but_its_code(hub, server, mila):
    put(hub, server)
    made = hub.post("/api/channels", {"kind": "email", "person": mila, "address": ADDRESS})
    server.next()
    hub.request("POST", f"/api/reminders/brushing/morning/{mila}/try", {})
    with pytest.raises(Problem) as refused:
        hub.request("POST", f"/api/channels/{made['id']}/confirm", {"code": "00000000x"})
    assert refused.value.status == 422
    hub.request("POST", f"/api/channels/{made['id']}/code", {})
    assert re.match(r"\d{8} ", read(server.next())["Subject"])
    assert server.mails.empty()


def test_a_wrong_password_and_a_certificate_that_nobody_knows_are_said_before_anything_is_stored(hub, server):
    hub.request("DELETE", "/api/mail-account")
    field, detail = refusal(hub, server, password="another")
    assert field == "password" and "535" in detail
    assert server.sign_ins == [("PLAIN", True)]
    field, detail = refusal(hub, server, fingerprint="")
    assert field == "authority" and "certificate" in detail
    field, _ = refusal(hub, server, fingerprint="00" * 32)
    assert field == "authority"
    assert len(server.sign_ins) == 1
    assert "account" not in hub.get("/api/mail-account")
    # By its authority, which is itself.
    assert put(hub, server, fingerprint="", authority=open(server.certificate).read())["hasOwnTrust"]


def test_tls_where_none_is_and_none_where_tls_is_are_said_in_words(hub, server):
    field, detail = refusal(hub, server, isStarttls=server.implicit)
    assert field == "host" and "STARTTLS on port 587" in detail
    field, detail = refusal(hub, server, port=free_port())
    assert field == "host" and "Nothing answers" in detail


@pytest.mark.own_hub
@pytest.mark.by_the_clock
def test_what_the_server_does_not_take_now_comes_later_and_is_the_same_message(hub, server, mila):
    put(hub, server)
    name = confirmed(hub, server, mila)
    server.say("451 4.7.1 Greylisted, try again later")
    hub.request("POST", f"/api/channels/{name}/try", {})
    first = read(server.next())
    assert "451" in eventually(lambda: channel(hub, name).get("lastError"), what="the word of it")
    second = read(server.next(within=20))
    assert first["Message-ID"] == second["Message-ID"] and first["Date"] == second["Date"]
    eventually(lambda: "lastError" not in channel(hub, name), what="the end of the trouble")


@pytest.mark.own_hub
def test_what_the_server_refuses_is_told_in_its_words_and_not_tried_again(hub, server, mila):
    put(hub, server)
    name = confirmed(hub, server, mila)
    server.say("550 5.1.1 Nobody of that name here")
    hub.request("POST", f"/api/channels/{name}/try", {})
    server.next()
    assert "550 5.1.1 Nobody of that name here" in eventually(lambda: channel(hub, name).get("lastError"))
    hub.request("POST", f"/api/channels/{name}/try", {})
    server.next()
    assert server.mails.empty()


def test_a_server_that_knows_login_alone_is_signed_in_at(hub, tmp_path):
    server = MailServer(tmp_path / "mail", free_port(), mechanisms=("LOGIN",))
    try:
        put(hub, server)
        assert server.sign_ins == [("LOGIN", True)]
    finally:
        server.close()


@pytest.mark.parametrize("says", [
    # Bytes in clear behind the answer to STARTTLS (RFC 3207, 6).
    (b"220 x\r\n", b"250-x\r\n250 STARTTLS\r\n", b"220 go\r\n250-x\r\n250 AUTH PLAIN\r\n"),
    # No TLS, and a sign-in without.
    (b"220 x\r\n", b"250-x\r\n250 AUTH PLAIN LOGIN\r\n"),
    (b"220 " + b"x" * 600 + b"\r\n",), (b"HTTP/1.1 400 Bad Request\r\n",), (b"220-" + b"x\r\n220-" * 3000,),
    (b"554 5.7.1 Not you\r\n",), (b"\x16\x03\x01\x00\x00\r\n",),
])  # fmt: skip
def test_a_rude_server_hears_no_password(hub, says):
    rude = RudeServer(*says)
    try:
        with pytest.raises(Problem) as refused:
            hub.request("PUT", "/api/mail-account", {
                "host": "127.0.0.1", "port": rude.port, "isStarttls": True, "user": USER, "password": PASSWORD,
            })  # fmt: skip
        assert refused.value.status == 422 and refused.value.body["field"] == "host", refused.value.body
        assert not any(b"AUTH" in line for line in rude.lines)
    finally:
        rude.close()


@pytest.mark.parametrize("host", ["169.254.169.254", "0.0.0.0", "2130706433", "mail server", ""])
def test_a_host_that_nobody_may_choose_is_refused_in_words(hub, host):
    with pytest.raises(Problem) as refused:
        hub.request("PUT", "/api/mail-account", {"host": host, "isStarttls": False, "user": USER, "password": PASSWORD})
    assert (refused.value.status, refused.value.body["field"]) == (422, "host")
