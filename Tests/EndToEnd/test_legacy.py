"""The original Plant-Tracker app's dialogue, byte for byte, over rpi/torpi and rpi/fromrpi."""

import contextlib
import itertools
import json
import socket
import ssl
import types
import urllib.parse

import pytest

from hub import Hub, free_port, tandem
from mqtt import Client, Wire, connect_packet
from shared_hub import shared_hub

HOST = "Host-RPI3B+"
# Gardens are told apart by what a phone says it is called: each test is another phone.
NUMBERS = itertools.count(1)

legacy_hub = shared_hub(legacy=True)


class App:
    """The original app: anonymous, QoS 0, one topic each way."""

    def __init__(self, hub, model="iPhone"):
        self.name = f"{model} {next(NUMBERS)}"
        self.path = f"/api/plants/legacy/{urllib.parse.quote(self.name)}"
        self.client = Client(hub).connect()
        assert self.client.subscribe("rpi/fromrpi", 0) == [0]

    def request(self, operation, payload="all", receiver=HOST):
        return f"ID:0;sender:{self.name};receiver:{receiver};payload:{payload};operation:{operation}"

    def say(self, message):
        self.client.publish("rpi/torpi", message, quality=0)

    def hear(self):
        topic, payload, _ = self.client.next()
        assert topic == "rpi/fromrpi"
        return payload.decode()

    def ask(self, operation, payload="all"):
        self.say(self.request(operation, payload))
        return self.hear()

    def answer(self, operation, payload):
        return f"ID:0;sender:{HOST};receiver:{self.name};payload:{payload};operation:{operation}"

    def error(self, tag, offending):
        return self.answer(tag, offending.replace(";", "||").replace(":", "--"))

    def plants(self):
        answer = self.ask("REQ_numPlants")
        head, tail = f"ID:0;sender:{HOST};receiver:{self.name};payload:", ";operation:RES_numPlants"
        assert answer.startswith(head) and answer.endswith(tail), answer
        return int(answer[len(head) : -len(tail)])


@pytest.fixture
def app(legacy_hub):
    app = App(legacy_hub)
    yield app
    app.client.disconnect()


def test_a_client_without_a_file_is_told_that_there_is_no_data(app):
    request = app.request("REQ_numPlants")
    assert app.ask("REQ_numPlants") == app.error("ERR_noPlantDataToRequest", request)


def test_a_plant_is_added_in_silence_named_at_startup_renamed_and_deleted(app):
    app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
    assert app.plants() == 1
    for operation in ("REQ_plantInfoOnStartup", "REQ_plantInfoOnStatup"):
        answer = app.ask(operation, "0")
        head, tail = f"ID:0;sender:{HOST};receiver:{app.name};payload:", ";operation:RES_plantInfoOnStartup"
        assert answer.startswith(head) and answer.endswith(tail)
        plant = json.loads(answer[len(head) : -len(tail)].replace("--", ":"))
        assert plant["Name"] == "Fern" and json.loads(plant["Sensors"]) == ["36"]
    app.say(app.request("REQ_editPlant", "Fern,Basil"))
    assert '"Basil"' in app.ask("REQ_plantInfoOnStartup", "0")
    app.say(app.request("REQ_deletePlant", "Basil"))
    assert app.plants() == 0


def test_the_older_form_of_an_added_plant_is_read(app):
    app.say(app.request("REQ_addNewPlant", 'Fern||["36"]'))
    assert app.plants() == 1


def test_each_mistake_has_its_tag_and_the_message_comes_back(app):
    name = app.name
    nothing = app.request("REQ_plantSensorData", "all")
    app.say(nothing)
    assert app.hear() == app.error("ERR_noPlantDataToRequest", nothing)
    app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
    mistakes = [
        ("ERR_missingVals", f"ID:0;sender:{name};receiver:{HOST};payload;operation:REQ_numPlants"),
        ("ERR_missingKeys", f"ID:0;sender:{name};receiver:{HOST};payload:a:b;operation:REQ_numPlants"),
        ("ERR_hashLength", f"ID:0;sender:{name};receiver:{HOST};operation:REQ_numPlants"),
        ("ERR_invalidOpTag", app.request("REQ_somethingElse")),
        ("ERR_cannotDeletePlant", app.request("REQ_deletePlant", "Nobody")),
        ("ERR_plantNameTooLong", app.request("REQ_addNewPlant", 'A name of sixteen--["36"]')),
    ]
    for tag, message in mistakes:
        app.say(message)
        assert app.hear() == app.error(tag, message)


def test_a_name_is_taken_once_and_seven_plants_are_enough(app):
    first = app.request("REQ_addNewPlant", 'Plant 1--["36"]')
    app.say(first)
    app.say(first)
    assert app.hear() == app.error("ERR_plantNameTaken", first)
    for number in range(2, 8):
        app.say(app.request("REQ_addNewPlant", f'Plant {number}--["36"]'))
    eighth = app.request("REQ_addNewPlant", 'Plant 8--["36"]')
    app.say(eighth)
    assert app.hear() == app.error("ERR_tooManyPlants", eighth)


def test_two_clients_have_their_own_gardens(legacy_hub):
    first, second = App(legacy_hub), App(legacy_hub, "iPad")
    first.say(first.request("REQ_addNewPlant", 'Fern--["36"]'))
    assert first.plants() == 1
    second.hear()  # what was for the first one: the original tells everybody
    second.say(second.request("REQ_addNewPlant", 'Basil--["37"]'))
    second.say(second.request("REQ_deletePlant", "Basil"))
    assert second.plants() == 0
    first.client.disconnect()
    second.client.disconnect()


