"""A reading from a real MQTT client to the API, the store and the live connection."""

import json
import math
import shutil
import subprocess
import time

import pytest

from home_assistant import let_in
from hub import Device, eventually, free_port
from live import Live
from mqtt import Client, Wire, connect_packet, mosquitto_pub, mosquitto_sub, publish_packet
from shared_hub import shared_hub

hub = shared_hub()


def test_a_reading_of_mosquitto_pub_shows_in_the_api(device):
    mosquitto_pub(device, "-t", device.topic(), "-m", "41.5")
    eventually(lambda: device.value() == 41.5, what="the reading in the API")


def test_an_acknowledged_reading_is_in_the_store_at_once(device):
    before = time.time() * 1000
    mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "12.25")
    assert device.value() == 12.25
    [(at, value)] = device.readings()
    assert value == 12.25
    assert before - 1000 <= at <= time.time() * 1000 + 1000


def test_a_reading_may_say_when_it_was_taken(device):
    with Client.of(device) as client:
        client.publish(device.topic(), json.dumps({"value": 41.5, "at": 1795220639132}))
    assert (1795220639132, 41.5) in device.readings()


def test_several_quantities_come_in_one_message(device):
    with Client.of(device) as client:
        client.publish(device.topic("readings"), json.dumps({"moisture": 41.5, "temperature": 21.3, "at": 1795220639132}))
    series = {one["quantity"]: one for one in device.show()["series"]}
    assert series["moisture"]["value"] == 41.5 and series["moisture"]["unit"] == "%"
    assert series["temperature"]["value"] == 21.3 and series["temperature"]["unit"] == "°C"
    assert series["moisture"]["at"] == series["temperature"]["at"] == 1795220639132


def test_the_first_of_two_readings_at_one_time_stands(device):
    with Client.of(device) as client:
        client.publish(device.topic(), '{"value": 30, "at": 1795220639132}')
        client.publish(device.topic(), '{"value": 99, "at": 1795220639132}')
    assert device.readings() == [(1795220639132, 30.0)]


def test_readings_without_a_time_get_rising_ones(device):
    with Client.of(device) as client:
        for value in range(50):
            client.publish(device.topic(), str(value), quality=0)
        client.publish(device.topic(), "50")
    rows = device.readings()
    assert [value for _, value in rows] == list(map(float, range(51)))
    times = [at for at, _ in rows]
    assert all(early < late for early, late in zip(times, times[1:]))


def test_an_unknown_quantity_is_a_series_of_its_own_without_a_unit(device):
    with Client.of(device) as client:
        client.publish(device.topic("sap-flow"), "0.75")
    [series] = [one for one in device.show()["series"] if one["quantity"] == "sap-flow"]
    assert series["value"] == 0.75 and not series.get("unit")


BAD_VALUES = {
    "a word": b"banana",
    "infinity": b"Infinity",
    "minus infinity": b"-inf",
    "past a double": b"1e400",
    "half an object": b'{"value": 4',
    "no value": b'{"at": 1795220639132}',
    "invalid UTF-8": b"\xff\xfe41",
    "two numbers": b"41 42",
    "an absurd percentage": b"4100",
    "HTML": b"<img src=x onerror=alert(1)>",
    "deeply nested": b"[" * 5000,
    "a long line": b"9" * 10_000,
}


@pytest.mark.parametrize("payload", BAD_VALUES.values(), ids=BAD_VALUES.keys())
def test_a_bad_value_is_acknowledged_counted_and_told(device, payload):
    with Client.of(device) as listener, Client.of(device) as client:
        assert listener.subscribe(f"tandem/{device.id}/errors") != [128]
        client.publish(device.topic(), payload)  # returns after the PUBACK
        topic, data, _ = listener.next()
        assert topic == f"tandem/{device.id}/errors"
        assert data, "the error says nothing"
        client.publish(device.topic("temperature"), "20")  # the connection is still good
    shown = eventually(lambda: (now := device.show())["errorCount"] == 1 and now, what="the error on the device's page")
    assert shown["lastError"]["message"] and shown["lastError"]["topic"] == device.topic()
    assert device.value() is None
    assert all(math.isfinite(value) for _, value in device.readings("temperature"))


