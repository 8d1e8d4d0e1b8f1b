"""Tandem's own firmware, set up as the original's app sets up its toy: by the socket, through all layers, and by bytes of its own."""

import json
import re
import socket
import subprocess

import pytest

from hub import TANDEM, Hub, copy_of, eventually, free_port
from toy import Toy


@pytest.fixture
def hub(prepared, tmp_path):
    port = free_port()
    hub = Hub(copy_of(prepared, tmp_path / "data"), "--legacy", "toy", "--legacy-host", "127.0.0.2", "--legacy-http-port", str(port))
    hub.original = f"127.0.0.2:{port}"
    yield hub.start().signed_in()
    hub.close()


def plain(text):
    """Without the signs that a speech module has others for."""
    return re.sub("[^A-Za-z0-9]", "", text)


def asked(hub, path, body=None):
    data = ["-H", "Content-Type: application/json; charset=utf-8", "--data-binary", json.dumps(body)] if body else []
    return subprocess.run(
        ["curl", "-sS", "--fail-with-body", *data, hub.url + path], capture_output=True, text=True, timeout=30, check=True
    ).stdout  # fmt: skip


def test_a_simulated_toy_is_set_up_by_the_command_and_lives_with_the_hub_as_the_original_does(hub, tmp_path):
    hub.post("/api/toy/registration-window")
    ada = {"username": "Ada", "email": "ada@example.org", "password": "correct horse"}
    user = json.loads(asked(hub, "/User/Register", ada))["id"]
    # Not one that the system gives to clients: the toy dials it before anybody listens.
    port = free_port()
    password = tmp_path / "password"
    password.write_text("sesame open\n")
    with Toy(tmp_path, "--legacy-socket", f"127.0.0.1:{port}", "--legacy-server", hub.original) as toy:
        done = subprocess.run(
            [TANDEM, "provision", "--legacy-socket", "--listen", f"127.0.0.1:{port}", "--ssid", "House", "--user", str(user),
             "--password-file", str(password)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)  # fmt: skip
        assert done.returncode == 0 and "The toy was told" in done.stderr, done
        toy.is_online()

        def heard():
            toy.tells()
            history = json.loads(asked(hub, f"/User/History/{user}"))["triviaHistory"]
            return {plain(one["trivia"]["text"]) for one in history} & {plain(words) for words in toy.said}

        eventually(heard, 60, "what it told in its user's history")


def test_the_original_app_s_own_bytes_set_a_toy_up_whenever_it_is_ready(tmp_path):
    """The phone of wire formats, A3: it listens on its port, says `ok` once it has accepted, and waits for the person."""
    with socket.create_server(("127.0.0.1", 0)) as phone:
        phone.settimeout(40)
        # Nothing is at port 1: its server is asked for nothing outside.
        address = f"127.0.0.1:{phone.getsockname()[1]}"
        with Toy(tmp_path, "--legacy-socket", address, "--legacy-server", "127.0.0.1:1") as toy:
            # Its page was left at once, then it was slow: the toy hangs up after two seconds, having said nothing.
            phone.accept()[0].close()
            with phone.accept()[0] as slow:
                slow.settimeout(20)
                assert slow.recv(64) == b""
            with phone.accept()[0] as call:
                call.settimeout(20)
                call.sendall(b"ok")
                assert call.recv(64) == b"ok"
                call.sendall(b"18042:House:sesame open")
                assert call.recv(64) == b"", "it hangs up when it was told"
            eventually(lambda: "The toy is connected with the hub." in toy.words, 40, "joining")
