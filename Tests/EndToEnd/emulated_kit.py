"""Drums over Bluetooth for a page in Chromium: a peripheral behind the browser's own emulated radio, and who plays it.

    kit = EmulatedKit(browser, page)          # BeeBop: Nordic UART; before the page is opened
    kit.player = Firmware("--reaction-ms", "200")  # the kit's own firmware and a person, in a process of its own
    ...                                       # the page asks for Bluetooth, and the kit is chosen
    kit.until(lambda: kit.written, 10)        # waits, and lets the kit play meanwhile

The emulated radio has no notification of its own accord. `SHIM`, a script for tests only, keeps one read pending on each
characteristic that the page listens to: answering that read fires a genuine `characteristicvaluechanged` on the page's
own object. Nor does Chromium 156 tell a page of `simulateGATTDisconnection`; `lose` therefore ends the connection from below
the page's code too, which fires a genuine `gattserverdisconnected`, and `vanish` is a radio that is gone without a word. The
page's code is what a household runs. A browser is to be launched with `ARGUMENTS`.
"""

import base64
import collections
import queue
import subprocess
import threading
import time

from hub import TANDEM

NUS = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITTEN, NOTIFIED = "6e400002-b5a3-f393-e0a9-e50e24dcca9e", "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
MIDI = "03b80e5a-ede8-4b33-a751-6ce34ec4c700"
MIDI_MESSAGES = "7772e5db-3868-4112-a1a9-f2669d106bf3"
LISTENING = "00002902-0000-1000-8000-00805f9b34fb"

SHIM = """(() => {
    const P = globalThis.BluetoothRemoteGATTCharacteristic?.prototype;
    if (!P) return;
    const { startNotifications, stopNotifications, readValue } = P;
    const listening = new WeakSet();
    P.startNotifications = async function () {
        const result = await startNotifications.call(this);
        if (!listening.has(this)) {
            listening.add(this);
            (async () => {
                while (listening.has(this)) {
                    try { await readValue.call(this); } catch { listening.delete(this); }
                }
            })();
        }
        return result;
    };
    P.stopNotifications = function () {
        listening.delete(this);
        return stopNotifications.call(this);
    };
    const { requestDevice } = Bluetooth.prototype;
    const devices = new Set();
    Bluetooth.prototype.requestDevice = async function (...asked) {
        const device = await requestDevice.apply(this, asked);
        devices.add(device);
        return device;
    };
    globalThis.loseRadio = () => { for (const { gatt } of devices) if (gatt.connected) gatt.disconnect(); };
})();"""


# For Chromium with Web Bluetooth, which Linux has behind a switch.
ARGUMENTS = ("--enable-features=WebBluetooth", "--autoplay-policy=no-user-gesture-required")


