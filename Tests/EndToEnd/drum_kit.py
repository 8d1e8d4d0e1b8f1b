"""Kits on Wi-Fi, and pages that play with them, held by a test."""

import json
import subprocess
import threading

from hub import TANDEM, Device
from live import Live
from mqtt import Client


def add_kit(hub, name="Kit"):
    answer = hub.post("/api/devices", {"kind": "drum-kit", "name": name})
    return Device(answer["id"], answer["token"], hub)


class Page(Live):
    """A page's live socket that also says something."""

    def next(self):
        """The next frame that is not of the resumable stream."""
        while True:
            frame = super().next()
            if "id" not in frame or frame["type"] == "hello":
                return frame

    def say(self, **message):
        self.socket.send(json.dumps(message))
        return self

    def attach(self, kit):
        """Returns what the hub says to it: the kit's link, or why not."""
        self.say(type="attach", device=getattr(kit, "id", kit))
        return self.until(lambda frame: frame["type"] in ("device.link", "refused"))

    def cue(self, kit, data):
        return self.say(type="send", device=kit.id, data=data)

    def message(self, kit):
        frame = self.until(lambda frame: frame["type"] == "device.message")
        assert frame["device"] == kit.id and frame["at"] > 1_700_000_000_000
        return frame["data"]

    def beat(self, kit):
        """The next message in whole: its notifications up to END put together."""
        text = ""
        while (piece := self.message(kit).split("\0")[0]) != "END":
            text += piece
        return text


class PahoKit(Client):
    """A kit that a test plays: it hears cues and publishes whatever the test likes."""

    def __enter__(self):
        super().__enter__()
        return self.listen()

    def listen(self):
        assert self.subscribe(f"tandem/{self.paho.username}/command", 0) == [0]
        return self

    def says(self, *notifications):
        for notification in notifications:
            self.publish(f"tandem/{self.paho.username}/hit", notification, quality=0)


class Simulated:
    """`tandem simulate drums` for a kit of a hub, or with `--stdio` for nobody."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [TANDEM, "simulate", "drums", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self.words = []
        threading.Thread(target=self.listen, daemon=True).start()

    @classmethod
    def of(cls, kit, *arguments):
        hub = f"mqtt://127.0.0.1:{kit.hub.mqtt_port}"
        return cls("--hub", hub, "--device", kit.id, "--token", kit.token, *arguments)

    def listen(self):
        for line in self.process.stderr:
            self.words.append(line.decode())

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().removesuffix(b"\n")

    def beat(self):
        text = b""
        while (piece := self.line().split(b"\0")[0]) != b"END":
            text += piece
        return text.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(10) == 0
