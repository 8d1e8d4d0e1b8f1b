"""The hub's own Bluetooth radio, for tests: BlueZ by python-dbusmock on a message bus of its own.

    radio = BluetoothRadio()
    hub = Hub(data, wrapper=radio.wrapper)      # the hub finds that bus as the system's
    radio.adapter()
    radio.advertise("A4:C1:38:8D:18:B2", service_data={BTHOME: bytes.fromhex("40…")})
"""

import json
import pathlib
import queue
import subprocess
import threading

from emulated_kit import NOTIFIED, NUS, WRITTEN

SCRIPT = pathlib.Path(__file__).with_name("bluez_mock.py")
PYTHON = "/usr/bin/python3"  # Debian's own, which has D-Bus


def short(uuid):
    return f"0000{uuid:04x}-0000-1000-8000-00805f9b34fb"


BTHOME, MI_BEACON = short(0xFCD2), short(0xFE95)


class BluetoothRadio:
    def __init__(self):
        self.process = subprocess.Popen(
            [PYTHON, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.done, self.events, self.listeners = queue.SimpleQueue(), [], []
        first = json.loads(self.process.stdout.readline())
        self.address = first["address"]
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    @property
    def wrapper(self):
        """What a hub is started by, so that this is its system's message bus."""
        return ("env", f"DBUS_SYSTEM_BUS_ADDRESS={self.address}")

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] in ("done", "failed"):
                self.done.put(event)
                continue
            self.events.append(event)
            for listener in self.listeners:
                listener(event)

    def do(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = self.done.get(timeout=20)
        assert answer["event"] == "done", answer

    def adapter(self, powered=True):
        self.do(do="adapter", powered=powered)

    def power(self, on):
        self.do(do="power", on=on)

    def advertise(self, address, name=None, service_data=None, manufacturer_data=None, services=()):
        self.do(
            do="advertise", address=address, name=name, services=list(services),
            service_data={uuid: data.hex() for uuid, data in (service_data or {}).items()},
            manufacturer_data={str(company): data.hex() for company, data in (manufacturer_data or {}).items()})

    def service(self, address, uuid, characteristics):
        self.do(do="service", address=address, uuid=uuid, characteristics=characteristics)

    def notify(self, address, uuid, data):
        self.do(do="notify", address=address, uuid=uuid, value=data.hex())

    def lose(self, address):
        self.do(do="lose", address=address)

    def called(self, method):
        return [event for event in self.events if event["event"] == method]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class RadioKit:
    """The original kit near the hub's radio. `player` answers its cues."""

    address = "09:09:09:09:09:09"

    def __init__(self, radio, player=None):
        self.radio, self.player, self.written, self.is_over = radio, player, [], False
        radio.advertise(self.address, "BeeBop", services=[NUS])
        radio.service(self.address, NUS, [
            {"uuid": WRITTEN, "flags": ["write", "write-without-response"]}, {"uuid": NOTIFIED, "flags": ["notify"]}])
        self.outbox = queue.SimpleQueue()
        radio.listeners.append(self._heard)
        self.sender = threading.Thread(target=self._send, daemon=True)
        self.sender.start()

    def _heard(self, event):
        if event["event"] == "WriteValue" and event["uuid"] == WRITTEN:
            data = bytes.fromhex(event["value"])
            self.written.append(data)
            if self.player:
                self.player.cue(data)

    def _send(self):
        while not self.is_over:
            data = self.player.lines.get() if self.player else self.outbox.get()
            if data is not None:
                self.radio.notify(self.address, NOTIFIED, data)

    def advertise(self):
        self.radio.advertise(self.address, "BeeBop", services=[NUS])
