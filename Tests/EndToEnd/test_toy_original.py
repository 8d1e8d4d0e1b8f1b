"""What the original toy and its app sent, sent again: word for word, by curl, against `--legacy toy`."""

import json
import os
import socket
import subprocess

import pytest

from hub import TANDEM, Hub, copy_of, eventually, free_port, tandem

# The iOS app's; the Android app's is the same without the charset.
APP = ["-H", "Content-Type: application/json; charset=utf-8"]
ANDROID = ["-H", "Content-Type: application/json"]
SERVER = "triviotoy.azurewebsites.net"


@pytest.fixture(scope="module")
def hub(prepared, tmp_path_factory):
    port = free_port()
    hub = Hub(
        copy_of(prepared, tmp_path_factory.mktemp("original") / "data"), "--legacy", "toy",
        "--legacy-host", "127.0.0.2", "--legacy-port", str(free_port()), "--legacy-http-port", str(port),
    )  # fmt: skip
    hub.originals = ("127.0.0.2", port)
    hub.start().signed_in()
    yield hub
    hub.close()


def curl(hub, method, path, body=None, app=APP):
    """The status, and the bytes that came."""
    data = [*app, "--data-binary", json.dumps(body)] if body is not None else []
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
    # The toy keeps it in 16 bits, with a sign.
    assert 0 < user < 2**15
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
    # The toy's report has no body in its answer.
    assert curl(hub, "GET", f"/User/History/{user}/2") == (200, "")
    status, answer = curl(hub, "GET", f"/User/History/{user}")
    history = json.loads(answer)["triviaHistory"]
    assert status == 200 and {one["trivia"]["text"] for one in history} == set(fetched[:2])
    # What the Android app reads of each, and shows nothing without.
    for one in history:
        assert one["userVote"] == 0 and {"id", "text", "upvotes", "downvotes"} <= one["trivia"].keys()


def asked(address, request):
    """All bytes of an answer, as a toy reads them from its line."""
    with socket.create_connection(address, timeout=10) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(4096), b""))