class EmulatedPeripheral:
    """A peripheral of one service. `chosen`: whether somebody takes it from the browser's list at once."""

    service = NUS

    def __init__(self, browser, page, name="BeeBop", address="09:09:09:09:09:09", radio="powered-on"):
        self.page, self.name, self.address = page, name, address
        self.is_chosen = self.answers_connection = self.answers_writes = True
        self.prompts, self.written, self.connections = [], [], 0
        self._seen, self._ids, self._told = set(), {}, collections.deque()
        self._is_read = self._is_called = False
        page.add_init_script(SHIM)
        self.radio = browser.new_browser_cdp_session()
        self.dialogs = page.context.new_cdp_session(page)
        self.radio.on("BluetoothEmulation.gattOperationReceived", self._gatt)
        self.radio.on("BluetoothEmulation.characteristicOperationReceived", self._operation)
        self.dialogs.on("DeviceAccess.deviceRequestPrompted", self._prompted)
        self.radio.send("BluetoothEmulation.enable", {"state": radio, "leSupported": True})
        self.dialogs.send("DeviceAccess.enable")
        self.appear()

    def appear(self):
        """It is switched on, near enough to be heard."""
        self.radio.send(
            "BluetoothEmulation.simulatePreconnectedPeripheral",
            {"address": self.address, "name": self.name, "manufacturerData": [], "knownServiceUuids": [self.service]},
        )

    def close(self):
        self.radio.send("BluetoothEmulation.disable")
        self.radio.detach()
        self.dialogs.detach()

    # The browser's list.

    def choose(self):
        """Somebody takes it from the list that is open."""
        prompt, _ = self.prompts.pop()
        self.dialogs.send("DeviceAccess.selectPrompt", {"id": prompt, "deviceId": self.address})

    def cancel(self):
        """Somebody closes the list."""
        self.dialogs.send("DeviceAccess.cancelPrompt", {"id": self.prompts.pop()[0]})

    def _prompted(self, event):
        known = [one for one in self.prompts if one[0] == event["id"]]
        if known:
            known[0][1][:] = event["devices"]
        elif event["id"] not in self._seen:
            self._seen.add(event["id"])
            self.prompts.append((event["id"], event["devices"]))
        if self.is_chosen and self.is_listed:
            self.choose()

    @property
    def is_listed(self):
        """Whether a list is open, and shows it."""
        return any(one["id"] == self.address for _, devices in self.prompts for one in devices)

    # The radio.

    def lose(self):
        """The radio loses it, as when it is carried out of the room; it does not answer until `find`."""
        self.answers_connection = False
        self.page.evaluate("() => loseRadio()")
        if self._is_read:
            self._is_read = False
            self._answer(self._ids["told"], "read", b"")
        self._ids.clear()
        self.radio.send("BluetoothEmulation.simulateGATTDisconnection", {"address": self.address})

    def find(self):
        """It is near again, and answers who called it meanwhile."""
        self.answers_connection = True
        if self._is_called:
            self._gatt({"type": "connection"})

    def vanish(self):
        """It is gone, and the page's radio does not know it."""
        self.answers_connection = self.answers_writes = False
        self._is_read = False

    def _gatt(self, event):
        kind = event["type"]
        if kind == "connection":
            self._is_called = not self.answers_connection
            if self._is_called:
                return
            self.connections += 1
        if kind == "discovery" and not self._ids:
            service = self.radio.send(
                "BluetoothEmulation.addService", {"address": self.address, "serviceUuid": self.service}
            )["serviceId"]
            for name, uuid, properties in self.characteristics():
                self._ids[name] = self.radio.send(
                    "BluetoothEmulation.addCharacteristic",
                    {"serviceId": service, "characteristicUuid": uuid, "properties": properties},
                )["characteristicId"]
                if properties.get("notify"):
                    self.radio.send(
                        "BluetoothEmulation.addDescriptor",
                        {"characteristicId": self._ids[name], "descriptorUuid": LISTENING},
                    )
        self.radio.send(
            "BluetoothEmulation.simulateGATTOperationResponse", {"address": self.address, "type": kind, "code": 0}
        )

    def characteristics(self):
        """(name, UUID, properties) each; the one to notify with is called `told`, and can be read for SHIM."""
        raise NotImplementedError

    def notify(self, data):
        """Sends one notification; what is sent while nobody listens is gone, as on the air."""
        self._told.append(bytes(data))
        self._flush()

    def _flush(self):
        if self._is_read and self._told:
            self._is_read = False
            self._answer(self._ids["told"], "read", self._told.popleft())

    def _answer(self, characteristic, kind, data=None):
        answer = {"characteristicId": characteristic, "type": kind, "code": 0}
        if data is not None:
            answer["data"] = base64.b64encode(data).decode()
        self.radio.send("BluetoothEmulation.simulateCharacteristicOperationResponse", answer)

    def _operation(self, event):
        if event["type"] == "read":
            self._is_read = True
            self._flush()
            return
        if not self.answers_writes and event["type"] == "write":
            return
        if event.get("writeType") != "write-without-response":
            self._answer(event["characteristicId"], event["type"])
        if event["type"] == "write":
            data = base64.b64decode(event["data"])
            self.written.append(data)
            self.heard(data)

    def heard(self, data):
        """The page wrote something."""

    def pump(self):
        """Sends what is to be sent by now."""
        self._flush()

    def until(self, condition, within=15.0, what="it"):
        """Waits until condition() is truthy and returns that, while the peripheral goes on."""
        end = time.monotonic() + within
        while True:
            self.pump()
            result = condition()
            if result:
                return result
            assert time.monotonic() < end, f"{what} did not happen within {within} s; the last answer was {result!r}"
            # Real time, for frames and timers of a page stand still where a test stops its clock.
            self.page.wait_for_timeout(10)


