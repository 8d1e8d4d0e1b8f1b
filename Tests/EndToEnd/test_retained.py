"""Retained values that a bridge or program sends again are no new readings; what a live sensor measures again is one.

mosquitto's bridge publishes every retained message of its topics anew whenever it has connected (mosquitto.conf(5), topic;
bridge_outgoing_retain). Home Assistant, Zigbee2MQTT and ESPHome keep their states retained on it (ESPHome, MQTT component:
retain is true by default; Zigbee2MQTT, devices: retain, advanced: last_seen).
"""

import json
import shutil
import subprocess

import pytest
from hub import eventually, free_port, tandem
from mqtt import Client, mosquitto_pub

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


class Program:
    """An integration, with what the helpers for devices want of one."""

    def __init__(self, hub):
        said = tandem("integration", "add", "--data", hub.data, "--name", "House", "--filter", "tandem/#", "--json").stdout
        answer = json.loads(said)
        self.id, self.token, self.hub = answer["id"], answer["token"], hub


@pytest.fixture
def program(hub, device):
    # The hub knows a device for which others speak once it has been there, or some seconds after it was added.
    with Client.of(device):
        return Program(hub)


class Bridge:
    """A real mosquitto with its own retained messages, joined to the hub."""

    def __init__(self, folder, who, *lines):
        self.port = free_port()
        self.settings = folder / "bridge.conf"
        self.settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location {folder}/\n"
            f"user root\nconnection house\naddress 127.0.0.1:{who.hub.mqtt_port}\nremote_username {who.id}\n"
            f"remote_password {who.token}\nnotifications false\nrestart_timeout 1\n" + "\n".join(lines) + "\n"
        )

    def __enter__(self):
        self.process = subprocess.Popen([MOSQUITTO, "-c", self.settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    def publish(self, topic, value, *flags):
        def is_sent():
            sent = ["mosquitto_pub", "-p", str(self.port), "-q", "1", "-t", topic, "-m", value, *flags]
            return subprocess.run(sent, capture_output=True, timeout=20).returncode == 0

        eventually(is_sent, 20, "the message at the bridge")


def times(device, quantity="moisture"):
    return [value for _, value in device.readings(quantity)]


# As the documentation joins one, with its defaults, and without the flag.
KINDS = {
    "documented": ("bridge_protocol_version mqttv311", "try_private false"),
    "defaults": (),
    "5.0": ("bridge_protocol_version mqttv50",),
}


@pytest.mark.parametrize("lines", KINDS.values(), ids=KINDS.keys())
def test_what_a_bridge_keeps_is_one_reading_however_often_it_comes_back(hub, device, program, tmp_path, lines):
    marker = hub.add_device("Marker")
    with Client.of(marker):
        pass
    bridge = Bridge(tmp_path, program, "topic tandem/# out 1", *lines)
    with bridge:
        bridge.publish(device.topic(), "41.5", "-r")
        eventually(lambda: times(device) == [41.5], 20, "the first reading")
    for round in range(3):
        with bridge:
            # What is sent after the retained messages has come when they have.
            bridge.publish(marker.topic(), str(round))
            eventually(lambda: float(round) in times(marker), 20, "the marker")
        assert times(device) == [41.5]
    before = device.show()["series"]
    with bridge:
        # mosquitto 2.0.11 sends what it has kept behind what comes while it connects.
        bridge.publish(marker.topic(), "9")
        eventually(lambda: 9.0 in times(marker), 20, "the marker")
        bridge.publish(device.topic(), "42", "-r")
        eventually(lambda: times(device) == [41.5, 42.0], 20, "a new value")

        # A sensor that lives measures the same again.
        def measured_again():
            bridge.publish(device.topic(), "42", "-r")
            return times(device) == [41.5, 42.0, 42.0]

        eventually(measured_again, 60, "the same value, measured again when the bridge has told what it kept")
    assert before[0]["value"] == 41.5


@pytest.mark.parametrize("lines", KINDS.values(), ids=KINDS.keys())
def test_what_is_measured_while_a_bridge_connects_stays_the_newest(hub, device, program, tmp_path, lines):
    """mosquitto 2.0.11 sends what it had kept behind it: 42, 42, 41.5, or with MQTT 5.0 also 42, 41.5, 42."""
    marker = hub.add_device("Marker")
    with Client.of(marker):
        pass
    bridge = Bridge(tmp_path, program, "topic tandem/# out 1", *lines)
    expected = [41.5]
    with bridge:
        bridge.publish(device.topic(), "41.5", "-r")
        eventually(lambda: times(device) == expected, 20, "the first reading")
    for number in range(3):
        expected.append(42.0 + number)
        with bridge:
            # As soon as the bridge's own port is open: the hub has not accepted it yet, or just now.
            bridge.publish(device.topic(), str(42 + number), "-r")
            bridge.publish(marker.topic(), str(number))
            eventually(lambda: float(number) in times(marker), 20, "the marker")
            eventually(lambda: times(device) == expected, 20, "what was measured")
    with bridge:
        bridge.publish(marker.topic(), "9")
        eventually(lambda: 9.0 in times(marker), 20, "the marker")
    assert times(device) == expected


def test_what_was_measured_while_the_hub_was_away_ends_with_what_is_so_now(hub, device, program, tmp_path):
    """A window that was closed, opened and closed again: the last is what was kept before, and is told three times."""
    bridge = Bridge(tmp_path, program, "topic tandem/# out 1")
    with bridge:
        bridge.publish(device.topic(), "0", "-r")
        eventually(lambda: times(device) == [0.0], 20, "the first reading")
        hub.terminate()
        for value in ("1", "0"):
            bridge.publish(device.topic(), value, "-r")
        hub.start()
        eventually(lambda: times(device) == [0.0, 1.0, 0.0], 30, "what was measured meanwhile")


def test_a_bridge_with_a_sensors_own_token_brings_no_dead_value_again(hub, device, tmp_path):
    bridge = Bridge(tmp_path, device, f"topic # out 1 garden/ tandem/{device.id}/")
    for number in range(3):
        with bridge:
            if number == 0:
                bridge.publish("garden/moisture", "41.5", "-r")
            bridge.publish("garden/temperature", str(20 + number))
            eventually(lambda: 20.0 + number in times(device, "temperature"), 20, "the marker")
    assert times(device) == [41.5]


def test_what_a_program_publishes_retained_again_is_no_new_reading_after_a_start_of_the_hub_too(hub, device, program):
    for _ in range(3):
        mosquitto_pub(program, "-r", "-q", "1", "-t", device.topic(), "-m", "37")
    assert times(device) == [37.0]
    hub.terminate()
    hub.start()
    mosquitto_pub(program, "-r", "-q", "1", "-t", device.topic(), "-m", "37")
    mosquitto_pub(program, "-r", "-q", "1", "-t", device.topic(), "-m", "38")
    mosquitto_pub(program, "-r", "-q", "1", "-t", device.topic(), "-m", "37")
    assert times(device) == [37.0, 38.0, 37.0]
    assert device.show()["errorCount"] == 0


def test_what_was_kept_before_the_hub_knew_its_device_is_read_when_it_comes_again(hub, program):
    """A contact that stays closed is published with one value for months; the hub looks for new devices some seconds apart."""
    contact = hub.add_device("Contact")

    def is_read():
        mosquitto_pub(program, "-r", "-q", "1", "-t", contact.topic(), "-m", "1")
        return times(contact) == [1.0]

    eventually(is_read, 20, "the value that stays")
    mosquitto_pub(program, "-r", "-q", "1", "-t", contact.topic(), "-m", "1")
    assert times(contact) == [1.0]


def test_what_is_not_retained_is_a_reading_each_time(hub, device, program):
    for _ in range(3):
        mosquitto_pub(program, "-q", "1", "-t", device.topic(), "-m", "37")
    assert times(device) == [37.0] * 3


def test_a_sensor_that_wakes_measures_and_sleeps_is_heard_each_time(device):
    """ESPHome's deep sleep: a connection for each value, retained; who connects lives."""
    for _ in range(3):
        with Client.of(device) as sensor:
            sensor.publish(device.topic("sensor/soil_moisture/state"), "37", retain=True)
    assert times(device) == [37.0] * 3


def test_a_state_that_zigbee2mqtt_kept_is_known_by_when_its_device_was_heard(hub, device, program):
    """`cache_state_send_on_startup` publishes it on the connection that is there, with the old `last_seen`."""
    state = {"moisture": 41.5, "battery": 80, "linkquality": 90, "last_seen": "2026-11-25T20:00:00+01:00"}
    with Client(hub, program.id, program.token) as z2m:
        for _ in range(3):
            z2m.publish(device.topic("readings"), json.dumps(state), retain=True)
        z2m.publish(device.topic("readings"), json.dumps(state | {"last_seen": "2026-11-25T21:00:00+01:00"}), retain=True)
    assert times(device) == [41.5] * 2


def test_the_same_time_of_the_device_is_the_same_reading(hub, device, program):
    message = json.dumps({"value": 41.5, "at": 1795220639132})
    for who in (program, device, program):
        mosquitto_pub(who, "-q", "1", "-t", device.topic(), "-m", message)
    assert device.readings() == [(1795220639132, 41.5)]