# A toy asks by plain HTTP for a host that it has built in; its firmware puts two spaces into the line.
@pytest.mark.parametrize("line", [b"GET  /Trivia/%d HTTP/1.1", b"GET /Trivia/%d  HTTP/1.1"])
def test_the_toys_own_bytes_are_answered_so_that_its_buffer_holds_them(hub, user, line):
    for _ in range(5):
        answer = asked(hub.originals, line % user + f"\r\nHost: {SERVER}\r\nConnection: close\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and len(answer) <= 1024
        assert answer.count(b'"') == 2 and answer.endswith(b'"') and len(answer.split(b'"')[1]) > 10


@pytest.mark.parametrize("host", [SERVER, SERVER.upper() + ":80", "127.0.0.2"])
@pytest.mark.parametrize("path", ["/", "/api/people", "/api/welcome", "/live", "/mqtt", "/healthz", "/Trivia/1/2"])
def test_at_the_originals_address_nothing_else_of_the_hub_is_answered(hub, host, path):
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    for more in ("", upgrade):
        head, _, body = asked(hub.originals, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 404 ") and json.loads(body)["message"]


def test_by_that_name_the_hubs_own_port_has_the_originals_routes_alone(hub, user):
    ours = ("127.0.0.1", hub.port)
    assert asked(ours, f"GET /Trivia/{user} HTTP/1.1\r\nHost: {SERVER}\r\nConnection: close\r\n\r\n".encode()).startswith(b"HTTP/1.1 200")
    refused = asked(ours, f"GET /api/people HTTP/1.1\r\nHost: {SERVER}\r\nConnection: close\r\n\r\n".encode())
    assert refused.startswith(b"HTTP/1.1 404") and b'"message":' in refused
    # Without the protocol switched on it is another's name, as it was.
    strange = asked(ours, b"GET /Trivia/1 HTTP/1.1\r\nHost: other.azurewebsites.net\r\nConnection: close\r\n\r\n")
    assert strange.startswith(b"HTTP/1.1 421")


def test_the_android_app_signs_up_with_two_names_and_reads_a_failure_from_an_empty_404(hub, user):
    ada = {"firstName": "Ada", "lastName": "Byron", "email": "byron@example.org", "password": "sesam"}
    hub.post("/api/toy/registration-window")
    status, answer = curl(hub, "POST", "/User/Register", ada, ANDROID)
    number = json.loads(answer)["id"]
    assert status == 200 and number != user
    login = {"email": "byron@example.org", "password": "sesam"}
    assert json.loads(curl(hub, "POST", "/User/Login", login, ANDROID)[1])["id"] == number
    assert curl(hub, "POST", "/User/Login", login | {"password": "other"}, ANDROID) == (404, "")
    assert curl(hub, "POST", "/User/Register", ada, ANDROID) == (404, ""), "signed up already"
    hub.request("DELETE", f"/api/toy/original-users/{number}")
    assert curl(hub, "POST", "/User/Login", login, ANDROID) == (404, "")


def test_the_ios_app_finds_the_hub_by_https_once_the_certificate_has_the_name(prepared, tmp_path):
    data = copy_of(prepared, tmp_path / "data")
    pem = tmp_path / "authority.pem"
    pem.write_text(tandem("authority", "--new", "--yes", "--legacy", "toy", "--data", data).stdout)
    hub = Hub(data, "--legacy", "toy", lan="linden").start()

    def get(path):
        there = f"{SERVER}:{hub.https_port}"
        said = subprocess.run(
            ["curl", "-sS", "--cacert", pem, "--resolve", f"{there}:127.0.0.1", "-w", " %{http_code}", f"https://{there}{path}"],
            capture_output=True, text=True, timeout=30, check=True,
        ).stdout  # fmt: skip
        answer, _, status = said.rpartition(" ")
        return status, json.loads(answer)["message"]

    try:
        assert get("/User/History/1") == ("404", "That number is not known here.")
        status, message = get("/api/welcome")
        assert status == "404" and message.startswith("Here are the routes")
    finally:
        hub.close()


HOUSE = r"""
set -euo pipefail
ip link set lo up
ip address add 192.168.7.20/24 dev lo
echo nameserver 127.0.0.1 >"$1/resolv.conf"
mount --bind "$1/resolv.conf" /etc/resolv.conf
# As in docs/site/toy.md.
dnsmasq --keep-in-foreground --user= --pid-file= --no-resolv --no-hosts --conf-file=/dev/null --listen-address=127.0.0.1 --bind-interfaces     --address=/triviotoy.azurewebsites.net/192.168.7.20 >"$1/dnsmasq.log" 2>&1 &
"$2" serve --data "$1/data" --legacy toy --legacy-host 192.168.7.20 --legacy-http-port 80 --port 8080 --mqtt-port 1893 >"$1/hub.log" 2>&1 &
curl -sS --retry 60 --retry-delay 1 --retry-all-errors -w ' %{http_code} %{remote_ip}' http://triviotoy.azurewebsites.net/User/History/1
kill -TERM %2
wait %2
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="ports 53 and 80 of a network of its own want root")
def test_a_house_whose_dns_says_where_leads_the_toy_to_the_hub(prepared, tmp_path):
    """dnsmasq, which routers and Pi-hole have inside, in a network of its own."""
    copy_of(prepared, tmp_path / "data")
    done = subprocess.run(
        ["unshare", "--net", "--mount", "bash", "-c", HOUSE, "house", tmp_path, TANDEM],
        capture_output=True, text=True, timeout=120)  # fmt: skip
    logs = [(tmp_path / name).read_text() for name in ("hub.log", "dnsmasq.log") if (tmp_path / name).exists()]
    assert done.returncode == 0, (done.stdout, done.stderr, logs)
    answer, status, address = done.stdout.rsplit(" ", 2)
    assert (status, address) == ("404", "192.168.7.20") and json.loads(answer)["message"] == "That number is not known here."


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
    for _ in range(40):
        curl(hub, "GET", f"/User/History/{user}/1")
        plays = hub.get(f"/api/toy/people/{me}/history")["plays"]
        if plays and plays[0]["fact"]["text"] == text:
            break
    assert plays[0]["fact"]["text"] == text


def test_numbers_that_are_nobodys_are_soon_not_looked_up_any_more(hub, user):
    answers = [curl(hub, "GET", f"/User/History/{number}")[0] for number in range(1, 15)]
    assert answers[0] == 404 and answers[-1] == 429
    assert "linked" not in hub.log


def dial(port, answer=b"ok"):
    """Dials as the toy's firmware does: waits two seconds for `ok` and nothing else, answers, and reads to the last byte."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as toy:
        toy.settimeout(2)
        heard = toy.recv(64)
        if not heard:
            raise ConnectionResetError
        assert heard == b"ok", "the phone speaks first"
        if answer is None:
            return None
        toy.sendall(answer)
        toy.settimeout(120)
        return toy.recv(256)


def test_a_toy_that_dials_as_the_firmware_does_is_set_up(tmp_path):
    # Not one that the system gives to clients: the command listens anew for each call.
    port = free_port()
    password = tmp_path / "password"
    password.write_text("open:sesame\n")
    command = subprocess.Popen(
        [TANDEM, "provision", "--legacy-socket", "--listen", f"127.0.0.1:{port}", "--ssid", "House", "--user", "18042",
         "--password-file", str(password)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip

    def dials(answer=b"ok"):
        try:
            return [dial(port, answer)]
        except (ConnectionRefusedError, ConnectionResetError):
            # Nobody listens yet, or the last call is being put away: the toy dials again.
            return None

    try:
        # The first time it hangs up, as one that heard nothing does.
        eventually(lambda: dials(None), 20, "the first call")
        assert eventually(lambda: dials(), 20, "the second call") == [b"18042:House:open:sesame"]
        said, _ = command.communicate(timeout=20)
        assert command.returncode == 0 and "The toy was told" in said, said
    finally:
        command.kill()


def test_a_number_that_the_toys_firmware_cannot_say_is_refused():
    refused = tandem("provision", "--legacy-socket", "--listen", "127.0.0.1:1", "--ssid", "House", "--user", "32768", check=False)
    assert refused.returncode == 64 and "1 to 32767" in refused.stderr
