"""Sensor Logger's messages as its documentation shows them, by curl and by mosquitto_pub."""

import json
import subprocess

import pytest

from hub import TANDEM, Device, eventually, tandem
from mqtt import mosquitto_pub
from shared import shared_hub

hub = shared_hub()
START = 1_795_266_000_000_000_000


@pytest.fixture
def phone(hub):
    answer = hub.post("/api/devices", {"kind": "phone", "name": "Pixel"})
    return Device(answer["id"], answer["token"], hub)


def message(number=0, readings=None, session="8C6D0A9E-0F1D-4D4C-9A3B-0F0B2B7C1D11"):
    """A message with every form of reading that PUSHING.md shows."""
    return json.dumps({
        "messageId": number, "sessionId": session, "deviceId": "5F3A2D11",
        "payload": readings if readings is not None else [
            {"name": "totalacceleration", "time": START, "values": {"z": 9.80665, "y": 0, "x": 0}, "accuracy": 3},
            {"name": "gyroscope", "time": START + 10_000_000, "values": {"z": 0.5, "y": 0, "x": 0}, "accuracy": 3},
            {"name": "barometer", "time": START + 20_000_000, "values": {"pressure": 1013.25, "relativeAltitude": 1.5}},
            {"name": "annotation", "time": START + 30_000_000,
             "values": {"text": "the door", "millisecond_press_duration": 104}},
        ],
    })  # fmt: skip


def curl(phone, body, *options, query=""):
    """The body of the answer, and its status."""
    result = subprocess.run(
        [
            "curl", "--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code}",
            "--header", "Content-Type: application/json", *options, "--data-binary", "@-",
            f"{phone.hub.url}/api/lab/sensor-logger{query}",
        ],
        input=body, capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    text, status = result.stdout.rsplit("\n", 1)
    return int(status), text


def recordings(phone):
    return phone.hub.get(f"/api/lab/recordings?device={phone.id}")["recordings"]


def values(phone, sensor):
    text = tandem("export", "recordings", "--device", phone.id, "--format", "json", "--data", phone.hub.data).stdout
    [recording] = json.loads(text)["recordings"]
    return next(one["values"] for one in recording["series"] if one["sensor"] == sensor)


@pytest.mark.parametrize("by", ["header", "query"])
def test_a_message_by_curl_is_stored_in_the_labs_units(phone, by):
    if by == "header":
        status, text = curl(phone, message(), "--header", f"Authorization: Bearer {phone.token}")
    else:
        status, text = curl(phone, message(), query=f"?token={phone.token}")
    assert (status, text) == (200, "OK\n")
    [recording] = recordings(phone)
    assert recording["samples"] == 4 and recording["annotations"][0]["text"] == "the door"
    assert values(phone, "accelerometer") == [[0], [0], [1]]
    [shown] = [one for one in phone.hub.get("/api/lab/phones")["phones"] if one["id"] == phone.id]
    assert shown["isSending"] and shown["pressure"]["value"] == 101.325 and shown["altitude"]["value"] == 1.5


def test_the_same_message_by_mosquitto_pub_and_by_curl_is_stored_once(phone):
    mosquitto_pub(phone, "-q", "1", "-t", phone.topic("sensor-logger"), "-m", message())
    assert curl(phone, message(), "--header", f"Authorization: Bearer {phone.token}")[0] == 200
    [recording] = recordings(phone)
    assert recording["samples"] == 4
    assert recording["messages"]["received"] == 2 and recording["messages"]["repeated"] == 1


def test_what_cannot_be_used_says_by_curl_what_to_do_and_stores_nothing(phone):
    status, text = curl(phone, message(), "--header", "Authorization: Bearer wrong")
    assert status == 499 and "Copy the address" in text
    bad = [{"name": "gyroscope", "time": "18446744073709551616000", "values": {"x": 0, "y": 0, "z": 0}}]
    short = [{"name": "gyroscope", "time": START, "values": {"x": 1}}]
    for body in ["{", "[]", message(readings=bad), message(readings=short)]:
        status, text = curl(phone, body, "--header", f"Authorization: Bearer {phone.token}")
        assert status == 499 and len(text) > 20, text
    assert recordings(phone) == []


def test_a_simulated_phone_rides_in_a_lift(phone):
    tandem(
        "simulate", "phone", "--hub", f"mqtt://127.0.0.1:{phone.hub.mqtt_port}", "--device", phone.id,
        "--token", phone.token, "--seconds", 2,
    )  # fmt: skip
    [recording] = eventually(lambda: recordings(phone), what="the ride's recording")
    assert {one["sensor"] for one in recording["streams"]} >= {"barometer"}


def test_a_barometer_on_the_i2c_bus_is_recorded_as_a_phones_is(phone):
    process = subprocess.Popen(
        [
            TANDEM, "barometer", "--simulated", "--hub", f"mqtt://127.0.0.1:{phone.hub.mqtt_port}", "--device", phone.id,
            "--token", phone.token,
        ],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        [recording] = eventually(lambda: recordings(phone), what="what it measured")
        [pressure] = recording["streams"]
        assert pressure["sensor"] == "barometer"
    finally:
        process.terminate()
        assert process.wait(10) == 0


def test_a_machine_without_an_i2c_bus_says_what_to_do(phone):
    said = subprocess.run(
        [TANDEM, "barometer", "--bus", "/dev/i2c-nowhere", "--device", phone.id, "--token", phone.token],
        capture_output=True, text=True,
    )  # fmt: skip
    assert said.returncode == 74 and "raspi-config" in said.stderr
