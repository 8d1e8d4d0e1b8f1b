"""Debian's mosquitto as the broker that a house has already: with passwords, persistence, and TLS where it is wanted."""

import os
import subprocess

from hub import eventually, free_port

PROGRAM = "/usr/sbin/mosquitto"


class HouseBroker:
    user, password = "tandem", "a password of the house"

    def __init__(self, folder, certificate=None, key=None):
        self.folder, self.port = folder, free_port()
        folder.mkdir(parents=True)
        subprocess.run(
            ["mosquitto_passwd", "-b", "-c", folder / "passwords", self.user, self.password], check=True, capture_output=True
        )
        tls = f"certfile {certificate}\nkeyfile {key}\n" if certificate else ""
        (folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\n{tls}password_file {folder}/passwords\npersistence true\n"
            f"persistence_location {folder}/\nautosave_interval 1\nautosave_on_changes false\nuser root\nlog_type all\n"
        )
        self.process = None
        self.log = folder / "mosquitto.log"

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self):
        said = lambda: self.log.read_text().count("running") if self.log.exists() else 0  # noqa: E731
        before = said()
        self.process = subprocess.Popen(
            [PROGRAM, "-c", self.folder / "mosquitto.conf"], stderr=open(self.log, "a"), env={**os.environ}
        )
        eventually(lambda: said() > before, what="mosquitto")
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """SIGTERM: it writes down what it keeps."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    def publish(self, topic, payload, *options, check=True):
        return subprocess.run(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-u", self.user, "-P", self.password, "-t", topic,
             "-m", payload, "-q", "1", *options], check=check, capture_output=True, text=True, timeout=30)  # fmt: skip

    def retained(self, topic, seconds=2):
        """What is kept below a topic filter: payloads by topic."""
        out = subprocess.run(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-u", self.user, "-P", self.password, "-t", topic,
             "-W", str(seconds), "--retained-only", "-F", "%t\t%p"], capture_output=True, text=True, timeout=30).stdout  # fmt: skip
        return dict(line.split("\t", 1) for line in out.splitlines() if "\t" in line)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