class EmulatedKit(EmulatedPeripheral):
    """The original kit. `player` answers its cues; without one nobody hits anything."""

    def __init__(self, browser, page, properties=None, is_swapped=False, **more):
        self.properties = properties or {"write": True, "writeWithoutResponse": True}
        self.is_swapped = is_swapped
        self.player = None
        super().__init__(browser, page, **more)

    def characteristics(self):
        loaded = {"notify": True, "read": True}
        one, other = (WRITTEN, NOTIFIED) if not self.is_swapped else (NOTIFIED, WRITTEN)
        return [("written", one, self.properties), ("told", other, loaded)]

    def heard(self, data):
        if self.player:
            self.player.cue(data)

    @property
    def cues(self):
        """The digits that the page wrote, in their order."""
        return b"".join(self.written).decode("ascii", "replace")

    def say(self, *parts):
        """Notifications as the kit sends them, each with its NUL, and the closing one."""
        for part in (*parts, "END"):
            self.notify(part.encode() + b"\0")

    def lose(self):
        super().lose()
        self._told.clear()
        if self.player:
            self.player.lost()

    def find(self):
        super().find()
        if self.player:
            self.player.back()

    def pump(self):
        for data in self.player.due() if self.player else ():
            self._told.append(data)
        super().pump()

    def close(self):
        if self.player:
            self.player.close()
        super().close()


class Firmware:
    """The kit's own firmware, played by the person of `tandem simulate drums`."""

    def __init__(self, *person):
        self.process = subprocess.Popen(
            [TANDEM, "simulate", "drums", "--stdio", *map(str, person)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            if not line.startswith(b"!"):
                self.lines.put(line.removesuffix(b"\n"))

    def _write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def cue(self, data):
        self._write(data)

    def lost(self):
        self._write(b"!lost\n")

    def back(self):
        self._write(b"!back\n")

    def due(self):
        """What it has sent meanwhile."""
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)


class Script:
    """Answers each cue after a time by what `says(drum, count)` returns: the notifications, without their NULs."""

    def __init__(self, says=None, milliseconds=200):
        self.says = says or (lambda drum, count: [f"{drum} {milliseconds} -1.00", "END"])
        self.milliseconds = milliseconds
        self.count = 0
        self.waiting = None

    def cue(self, data):
        if data not in (b"0", b"1", b"2", b"3"):
            self.waiting = None
            return
        self.waiting = (time.monotonic() + self.milliseconds / 1000, int(data))

    def lost(self):
        self.waiting = None

    def back(self):
        pass

    def due(self):
        if not self.waiting or time.monotonic() < self.waiting[0]:
            return []
        drum, self.waiting = self.waiting[1], None
        self.count += 1
        return [part if isinstance(part, bytes) else part.encode() + b"\0" for part in self.says(drum, self.count)]

    def close(self):
        pass


class EmulatedMidiKit(EmulatedPeripheral):
    """Electronic drums that speak MIDI over Bluetooth."""

    service = MIDI

    def __init__(self, browser, page, name="Air drums", **more):
        super().__init__(browser, page, name=name, **more)
        self._clock = 100

    def characteristics(self):
        return [("told", MIDI_MESSAGES, {"notify": True, "read": True, "writeWithoutResponse": True})]

    def _operation(self, event):
        # The first read is the page's own, before it listens: an empty answer, as RP-052 has it.
        if event["type"] == "read" and "told" in self._ids and not self._is_heard:
            self._answer(self._ids["told"], "read", b"")
            return
        if "subscribe" in event["type"]:
            self._is_heard = event["type"].startswith("subscribe")
        super()._operation(event)

    _is_heard = False

    def hit(self, note, velocity=96, after=300):
        """A stroke so many milliseconds after the one before, with the running clock of the packet."""
        self._clock = (self._clock + after) % 8192
        head = bytes([0x80 | self._clock >> 7, 0x80 | self._clock & 0x7F])
        self.notify(head + bytes([0x99, note, velocity]))