BAD_TIMES = {
    "a clock that was never set": b'{"value": 41, "at": 0}',
    "a time before 1970": b'{"value": 41, "at": -5}',
    "a time that is text": b'{"value": 41, "at": "today"}',
    "a time past every calendar": b'{"value": 41, "at": 99999999999999999999}',
    "nobody's time": b'{"value": 41, "at": "2026-11-25T20:00:00"}',
}


@pytest.mark.parametrize("payload", BAD_TIMES.values(), ids=BAD_TIMES.keys())
def test_a_bad_time_costs_the_time_and_not_the_reading(device, payload):
    before = time.time() * 1000
    with Client.of(device) as client:
        for _ in range(3):
            client.publish(device.topic(), payload)
    stored = device.readings()
    assert {value for _, value in stored} == {41}
    assert all(before - 1000 <= at <= time.time() * 1000 + 1000 for at, _ in stored)
    shown = eventually(lambda: (now := device.show()).get("lastError") and now, what="the line on the device's page")
    assert '"at"' in shown["lastError"]["message"] and shown["errorCount"] == 1, "said once"


NO_VALUES = [b"", b"None", b"nan", b"unavailable", b"unknown", b"null", b'{"value": NaN}', b"offline"]


@pytest.mark.parametrize("payload", NO_VALUES, ids=[one.decode() or "nothing" for one in NO_VALUES])
def test_a_word_for_no_value_is_no_error_and_no_reading(device, payload):
    with Client.of(device) as client:
        client.publish(device.topic(), payload)
        client.publish(device.topic("temperature"), "20")
    eventually(lambda: device.value("temperature") == 20, what="the next reading")
    assert device.value() is None and device.show()["errorCount"] == 0


def test_a_foreign_topic_is_put_aside_and_said_on_the_device_s_page(device):
    """MQTT 3.1.1 has no word for it, so it is acknowledged [MQTT-3.3.5-2]; the next reading counts as any."""
    other = device.hub.add_device("The neighbour's")
    wire = Wire(device.hub, device.id, device.token)
    wire.send(publish_packet(other.topic(), b"41", 1))
    assert wire.exactly(4)[:2] == b"\x40\x02"
    wire.send(publish_packet(device.topic(), b"42", 1))
    assert wire.exactly(4)[:2] == b"\x40\x02"
    eventually(lambda: device.value() == 42, what="the device's own reading")
    assert other.value() is None
    said = eventually(lambda: device.show().get("lastError"), what="the line on the device's page")
    assert said["topic"] == other.topic() and f"tandem/{device.id}/" in said["message"]
    assert device.id in device.hub.log, "the log does not say who it was"
    assert device.token not in device.hub.log


def test_a_stock_esphome_node_is_a_sensor_whatever_it_says_beside(device):
    """Its discovery, retained, then its status, its log and a value, as esphome's mqtt component sends them below the prefix
    and beside it."""
    with Client.of(device) as client:
        client.paho.publish("homeassistant/sensor/n1/moisture/config", '{"name":"Moisture"}', 0, retain=True)
        client.publish("homeassistant/sensor/n1/moisture/config", '{"name":"Moisture"}')
        client.publish("n1/status", "online")
        client.publish(device.topic("status"), "online")
        client.publish(device.topic("debug"), "\x1b[0;36m[D][sensor:093]: 'Soil'")
        client.publish(device.topic("sensor/soil_moisture/state"), "nan")
        client.publish(device.topic("sensor/soil_moisture/state"), "37.2")
        eventually(lambda: device.value() == 37.2, what="the reading")
        # What it says of itself to others is understood, and nothing to change.
        client.publish("n1/sensor/soil_moisture/state", "38.5")
        eventually(lambda: device.value() == 38.5, what="the reading below its maker's own topic")
    assert device.show().get("lastError") is None and device.show()["errorCount"] == 0


