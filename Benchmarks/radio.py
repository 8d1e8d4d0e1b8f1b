"""Drums by the hub's own radio: from a page's cue to its drum and back, beside a kit in the network.

    .venv/bin/python Benchmarks/radio.py

A page's socket says a cue; the kit answers at once; the page hears it. By the radio, the cue is BlueZ's WriteValue and the answer a
notification, both by python-dbusmock on a message bus of its own, whose two processes are in Python and within the figure; no air is.
By the network it is Paho's client over MQTT. By turns, ROUNDS times COUNT each.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from bluetooth_radio import WRITTEN, BluetoothRadio, RadioKit  # noqa: E402
from drum_kit import Page, PahoKit, add_kit  # noqa: E402

COUNT = int(os.environ.get("COUNT", "200"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))


def trips(page, kit):
    taken = []
    for _ in range(COUNT):
        began = time.perf_counter()
        page.cue(kit, "0")
        page.message(kit)
        taken.append(1000 * (time.perf_counter() - began))
        time.sleep(0.01)
    return taken


def said(name, taken):
    taken = sorted(taken)
    print(f"{name}: median {statistics.median(taken):.2f} ms, p99 {taken[int(len(taken) * 0.99)]:.2f} ms, {len(taken)} trips")


def measure():
    radio = BluetoothRadio()
    radio.adapter()
    with tempfile.TemporaryDirectory() as folder:
        hub = tandem_hub.Hub(
            tandem_hub.prepare(pathlib.Path(folder) / "data"), wrapper=radio.wrapper).start().sign_in()
        try:
            hub.get("/api/found-devices")
            near = RadioKit(radio)
            radio.listeners.append(
                lambda event: event["uuid"] == WRITTEN and event["event"] == "WriteValue" and near.outbox.put(b"0 200 -1.00\0"))
            found = tandem_hub.eventually(
                lambda: near.advertise() or [one for one in hub.get("/api/found-devices") if one["name"] == "BeeBop"], 20)[0]
            device = tandem_hub.Device(hub.post(f"/api/found-devices/{found['id']}/adopt", {})["id"], None, hub)
            tandem_hub.eventually(lambda: near.advertise() or device.show()["connected"], 20, "the kit")
            far = add_kit(hub)
            taken = {"the hub’s radio": [], "the network": []}
            with PahoKit.of(far) as drums, Page(hub) as page:
                drums.paho.on_message = lambda *_: drums.says(b"0 200 -1.00\0")
                page.attach(device)
                page.attach(far)
                for _ in range(ROUNDS):
                    taken["the hub’s radio"] += trips(page, device)
                    taken["the network"] += trips(page, far)
            for name, times in taken.items():
                said(name, times)
        finally:
            hub.close()
            radio.close()


if __name__ == "__main__":
    measure()
