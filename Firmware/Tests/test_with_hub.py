"""The images in QEMU against the real hub: the executable that TANDEM_BINARY names, or that of the newest debug build."""

import http.server
import os
import pathlib
import signal
import re
import socket
import threading
import tty

import pytest

import improv
from hub import Hub, copy_of, eventually, tandem


def ports(hub):
    """Where the sensor looks for the time, and where the hub is on this machine."""
    return {8080: ("127.0.0.1", hub.port)}


class Terminal:
    """The console's line as a terminal of this machine, as a USB adapter makes one."""

    def __init__(self, line):
        self.near, far = os.openpty()
        tty.setraw(far)
        self.path = os.ttyname(far)
        self.far = far
        line.listener = lambda piece: os.write(self.near, piece)
        threading.Thread(target=self.relay, args=(line,), daemon=True).start()

    def relay(self, line):
        while True:
            try:
                line.send(os.read(self.near, 256))
            except OSError:
                return


def plain(text):
    """Without the signs that a speech module has others for."""
    return re.sub("[^A-Za-z0-9]", "", text)


def plays(hub, person):
    return [plain(one["fact"]["text"]) for one in hub.get(f"/api/toy/people/{person}/history")["plays"]]


class Owl:
    """A toy that is thrown and speaks, each text to its end, and what it said each time."""

    def __init__(self, toy):
        self.toy, self.starts = toy, []

    def tell(self):
        """It is thrown, and says a text in as many pieces as that has."""
        voice = self.toy.voice  # another one after each cut of the power
        voice.is_quick = True
        start = len(voice.spoken)
        self.starts.append((voice.spoken, start))
        self.toy.accelerometer.throw()
        voice.wait_for(lambda: len(voice.spoken) > start, what="speaking")
        # Asked and answered twice between two turns of its loop, in each of which a piece follows.
        for _ in range(2):
            self.toy.bench.stack_depth()

    def said(self):
        ends = [start if spoken is before else None for (before, _), (spoken, start) in zip(self.starts, self.starts[1:])]
        return [plain("".join(spoken[start:end])) for (spoken, start), end in zip(self.starts, [*ends, None])]


def test_a_toy_is_set_up_at_its_serial_line_by_the_command_is_thrown_and_reports_what_it_said(hub, device, tmp_path):
    person = next(one["id"] for one in hub.get("/api/people") if one["role"] == "adult")
    code = hub.post("/api/toy/pairing", {"name": "Owl"})["code"]
    password = tmp_path / "password"
    password.write_text("sesame open\n")
    toy = device("Toy", ports=ports(hub))
    terminal = Terminal(toy.console)
    tandem("provision", "--port", terminal.path, "--ssid", "House", "--hub", hub.url, "--code", code, "--password-file", password)
    one = hub.get("/api/toy/toys")["toys"][0]
    hub.request("PUT", f"/api/toy/toys/{one['id']}", {"person": person})
    eventually(lambda: "unheard" in hub.get("/api/toy/toys")["toys"][0], 60, "its first message")
    owl = Owl(toy)
    owl.tell()
    eventually(lambda: plays(hub, person), 30, "the play")
    assert plays(hub, person) == owl.said()
    # Away from the hub it goes on, and its power is cut: each play is reported once.
    hub.close()
    for _ in range(2):
        toy.bench.put_forward(5_000)
        owl.tell()
    toy.bench.put_forward(86_400_000)
    toy.cut_power()
    toy.switch_on()
    toy.voice.wait_for(lambda: b"W" in toy.voice.settings, what="the voice's settings")
    owl.tell()
    hub.start()
    toy.bench.put_forward(70_000)
    eventually(lambda: len(plays(hub, person)) >= 4, 120, "the plays of a day without the hub")
    assert sorted(plays(hub, person)) == sorted(owl.said())


def test_the_original_s_app_sets_a_toy_up_by_the_socket_and_its_server_is_asked_for_facts(device):
    asked = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers["Host"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'"Honey never spoils."')

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as phone:
        phone.settimeout(60)
        toy = device("Toy", ports={80: server.server_address})
        toy.radio.visitor = ("192.168.4.2", phone.getsockname())
        toy.voice.wait_for(lambda: b"W" in toy.voice.settings, what="the voice's settings")
        toy.bench.set(2, False)
        # It is held for three seconds: pressed, long, very long.
        for time in (100, 900, 3_000):
            toy.bench.stack_depth()
            toy.bench.put_forward(time)
        toy.bench.stack_depth()
        toy.bench.set(2, True)
        with phone.accept()[0] as call:
            call.settimeout(20)
            # The phone's words (wire formats of the original, A3).
            call.sendall(b"ok")
            assert call.recv(64) == b"ok"
            call.sendall(b"18042:House:sesame open")
            toy.bench.put_forward(1_000)
            assert call.recv(64) == b""
    eventually(lambda: asked, 60, "a question of the original's server")
    assert asked[0] == ("/Trivia/18042", "triviotoy.azurewebsites.net")
    server.shutdown()


def test_a_sensor_silent_for_a_day_delivers_it_with_its_times(prepared, device, tmp_path):
    # A day ago.
    hub = Hub(copy_of(prepared, tmp_path / "data"), wrapper=["faketime", "-f", "-1d"])
    try:
        hub.start().signed_in()
        known = hub.add_device("Fern")
        sensor = device("PlantSensor", ports=ports(hub))
        sensor.console.send(improv.hub_command("127.0.0.1", hub.mqtt_port, known.id, known.token))
        sensor.console.send(improv.wifi_command())
        sensor.console.expect(improv.PROVISIONED, 30)
        eventually(lambda: known.readings("capacitance"), 30, "the first reading")
        # faketime stands between the hub and its end.
        parent = hub.process.pid
        os.kill(int(pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0]), signal.SIGTERM)
        hub.process.wait(20)
        for count in range(143):
            sensor.probe.capacitance = 400 + count
            sensor.measures()
        hub.wrapper = []
        hub.start()
        sensor.probe.capacitance = 900
        for _ in range(6):
            if len(known.readings("capacitance")) >= 145:
                break
            sensor.measures()
        eventually(lambda: len(known.readings("capacitance")) >= 145, 20, "the day")
        readings = known.readings("capacitance")
        assert [value for _, value in readings[1:144]] == list(range(400, 543))
        steps = [(later[0] - earlier[0]) / 1000 for earlier, later in zip(readings[1:], readings[2:144])]
        assert min(steps) >= 599 and max(steps) <= 605, steps
    finally:
        hub.close()
