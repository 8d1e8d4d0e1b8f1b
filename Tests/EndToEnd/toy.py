"""A simulated trivia toy: its own firmware, in a process of its own."""

import os
import subprocess
import threading

from hub import TANDEM, eventually


class Toy:
    def __init__(self, home, *arguments):
        self.process = subprocess.Popen(
            [TANDEM, "simulate", "toy", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": ""},
        )  # fmt: skip
        self.words = []
        threading.Thread(target=self.listen, daemon=True).start()

    @classmethod
    def of(cls, device, home, *arguments):
        hub = f"mqtt://127.0.0.1:{device.hub.mqtt_port}"
        return cls(home, "--hub", hub, "--device", device.id, "--token", device.token, *arguments)

    def listen(self):
        for line in self.process.stderr:
            self.words.append(line.strip())

    @property
    def said(self):
        return [line.removeprefix("The toy says: ") for line in self.words if line.startswith("The toy says: ")]

    def happens(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()

    def is_online(self, expected=True):
        words = "The toy is connected with the hub." if expected else "The toy is not connected with the hub."
        states = [line for line in self.words if line.startswith("The toy is ")]
        eventually(lambda: [line for line in self.words if line.startswith("The toy is ")][-1:] == [words], 40, f"{words} {states}")

    def tells(self, throws="throw"):
        """It is thrown, says something, and is stopped; returns the words."""
        before = len(self.said)
        self.happens(throws)
        eventually(lambda: len(self.said) > before, 30, "saying something")
        words = self.said[before]
        self.happens("press")
        return words

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(10) == 0, self.words
