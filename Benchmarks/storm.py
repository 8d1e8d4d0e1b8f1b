"""A sign-in storm: DEVICES with TLS come back at once after the hub's restart, each with its own token, beside mosquitto with TLS.

    .venv/bin/python Benchmarks/storm.py

Every device is signed in; the broker is killed and started again; each device tries again after 100 ms, 200 ms ... as clients do,
until it has its CONNACK. What is measured is the time from the broker's start to the last CONNACK, how many were turned away by
the broker (a closed connection, or a reason other than 0), and the broker's own processor time. The client is Python's asyncio
over OpenSSL, which shares the cores with the broker, at both alike. Mosquitto has one password for all and remembers no sessions.
"""

import asyncio
import os
import pathlib
import shutil
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from brokers import CROWD, TICK  # noqa: E402
from mosquitto import PROGRAM  # noqa: E402
from results import Results  # noqa: E402

DEVICES = int(os.environ.get("DEVICES", "5000"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
NAME = "linden"
ANSWER = 4  # bytes of a CONNACK of 3.1.1


def text(word):
    return len(word).to_bytes(2, "big") + word.encode()


def connect(login):
    user, _, password = login.partition(":")
    body = text("MQTT") + bytes([4, 0xC2]) + (600).to_bytes(2, "big") + text(user) + text(user) + text(password)
    return bytes([0x10, *([len(body)] if len(body) < 128 else [len(body) % 128 | 0x80, len(body) // 128])]) + body


class Crowd:
    """All the devices, with what became of each attempt."""

    def __init__(self, port, logins):
        self.port, self.packets = port, [connect(login) for login in logins]
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.turned_away = self.refused = 0
        self.writers = []

    async def come(self, packet, deadline):
        pause = 0.1
        while time.perf_counter() < deadline:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=self.context)
            except ConnectionRefusedError:  # nobody listens yet
                self.refused += 1
            except (OSError, ssl.SSLError):
                self.turned_away += 1
            else:
                try:
                    writer.write(packet)
                    answer = await reader.readexactly(ANSWER)
                    if answer[3] == 0:
                        self.writers.append(writer)
                        return time.perf_counter()
                    self.turned_away += 1
                except (OSError, asyncio.IncompleteReadError, ssl.SSLError):
                    self.turned_away += 1
                writer.close()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 2)
        return None

    async def come_all(self, within=180):
        self.turned_away = self.refused = 0
        deadline = time.perf_counter() + within
        return await asyncio.gather(*(self.come(packet, deadline) for packet in self.packets))

    def leave(self):
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()


class Tandem:
    name = "tandem"

    def __init__(self, folder):
        self.hub = tandem_hub.Hub(tandem_hub.prepare(folder / "data"), *CROWD, lan=NAME)

    def begin(self):
        self.hub.start().sign_in()
        devices = [self.hub.add_device(f"Device {number}") for number in range(DEVICES)]
        self.port = self.hub.mqtts_port
        return [f"{device.id}:{device.token}" for device in devices]

    def kill(self):
        self.hub.kill()

    def start(self):
        self.hub.launch()
        return self.hub.process.pid

    def end(self):
        self.hub.terminate(60)


class Mosquitto:
    name = "mosquitto"

    def __init__(self, folder, authority):
        self.folder = folder / "mosquitto"
        self.folder.mkdir()
        self.port = tandem_hub.free_port()
        for part in ("leaf.pem", "leaf.key"):
            shutil.copy(authority / part, self.folder / part)
        subprocess.run(["mosquitto_passwd", "-b", "-c", self.folder / "passwords", "device", "secret"], check=True)
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\ncertfile {self.folder}/leaf.pem\nkeyfile {self.folder}/leaf.key\n"
            f"password_file {self.folder}/passwords\npersistence false\nmax_connections -1\nuser root\n")  # fmt: skip

    def begin(self):
        self.start()
        time.sleep(0.5)
        return ["device:secret"] * DEVICES

    def kill(self):
        self.process.kill()
        self.process.wait()

    def start(self):
        self.process = subprocess.Popen([PROGRAM, "-c", self.folder / "mosquitto.conf"], stderr=subprocess.DEVNULL)
        return self.process.pid

    end = kill


def seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


async def storm(broker, crowd):
    """One storm: seconds until the last is in, how many were turned away, and the broker's own seconds."""
    assert all(await crowd.come_all()), "not all signed in at first"
    broker.kill()
    crowd.leave()
    storming = asyncio.create_task(crowd.come_all())
    await asyncio.sleep(0)
    began = time.perf_counter()
    pid = broker.start()
    moments = await storming
    missing = sum(moment is None for moment in moments)
    assert not missing, f"{missing} are not in"
    own = seconds(pid)
    last = max(moments) - began
    crowd.leave()
    return last, crowd.turned_away, own


async def measure():
    results = Results("storm")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        folder = pathlib.Path(folder)
        ours = Tandem(folder)
        logins = {"tandem": ours.begin()}
        theirs = Mosquitto(folder, folder / "data/authority")
        logins["mosquitto"] = theirs.begin()
        crowds = {broker.name: Crowd(broker.port, [f"{login}" for login in logins[broker.name]]) for broker in (ours, theirs)}
        # One name for all would have each throw the one before it out.
        crowds["mosquitto"].packets = [
            connect("device:secret").replace(text("device"), text(f"d{number:05}"), 1) for number in range(DEVICES)
        ]
        found = {"tandem": [], "mosquitto": []}
        for _ in range(ROUNDS):
            for broker in (theirs, ours):
                found[broker.name].append(await storm(broker, crowds[broker.name]))
                last, away, own = found[broker.name][-1]
                print(f"{DEVICES:,} devices with TLS come back, {broker.name}: the last after {last:.1f} s, "
                      f"{away:,} turned away, its own time {own:.1f} s", flush=True)  # fmt: skip
        for broker in (ours, theirs):
            broker.end()
    ratios = [mine[0] / other[0] for mine, other in zip(found["tandem"], found["mosquitto"])]
    middle = {name: [statistics.median(one[place] for one in rounds) for place in range(3)] for name, rounds in found.items()}
    results.record(
        "broker.storm", middle["tandem"][0], "s", peer=("mosquitto", middle["mosquitto"][0]), ratio=statistics.median(ratios),
        spread=(min(ratios), max(ratios)), n=ROUNDS,
        note=f"{middle['tandem'][1]:,.0f} turned away, mosquitto {middle['mosquitto'][1]:,.0f}; processor time"
        f" {middle['tandem'][2]:.1f} s, mosquitto {middle['mosquitto'][2]:.1f}")  # fmt: skip


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    asyncio.run(measure())
