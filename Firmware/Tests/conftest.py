"""What the tests of the images share: boards with their parts, and a house with another maker's broker."""

import email.utils
import http.server
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests/EndToEnd"))

from board import Board  # noqa: E402
from hub import Hub, copy_of, prepare  # noqa: E402
from mqtt import Client  # noqa: E402
from i2c_parts import MPU6050, Bridge, Seesaw  # noqa: E402
from serial_parts import EMIC2, ESP8266  # noqa: E402


class Device:
    """A board with what is soldered to it."""

    def __init__(self, image, flash, ports=None, flashed=None):
        self.board = Board(image, flash, flashed=flashed)
        self.flash = self.board.flash
        self.probe, self.accelerometer = Seesaw(), MPU6050()
        self.ports = ports or {}

    def switch_on(self):
        self.board.switch_on()
        self.connect()
        return self

    def connect(self):
        parts = {0x36: self.probe, 0x68: self.accelerometer}
        self.bridge = Bridge(self.board.bridge, parts)
        # The modules have no memory of their own.
        self.radio = ESP8266(self.board.radio, ports=self.ports)
        self.voice = EMIC2(self.board.speech)
        self.bench = self.board.bench
        self.console = self.board.console
        # The sensor switches the supply of its Wi-Fi module by pin 1.
        self.bench.on_drive = self.switch if self.board.image == "PlantSensor" else None
        self.bench.wait_for(lambda: self.bench.starts, what="the start")

    def switch(self, pin, level):
        if (pin, level) == (1, 1):
            self.radio.power_on()

    def cut_power(self):
        self.board.cut_power()

    def measures(self, forward=600_000, within=30):
        """Lets the sensor's interval pass, and waits until it sleeps again after it has measured."""
        reads, end = self.probe.reads, time.monotonic() + within
        while self.probe.reads == reads:
            assert time.monotonic() < end, f"no measurement within {within} s; starts {self.bench.starts}"
            # A board that restarts at this moment has not heard it.
            self.bench.put_forward(forward)
            with self.bridge.changed:
                self.bridge.changed.wait_for(lambda: self.probe.reads > reads, 3)
        self.bench.is_asleep(within)

    def has_slept_after(self, condition, within=30):
        with self.bridge.changed:
            assert self.bridge.changed.wait_for(condition, within), "no measurement"
        self.bench.is_asleep(within)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    return prepare(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def hub(prepared, tmp_path):
    hub = Hub(copy_of(prepared, tmp_path / "data"))
    yield hub.start().signed_in()
    hub.close()


@pytest.fixture
def device(tmp_path):
    devices = []

    def make(image, **options):
        devices.append(Device(image, tmp_path / f"{image}-{len(devices)}.flash", **options))
        return devices[-1].switch_on()

    yield make
    for one in devices:
        one.cut_power()


class Clock(http.server.BaseHTTPRequestHandler):
    """Python's own server, whose answers say the time."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(self.server.now, usegmt=True) if self.server.now else super().date_time_string()

    def log_message(self, *_):
        pass


class House:
    """A network with a broker and a server that says the time, and nothing of ours."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.mqtt_port = probe.getsockname()[1]
        self.configuration = folder / "mosquitto.conf"
        self.configuration.write_text(f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\n")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Clock)
        self.server.now = None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.ports = {8080: ("127.0.0.1", self.server.server_address[1])}
        #: Readings; and what was said of firmware, by the last word of its topic.
        self.messages, self.firmware, self.changed = [], [], threading.Condition()
        self.broker = None

    def open(self):
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.broker = subprocess.Popen([program, "-c", self.configuration], stderr=subprocess.DEVNULL)
        end = threading.Event()
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.mqtt_port), timeout=1).close()
                break
            except OSError:
                end.wait(0.01)
        self.listener = Client(self).connect()
        self.listener.paho.on_message = self.note
        self.listener.subscribe("tandem/#")

    def note(self, _, __, message):
        with self.changed:
            if "/firmware/" in message.topic:
                self.firmware.append((message.topic.rsplit("/", 1)[1], message.payload))
            else:
                self.messages.append((message.topic, json.loads(message.payload)))
            self.changed.notify_all()

    def close(self):
        if self.broker:
            self.listener.disconnect()
            self.broker.terminate()
            self.broker.wait()
        self.broker = None

    def wait_for(self, condition, within=60, what="it"):
        with self.changed:
            assert self.changed.wait_for(condition, within), f"{what} did not happen: {self.messages[-5:]}"


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    house.open()
    yield house
    house.close()
    house.server.shutdown()