def test_more_than_fifteen_messages_in_fifteen_seconds_are_spam(app):
    app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
    answers = []
    # The windows lie fast: of so many messages in less than fifteen seconds one window has sixteen, and two may share the rest.
    while len(answers) < 31 and (answer := app.ask("REQ_numPlants")) == app.answer("RES_numPlants", "1"):
        answers.append(answer)
    assert len(answers) >= 14 and answer == app.answer("ERR_kickedForSpam", "none")
    app.client.closed.get(timeout=10)


def test_a_mapped_sensor_answers_with_the_hubs_device(legacy_hub, app):
    device = legacy_hub.add_device()
    with Client.of(device) as sensor:
        sensor.publish(device.topic(), "7")
        sensor.publish(device.topic("temperature"), "20")
    app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
    assert app.plants() == 1
    legacy_hub.request("PUT", f"{app.path}/sensors/36", {"device": device.id})
    answer = app.ask("REQ_plantSensorData", "Fern")
    assert answer.endswith(";operation:RES_plantSensorData")
    assert "Fern" in answer and "36" in answer and ":" not in answer.split("payload:")[1].split(";")[0]


def test_an_address_that_answers_nothing_is_reported_when_read(app):
    app.say(app.request("REQ_addNewPlant", 'Fern--["test id"]'))
    request = app.request("REQ_plantSensorData", "Fern")
    assert app.plants() == 1
    app.say(request)
    assert app.hear() == app.error("ERR_invalidPlantSensorID", request)


def test_a_garden_is_listed_and_can_be_adopted(legacy_hub, app):
    app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
    assert app.plants() == 1
    assert legacy_hub.get("/api/plants/legacy")["enabled"] is True

    def garden():
        return next(one for one in legacy_hub.get("/api/plants/legacy")["clients"] if one["client"] == app.name)

    assert garden()["plants"] == [{"name": "Fern", "sensors": ["36"]}]
    legacy_hub.post(f"{app.path}/adopt")
    assert garden()["adoptedBy"] == "Tess"


@pytest.mark.parametrize("topic", ["#", "rpi/#", "rpi/torpi/#", "tandem/#", "+/fromrpi"])
def test_an_anonymous_client_hears_nothing_else(app, topic):
    assert app.client.subscribe(topic, 0) == [128]


def test_an_anonymous_client_says_nothing_elsewhere(legacy_hub):
    device = legacy_hub.add_device()
    stranger = Client(legacy_hub).connect()
    stranger.publish(device.topic(), "99", quality=1)  # acknowledged, as MQTT 3.1.1 wants it, and put aside
    assert device.value() is None


def test_legacy_has_no_retained_messages(app, legacy_hub):
    app.client.publish("rpi/torpi", app.request("REQ_numPlants"), quality=0, retain=True)
    later = Client(legacy_hub).connect(expect=None)
    if later.paho.is_connected() and later.subscribe("rpi/torpi", 0) != [128]:
        later.publish("rpi/torpi", "marker", quality=0)
        assert later.next()[2] is False
    later.disconnect()


def test_legacy_is_off_unless_it_was_asked_for(hub):
    wire = Wire(hub, connect=False)
    wire.send(connect_packet(client_id="iPhone SE"))
    assert wire.exactly(4)[3] in (4, 5)
    assert hub.get("/api/plants/legacy")["enabled"] is False


def test_legacy_has_an_address_and_a_port_of_its_own(data):
    host, port = "127.0.0.9", free_port()
    flags = ["--legacy-host", host, "--legacy-port", str(port)]
    with contextlib.closing(Hub(data, *flags, legacy=True).start().signed_in()) as hub:
        assert f"plain MQTT on {host} port {port}, for rpi/torpi and rpi/fromrpi alone." in hub.log
        own = types.SimpleNamespace(mqtt_host=host, mqtt_port=port)
        app = App(own)
        app.say(app.request("REQ_addNewPlant", 'Fern--["36"]'))
        assert app.plants() == 1
        assert app.client.subscribe("tandem/#", 0) == [128]
        app.client.disconnect()
        # What has a name and a token signs in on the hub's own ports.
        device = hub.add_device()
        wire = Wire(own, connect=False)
        wire.send(connect_packet(device.id, device.token))
        assert wire.exactly(4)[3] == 5
        Client.of(device).connect().disconnect()
        told = tandem("doctor", "--data", data, "--legacy", "plants", *flags, check=False).stdout
        assert f"Legacy plants: plain MQTT on {host} port {port}" in told


def test_a_legacy_address_that_cannot_be_is_said(tmp_path):
    for flags, words in (
        (["--legacy-host", "127.0.0.9"], "--legacy-host goes with --legacy"),
        (["--legacy", "plants", "--legacy-host", "0.0.0.0"], "where the hub’s own MQTT is"),
        (["--legacy", "plants", "--legacy-host", "127.0.0.1"], "another --mqtt-port"),
    ):
        told = tandem("serve", "--data", tmp_path / "data", *flags, check=False)
        assert told.returncode == 64 and words in told.stderr, told.stderr


def test_legacy_is_not_heard_on_the_port_with_tls(data):
    with contextlib.closing(Hub(data, lan="linden", legacy=True).start().signed_in()) as hub:
        trust = ssl.create_default_context(cafile=hub.data / "authority/authority.pem")
        plain = socket.create_connection(("127.0.0.1", hub.mqtts_port), timeout=10)
        with trust.wrap_socket(plain, server_hostname=hub.name) as stranger:
            stranger.sendall(connect_packet(client_id="iPhone SE"))
            assert stranger.recv(4)[:3] == b"\x20\x02\x00" and stranger.recv(4) == b""
        # On its own port it is.
        App(hub).client.disconnect()
