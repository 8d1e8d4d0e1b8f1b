"""Debian's mosquitto, which stands beside the hub in the benchmarks: it acknowledges and stores nothing."""

import os
import subprocess
import tempfile

from hub import eventually, free_port
from mqtt_blast import open_connection

PROGRAM = "/usr/sbin/mosquitto"


class Mosquitto:
    """One of its own on a free port, for as long as the `with` lasts."""

    def __enter__(self):
        self.port = free_port()
        self.settings = tempfile.NamedTemporaryFile("w", suffix=".conf")
        self.settings.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.settings.flush()
        # It gives up root, and reads it afterwards.
        os.chmod(self.settings.name, 0o644)
        self.process = subprocess.Popen([PROGRAM, "-c", self.settings.name], stderr=subprocess.DEVNULL)
        eventually(self.answers, what="mosquitto's first answer")
        return self

    @property
    def pid(self):
        return self.process.pid

    def answers(self):
        try:
            open_connection("127.0.0.1", self.port, "first").close()
            return True
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
