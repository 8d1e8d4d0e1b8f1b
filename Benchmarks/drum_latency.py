"""A cue through the hub to a drum on Wi-Fi, and its answer back to the page, on loopback: what the hub adds.

The page is websocket-client's, the kit Paho's, which answers at once; a cue is sent when the answer to the one before
has come. The clients' own time is in the figure.
"""

import json
import os
import pathlib
import socket
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import paho.mqtt.client as paho  # noqa: E402

import hub as tandem_hub  # noqa: E402
from drum_kit import Page, add_kit  # noqa: E402
from results import Results  # noqa: E402

BEATS = int(os.environ.get("BEATS", "3000"))
PAUSE = 0.01  # seconds between two beats, so that the page keeps below the hub's limit of 100 frames a second


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class AnsweringKit:
    """Answers each cue at once, in the two notifications of a beat without wrong hits."""

    def __init__(self, kit):
        self.topic = f"tandem/{kit.id}/hit"
        self.arrived = 0.0
        self.paho = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv311)
        self.paho.username_pw_set(kit.id, kit.token)
        self.paho.on_message = self.cued
        ready = threading.Event()
        self.paho.on_subscribe = lambda *_: ready.set()
        self.paho.connect("127.0.0.1", kit.hub.mqtt_port)
        # As every kit should: otherwise the second notification waits for the acknowledgement of the first, 40 ms.
        self.paho.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.paho.loop_start()
        self.paho.subscribe(f"tandem/{kit.id}/command", 0)
        ready.wait(10)

    def cued(self, _, __, message):
        self.arrived = time.perf_counter()
        self.paho.publish(self.topic, message.payload + b" 450 -1.00\0")
        self.paho.publish(self.topic, b"END\0")


def measure(hub, beats=BEATS):
    kit = add_kit(hub)
    drums = AnsweringKit(kit)
    there, whole = [], []
    with Page(hub) as page:
        assert page.attach(kit)["isConnected"]
        for beat in range(beats + 50):
            cue = json.dumps({"type": "send", "device": kit.id, "data": str(beat % 4)})
            sent = time.perf_counter()
            page.socket.send(cue)
            while page.message(kit) != "END\0":
                pass
            # The first ones warm both sides up.
            if beat >= 50:
                there.append(1000 * (drums.arrived - sent))
                whole.append(1000 * (time.perf_counter() - sent))
            time.sleep(PAUSE)
    drums.paho.disconnect()
    drums.paho.loop_stop()
    return there, whole


def main():
    with tempfile.TemporaryDirectory() as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(folder)).start().signed_in()
        try:
            there, whole = measure(hub)
        finally:
            hub.close()
    for what, values in (("cue, page to kit", there), ("cue and answer, page to page", whole)):
        figure = f"p50 {percentile(values, 0.5):.2f}  p99 {percentile(values, 0.99):.2f} ms"
        print(f"{'drums on Wi-Fi: ' + what:<62} {figure:>26}", flush=True)
    note = f"p50 {percentile(whole, 0.5):.2f}; to the kit alone {percentile(there, 0.5):.2f} and {percentile(there, 0.99):.2f}"
    Results("drum_latency").record("drums.wifi", percentile(whole, 0.99), "ms", n=len(whole), note=note)


if __name__ == "__main__":
    main()