def test_a_mosquitto_bridge_with_its_defaults_brings_readings(device, tmp_path):
    """Its CONNECT has the level 0x84, and it tells of itself below $SYS."""
    port = free_port()
    settings = tmp_path / "bridge.conf"
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nconnection house\naddress 127.0.0.1:{device.hub.mqtt_port}\n"
        f"remote_username {device.id}\nremote_password {device.token}\nremote_clientid house\n"
        f"topic moisture out 1 garden/ tandem/{device.id}/\n"
    )
    mosquitto = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    bridge = subprocess.Popen([mosquitto, "-c", settings], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        eventually(lambda: device.show()["connected"], 20, "the bridge at the hub")
        subprocess.run(
            ["mosquitto_pub", "-p", str(port), "-q", "1", "-t", "garden/moisture", "-m", "38.5"], check=True, timeout=20
        )
        eventually(lambda: device.value() == 38.5, 20, "the reading by way of the bridge")
        assert device.show().get("lastError") is None
    finally:
        bridge.terminate()
        bridge.wait(10)


def test_a_program_s_reading_of_a_device_that_was_just_added_is_stored_when_it_is_acknowledged(hub):
    program = Device(*let_in(hub, "tandem/#"), hub)
    with Client.of(program) as client:
        device = hub.add_device()
        client.publish(device.topic(), "41.5")
        assert [value for _, value in device.readings()] == [41.5]


@pytest.mark.parametrize("token", ["wrong", "", "x" * 5000], ids=["wrong", "empty", "long"])
def test_a_wrong_token_is_refused(device, token):
    wire = Wire(device.hub, connect=False)
    wire.send(connect_packet(device.id, token))
    answer = wire.exactly(4)
    assert answer[:2] == b"\x20\x02" and answer[3] in (4, 5)
    assert wire.is_closed_without_a_word()


def test_mosquitto_pub_says_that_a_wrong_token_was_refused(device):
    result = mosquitto_pub(device, "-t", device.topic(), "-m", "1", token="wrong", check=False)
    assert result.returncode in (4, 5) and "refused" in result.stderr.lower()


def test_nobody_comes_in_without_a_name_unless_legacy_is_on(hub):
    wire = Wire(hub, connect=False)
    wire.send(connect_packet())
    assert wire.exactly(4)[3] in (4, 5)


def test_a_device_that_was_removed_is_put_out_and_stays_out(device):
    wire = Wire(device.hub, device.id, device.token)
    device.hub.request("DELETE", f"/api/devices/{device.id}")
    assert wire.is_closed_without_a_word()
    again = Wire(device.hub, connect=False)
    again.send(connect_packet(device.id, device.token))
    assert again.exactly(4)[3] in (4, 5)


def test_a_new_token_ends_the_old_one(device):
    wire = Wire(device.hub, device.id, device.token)
    token = device.hub.post(f"/api/devices/{device.id}/token")["token"]
    assert wire.is_closed_without_a_word()
    Wire(device.hub, device.id, token).close()


def test_a_sensor_may_listen_to_what_it_says(device):
    with mosquitto_sub(device, "-q", "1", "-t", f"tandem/{device.id}/#", "-F", "got %t %p") as listener:
        mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "33")
        assert listener.until("got ") == f"got {device.topic()} 33"


def test_an_open_page_is_told_of_a_reading(device):
    with Live(device.hub) as live:
        mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "44.5")
        frame = live.until(lambda one: one["type"] == "reading")
        assert frame["device"] == device.id and frame["quantity"] == "moisture" and frame["value"] == 44.5


def test_a_page_that_comes_back_gets_what_it_missed(device):
    with Client.of(device) as client:
        with Live(device.hub) as live:
            client.publish(device.topic(), "10")
            seen = live.until(lambda one: one["type"] == "reading")["id"]
        client.publish(device.topic("temperature"), "20")
        with Live(device.hub, resume=seen) as live:
            frame = live.until(lambda one: one["type"] == "reading")
            assert frame["quantity"] == "temperature" and frame["value"] == 20


def test_a_page_that_was_away_too_long_is_told_to_load_again(device):
    with Live(device.hub, resume="another-boot-7") as live:
        live.until(lambda one: one["type"] == "reset")


@pytest.mark.parametrize("at", [1, 4_102_444_800_000, 0], ids=["1970", "2100", "zero"])
def test_a_sensor_whose_clock_jumps_is_answered_and_later_readings_still_count(device, at):
    with Client.of(device) as client:
        client.publish(device.topic(), json.dumps({"value": 10, "at": at}))
        client.publish(device.topic(), "20")
    shown = device.show()
    assert shown["errorCount"] == 1 or (at, 10.0) in device.readings()
    assert 20.0 in [value for _, value in device.readings()]
    times = [row for row, _ in device.readings()]
    assert len(times) == len(set(times))
