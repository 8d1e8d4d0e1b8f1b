"""HTTPS and MQTT with TLS for the home, seen from outside: what openssl, Python and mosquitto say of it, and what the
hub says of a broken authority, a wrong clock, another's certificate, rubbish, and a thousand who never finish."""

import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import time

import pytest

import tls
from hub import Hub, copy_of, eventually, tandem
from shared import shared_hub

SEED = int(os.environ.get("TANDEM_SEED", "0")) or random.randrange(1, 1 << 32)
CROWD = 1000


# A hub with TLS, signed in on its plain port.
hub = shared_hub(lan="linden")


@pytest.fixture(scope="module")
def with_authority(prepared, tmp_path_factory):
    """The data folder of a hub that has an authority, to be copied."""
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("authority") / "data"), lan="linden").start()
    hub.terminate()
    return hub.data


@pytest.fixture
def stopped(with_authority, tmp_path):
    """A hub that has an authority and is not running."""
    return Hub(copy_of(with_authority, tmp_path / "data"), lan="linden")


def refuses(hub):
    """Starts a hub that will not; what it says."""
    hub.launch()
    assert hub.wait(30) == 1
    return hub.log


# Protocols, suites, names.


@pytest.mark.parametrize("port", ["https_port", "mqtts_port"])
@pytest.mark.parametrize(
    "version, is_spoken", [("-tls1", False), ("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)]
)
def test_tls_1_2_and_1_3_are_spoken_and_nothing_older(hub, ca, port, version, is_spoken):
    # The client itself would not offer the old ones at its own level of security.
    said = tls.s_client(
        hub, version, "-cipher", "ALL@SECLEVEL=0", "-CAfile", ca, port=getattr(hub, port),
        stdin=None if port == "https_port" else "not MQTT",
    )  # fmt: skip
    assert ("Verify return code: 0 (ok)" in said.stdout and "Cipher is (NONE)" not in said.stdout) == is_spoken
    assert ("alert protocol version" in said.stderr) == (not is_spoken), said.stderr


@pytest.mark.parametrize("port", ["https_port", "mqtts_port"])
def test_of_tls_1_2_only_suites_with_forward_secrecy_and_authenticated_encryption_are_spoken(hub, port):
    offered = tls.openssl("ciphers", "-s", "-tls1_2", "ALL:COMPLEMENTOFALL@SECLEVEL=0").stdout.strip().split(":")
    taken = set()
    for suite in offered:
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        client.maximum_version = ssl.TLSVersion.TLSv1_2
        client.set_ciphers(f"{suite}@SECLEVEL=0")
        try:
            with socket.create_connection(("127.0.0.1", getattr(hub, port)), timeout=10) as plain:
                with client.wrap_socket(plain) as secure:
                    taken.add(secure.cipher()[0])
        except (ssl.SSLError, ConnectionResetError):
            pass
    assert len(offered) > 50
    assert taken == tls.SUITES


@pytest.mark.parametrize("version, flag", [("2", "--http2"), ("1.1", "--http1.1")])
def test_a_client_gets_the_http_it_prefers(hub, ca, version, flag):
    answer = subprocess.run(
        [
            "curl", "-sS", flag, "--cacert", str(ca), "--resolve", f"{hub.name}:{hub.https_port}:127.0.0.1",
            "-o", os.devnull, "-w", "%{http_code} %{http_version}", f"{hub.origin}/healthz",
        ],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert answer.stdout == f"200 {version}", answer.stderr


def test_the_chain_verifies_with_what_tandem_authority_prints_and_with_nothing_else(hub, ca):
    good = tls.s_client(
        hub, "-CAfile", ca, "-verify_return_error", "-verify_hostname", hub.name, "-x509_strict", "-no-CApath"
    )
    assert "Verify return code: 0 (ok)" in good.stdout and "HTTP/1.1 200" in good.stdout, good.stderr
    for wrong in [("-CAfile", ca, "-verify_hostname", "other.local"), ("-no-CAfile", "-no-CApath")]:
        bad = tls.s_client(hub, "-verify_return_error", *wrong)
        assert "HTTP/1.1 200" not in bad.stdout and "verify error" in bad.stderr
    # Text after the certificate is no trouble to whoever reads the file, and the fingerprint is the certificate's.
    fingerprint = tls.openssl("x509", "-noout", "-fingerprint", "-sha256", "-in", ca).stdout.strip().split("=")[1]
    assert tandem("authority", "--fingerprint", "--data", hub.data).stdout.strip() == fingerprint
    assert hub.get("/api/welcome")["authority"]["fingerprint"] == fingerprint


def test_the_certificate_is_for_the_hubs_name_the_machines_names_and_its_addresses(hub):
    machine = socket.gethostname().split(".")[0].lower()
    pem = tls.leaf(hub)
    assert tls.names(pem) >= {"linden.local", f"{machine}.local", "linden", machine, "localhost", "127.0.0.1"}
    text = tls.openssl("x509", "-noout", "-text", stdin=pem).stdout
    assert "TLS Web Server Authentication" in text and "CA:FALSE" in text and "prime256v1" in text
    assert not tls.openssl("x509", "-noout", "-checkend", str(380 * 86_400), stdin=pem).returncode
    assert tls.openssl("x509", "-noout", "-checkend", str(398 * 86_400), stdin=pem, check=False).returncode


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_a_phone_that_comes_back_resumes_its_session(hub, ca, tmp_path, version):
    ticket = tmp_path / "ticket"
    first = tls.s_client(hub, version, "-CAfile", ca, "-sess_out", ticket)
    again = tls.s_client(hub, version, "-CAfile", ca, "-sess_in", ticket)
    assert "New, TLS" in first.stdout and "Reused, TLS" in again.stdout
    assert "HTTP/1.1 200" in again.stdout


# MQTT.


def mosquitto_pub(hub, device, ca, *flags, host="127.0.0.1"):
    return subprocess.run(
        [
            "mosquitto_pub", "-h", host, "-p", str(hub.mqtts_port), "--cafile", str(ca), "-u", device.id, "-P",
            device.token, "-q", "1", "-t", device.topic(), "-m", "41", *flags,
        ],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip


def test_a_sensor_that_trusts_the_authority_publishes_over_tls(hub, ca, tmp_path):
    device = hub.add_device()
    sent = mosquitto_pub(hub, device, ca)
    assert sent.returncode == 0, sent.stderr
    assert eventually(device.value, what="the reading") == 41
    stranger, _ = tls.own_certificate(tmp_path / "stranger", "linden.local")
    assert mosquitto_pub(hub, device, stranger).returncode != 0


def test_mqtt_without_tls_on_the_port_with_tls_is_closed(hub):
    with socket.create_connection(("127.0.0.1", hub.mqtts_port), timeout=10) as plain:
        plain.sendall(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04test")
        assert tls.rest(plain) == b""


# The files of the authority.


def test_the_keys_are_for_the_hub_alone(stopped):
    folder = stopped.data / "authority"
    modes = {file.name: file.stat().st_mode & 0o777 for file in [folder, *folder.iterdir()]}
    assert modes["authority"] == 0o700
    assert modes["authority.key"] == modes["leaf.key"] == 0o600


# Each way in which the folder can be wrong has its test in `TLSTests/AuthorityFolderTests`: here it is the hub that says it.


def test_an_authority_that_was_deleted_is_told_of_and_not_replaced(stopped):
    for name in ("authority.key", "authority.pem"):
        (stopped.data / "authority" / name).unlink()
    said = refuses(stopped)
    assert "is gone from" in said and "tandem authority --new" in said and "backup" in said
    assert not (stopped.data / "authority/authority.key").exists()
    assert tandem("authority", "--data", stopped.data, check=False).returncode == 1


def test_a_deleted_authority_is_replaced_on_request_and_the_hub_starts(stopped, tmp_path):
    before = tandem("authority", "--fingerprint", "--data", stopped.data).stdout
    shutil.rmtree(stopped.data / "authority")
    assert tandem("authority", "--new", "--data", stopped.data, check=False).returncode == 64
    tandem("authority", "--new", "--yes", "--data", stopped.data)
    assert tandem("authority", "--fingerprint", "--data", stopped.data).stdout != before
    stopped.start()
    try:
        assert b"200" in tls.page(stopped, tls.authority(stopped, tmp_path))
    finally:
        stopped.close()


def test_a_key_that_others_can_read_is_refused_with_the_way_out(stopped):
    key = stopped.data / "authority/authority.key"
    key.chmod(0o640)
    said = refuses(stopped)
    assert f"chmod 600 {key}" in said and "pose as this hub" in said
    key.chmod(0o600)
    stopped.start()
    stopped.close()


def test_a_damaged_authority_is_told_of_by_file(stopped):
    (stopped.data / "authority/authority.pem").write_text("rubbish")
    assert "authority.pem is damaged" in refuses(stopped)


def test_a_damaged_certificate_of_the_hub_is_simply_made_anew(stopped, tmp_path):
    (stopped.data / "authority/leaf.pem").write_text("rubbish")
    stopped.start()
    try:
        assert b"200" in tls.page(stopped, tls.authority(stopped, tmp_path))
    finally:
        stopped.close()


# The clock, the name, the address.


def clock_wrong_by(days):
    """A wrapper under which a program sees another clock, with Debian's faketime."""
    if not shutil.which("faketime"):
        pytest.skip("faketime is not installed")
    return ["faketime", "-f", f"{days:+}d"]


def stop(hub):
    """Ends a hub under faketime, which stays beside it and passes no signal on."""
    for child in pathlib.Path(f"/proc/{hub.process.pid}/task/{hub.process.pid}/children").read_text().split():
        os.kill(int(child), signal.SIGTERM)
    hub.wait()


@pytest.mark.parametrize("days", [-365, 365])
def test_a_clock_that_was_wrong_by_a_year_costs_one_certificate_and_no_trust(data, tmp_path, days):
    wrong = Hub(data, lan="linden")
    wrong.wrapper = clock_wrong_by(days)
    wrong.start()
    try:
        made = tls.leaf(wrong)
        ca = tls.authority(wrong, tmp_path)
    finally:
        stop(wrong)
    then = int(time.time()) + days * 86_400
    (tmp_path / "made.pem").write_text(made)
    assert tls.openssl("verify", "-attime", then, "-CAfile", ca, tmp_path / "made.pem").returncode == 0
    # As the phone sees it, whose clock is right.
    right = Hub(data, lan="linden").start()
    try:
        assert b"200" in tls.page(right, ca)
        assert tls.leaf(right) != made
        assert "A new certificate" in right.log
    finally:
        right.close()


def test_a_machine_that_is_renamed_keeps_the_hubs_address_and_answers_to_its_new_name(data, tmp_path):
    hub = Hub(data, lan="linden").start()
    hub.close()
    # Started as after the renaming, without --name.
    hub.flags = [flag for flag in hub.flags if flag not in ("--name", "linden")]
    hub.wrapper = ["unshare", "--uts", "sh", "-c", 'hostname Walnut.fritz.box && exec "$@"', "sh"]
    if subprocess.run([*hub.wrapper, "true"], capture_output=True).returncode:
        pytest.skip("this user cannot rename a machine")
    hub.start()
    try:
        assert {"linden.local", "walnut.local"} <= tls.names(tls.leaf(hub))
        assert hub.get("/api/welcome")["hubName"] == hub.name
        assert b"200" in tls.page(hub, tls.authority(hub, tmp_path))
    finally:
        hub.close()


@pytest.mark.alone
def test_a_new_address_is_in_the_certificate_without_a_restart_while_connections_stand(hub, ca):
    address = "10.99.7.1"
    if subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], capture_output=True).returncode:
        pytest.skip("this user cannot give a machine an address")
    try:
        with socket.create_connection(("127.0.0.1", hub.https_port)) as plain:
            with tls.context(ca).wrap_socket(plain, server_hostname=hub.name) as secure:
                assert address not in tls.names(tls.leaf(hub))

                def is_answered():
                    secure.sendall(f"GET /healthz HTTP/1.1\r\nHost: {hub.name}\r\n\r\n".encode())
                    answer = b""
                    while b"ok" not in answer:
                        part = secure.recv(65_536)
                        assert part, "the hub closed a connection that stands"
                        answer += part
                    return True

                assert is_answered()
                # The hub looks every minute, and says which names and addresses the new certificate has.
                # One that asked for nothing in that time would be ended for it.
                eventually(lambda: is_answered() and address in hub.log, 90, "a certificate with the new address")
                eventually(lambda: address in tls.names(tls.leaf(hub)), what="the certificate, once it was told of")
                assert is_answered()
        with socket.create_connection((address, hub.https_port)) as plain:
            with tls.context(ca).wrap_socket(plain, server_hostname=address) as secure:
                assert secure.version() == "TLSv1.3"
    finally:
        subprocess.run(["ip", "address", "del", f"{address}/32", "dev", "lo"], check=True)


# An own certificate.


def own(data, certificate, key, *flags):
    hub = Hub(data, *flags)
    hub.flags += [
        "--lan", "--https-port", str(hub.https_port), "--mqtts-port", str(hub.mqtts_port), "--certificate",
        str(certificate), "--key", str(key),
    ]  # fmt: skip
    hub.name = "tandem.example.org"
    return hub


def test_an_own_certificate_is_shown_and_makes_no_authority(data, tmp_path):
    certificate, key = tls.own_certificate(tmp_path / "own", "tandem.example.org")
    hub = own(data, certificate, key).start()
    try:
        assert tls.leaf(hub) == certificate.read_text()
        assert b"200" in tls.page(hub, certificate)
        welcome = hub.get("/api/welcome")
        assert welcome["origin"] == hub.origin and welcome.get("authority") is None
        assert not (data / "authority").exists()
    finally:
        hub.close()


def test_a_certificate_of_another_host_is_refused_with_the_names_it_has(data, tmp_path):
    certificate, key = tls.own_certificate(tmp_path / "own", "tandem.example.org", "*.garden.example")
    said = refuses(own(data, certificate, key, "--origin", "https://hub.example.org"))
    assert "is for tandem.example.org, *.garden.example, not for hub.example.org" in said and "--origin" in said


# What else comes to the port.


def test_plain_http_on_the_port_of_https_gets_a_page_that_says_so_and_no_redirect(hub):
    with socket.create_connection(("127.0.0.1", hub.https_port), timeout=10) as plain:
        plain.sendall(b"GET /plants HTTP/1.1\r\nHost: linden.local\r\nConnection: close\r\n\r\n")
        head, body = tls.rest(plain).split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 400") and b"location" not in head.lower()
    assert hub.origin.encode() in body and b"https" in body.lower()


def test_plain_http_that_comes_in_pieces_is_understood_too(hub, ca):
    with socket.create_connection(("127.0.0.1", hub.https_port), timeout=10) as plain:
        for piece in [b"G", b"E", b"T /authority.pem HT", b"TP/1.1\r\nHost: linden.local\r\nConnection: close\r\n\r\n"]:
            plain.sendall(piece)
            # Meanwhile the hub has read the piece.
            tls.page(hub, ca)
        answer = tls.rest(plain)
    assert answer.startswith(b"HTTP/1.1 200") and b"BEGIN CERTIFICATE" in answer


@pytest.mark.parametrize("rubbish", [b"\x16" + 40 * b"rubbish", b"rubbish", b"\x00", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_rubbish_is_closed_at_once_and_not_at_the_deadline(hub, rubbish):
    with socket.create_connection(("127.0.0.1", hub.https_port), timeout=5) as plain:
        plain.sendall(rubbish)
        assert len(tls.rest(plain)) <= 16


@pytest.mark.parametrize("port", ["https_port", "mqtts_port"])
def test_rubbish_on_the_port_is_closed_and_troubles_nobody(hub, ca, port):
    print(f"seed {SEED}")
    dice = random.Random(SEED)
    for count in range(300):
        start = dice.choice([b"", b"\x16", b"\x16\x03\x01", b"\x16\x03\x03\x00\x40\x01", b"\x80\x2e\x01", b"SSH-2.0-"])
        with socket.create_connection(("127.0.0.1", getattr(hub, port)), timeout=20) as plain:
            try:
                plain.sendall(start + dice.randbytes(dice.randrange(1, 600)))
                plain.shutdown(socket.SHUT_WR)
            except OSError:
                # Closed before everything was sent.
                continue
            # At most an alert (RFC 8446, 6) comes back.
            answer = tls.rest(plain)
            assert len(answer) <= 16 and (not answer or answer[0] == 0x15), (count, answer)
    assert b"200" in tls.page(hub, ca)
    assert "error" not in hub.log


def test_a_thousand_half_open_handshakes_keep_nobody_from_the_page(hub, ca):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * CROWD), hard), hard))
    crowd = []
    try:
        for count in range(CROWD):
            one = socket.create_connection(("127.0.0.1", hub.https_port), timeout=20)
            crowd.append(one)
            try:
                one.sendall([b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GE"][count % 3])
            except OSError:
                pass
            if count % 100 == 99:
                # From the same address as the crowd, the hardest case.
                assert b"HTTP/1.1 200" in tls.page(hub, ca, timeout=5)
        # Those that say nothing are sent away, all of them.
        end = time.monotonic() + 20
        for one in crowd:
            one.settimeout(max(end - time.monotonic(), 0.1))
            assert tls.rest(one) == b""
    finally:
        for one in crowd:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert b"HTTP/1.1 200" in tls.page(hub, ca, timeout=5)


def test_a_thousand_half_open_handshakes_keep_no_sensor_from_its_reading(hub, ca):
    device = hub.add_device()
    crowd = [socket.create_connection(("127.0.0.1", hub.mqtts_port), timeout=20) for _ in range(CROWD)]
    try:
        sent = mosquitto_pub(hub, device, ca)
        assert sent.returncode == 0, sent.stderr
        assert eventually(device.value, what="the reading") == 41
    finally:
        for one in crowd:
            one.close()
