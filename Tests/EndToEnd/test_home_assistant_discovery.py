"""What Tandem knows in Home Assistant without a line of YAML, and back: the real one, by its discovery (its MQTT documents)."""

import json
import types

import pytest

from home_assistant import PROGRAM, HomeAssistant
from http_receiver import Receiver
from hub import Hub, copy_of, eventually
from mqtt import Client

pytestmark = pytest.mark.skipif(
    not PROGRAM.exists(), reason="Home Assistant is not installed in .venv-homeassistant: run scripts/setup.sh test")


@pytest.fixture(scope="module")
def house(prepared, tmp_path_factory):
    """A hub with a fern, and a Home Assistant that was let in as the page does it."""
    folder = tmp_path_factory.mktemp("announced")
    hub = Hub(copy_of(prepared, folder / "data")).start().signed_in()
    sensor = hub.add_device()
    fern = hub.post("/api/plants", {"name": "Fern", "sensors": [sensor.id]})
    with Client.of(sensor) as client:
        client.publish(sensor.topic(), "41.5")
        client.publish(sensor.topic("battery"), "90")
    access = hub.post("/api/home-assistant/access")
    home = HomeAssistant(folder / "home-assistant").start()
    try:
        assert home.add_broker(hub, access["user"], access["password"])["type"] == "create_entry"
        yield types.SimpleNamespace(hub=hub, home=home, sensor=sensor, fern=fern["id"])
    finally:
        home.close()
        hub.close()


def entity(house, name, component="sensor"):
    return f"{component}.tandem_plants_{house.fern}_{name}"


def becomes(house, name, state, component="sensor", within=30):
    """Waits until an entity has a state; 12 is 12.0."""
    def is_so():
        found = house.home.state(entity(house, name, component))
        try:
            return float(found) == float(state)
        except (TypeError, ValueError):
            return found == state
    eventually(is_so, within, f"{name} {state}, not {house.home.state(entity(house, name, component))}")


def test_a_plant_appears_with_all_that_is_known_of_it(house):
    becomes(house, "moisture", "41.5")
    becomes(house, "battery", "90")
    becomes(house, "wants_water", "off", "binary_sensor")
    attributes = house.home.get(f"/api/states/{entity(house, 'moisture')}")["attributes"]
    assert attributes["unit_of_measurement"] == "%" and attributes["device_class"] == "moisture"
    assert attributes["friendly_name"] == "Fern Moisture"
    assert house.home.state(entity(house, "state")) not in (None, "unavailable", "unknown")


def test_it_follows_each_reading(house):
    with Client.of(house.sensor) as client:
        for value in ("40", "39.5", "12"):
            client.publish(house.sensor.topic(), value)
    becomes(house, "moisture", "12.0")
    becomes(house, "wants_water", "on", "binary_sensor")
    becomes(house, "days_to_water", "0")


def test_a_button_there_notes_a_watering_here_once(house):
    before = len(house.hub.get(f"/api/plants/{house.fern}/waterings"))
    house.home.post("/api/services/button/press", {"entity_id": entity(house, "watered", "button")})
    eventually(lambda: len(house.hub.get(f"/api/plants/{house.fern}/waterings")) == before + 1, what="the watering")


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_after_a_restart_of_the_hub_it_is_unavailable_and_comes_back(house, end):
    getattr(house.hub, end)()
    becomes(house, "moisture", "unavailable")
    house.hub.start().signed_in()
    becomes(house, "moisture", "12.0", within=60)


def test_after_a_restart_of_home_assistant_everything_is_there_again(house):
    house.home.stop()
    house.home.start()
    becomes(house, "moisture", "12.0", within=60)
    becomes(house, "battery", "90", within=60)


def test_a_new_name_arrives_and_the_entity_stays(house):
    house.hub.request("PATCH", f"/api/plants/{house.fern}", {"name": "Fern by the window"})
    eventually(
        lambda: house.home.get(f"/api/states/{entity(house, 'moisture')}")["attributes"]["friendly_name"]
        == "Fern by the window Moisture", 30, "the new name")


def test_people_appear_only_when_an_adult_says_so(house):
    person = house.hub.get("/api/home-assistant")["people"][0]
    brushed = f"binary_sensor.tandem_brushing_{person['id']}_morning"
    assert not person["isAnnounced"] and house.home.state(brushed) is None
    house.hub.put("/api/home-assistant", {"people": [person["id"]]})
    eventually(lambda: house.home.state(brushed) == "off", 30, "the person")
    house.hub.put("/api/home-assistant", {"people": []})
    eventually(lambda: house.home.state(brushed) is None, 30, "nobody")


def test_a_newer_version_of_the_hub_is_an_update_there(house):
    """The forge's path and answer are Forgejo's, "repoGetLatestRelease"."""
    forge = Receiver()
    try:
        forge.content["/api/v1/repos/owner/tandem/releases/latest"] = {"tag_name": "v999.1.0"}
        house.hub.put("/api/releases", {"address": f"{forge.url}/owner/tandem"})
        household = house.hub.get("/api/session")["household"]["id"]
        update = f"update.tandem_hub_{household}_update"
        eventually(lambda: house.home.state(update) == "on", 30, "the update")
        attributes = house.home.get(f"/api/states/{update}")["attributes"]
        assert (attributes["installed_version"], attributes["latest_version"]) == (house.hub.get("/api/hub")["version"], "999.1.0")
        house.hub.put("/api/releases", {})
        eventually(lambda: house.home.state(update) is None, 30, "no update")
    finally:
        forge.close()


def test_a_sensor_of_another_program_is_a_device_in_three_taps_and_keeps_its_topics(house):
    hub = house.hub
    program = hub.post("/api/home-assistant/access")  # A bridge with the same rights.
    config = {
        "name": "Soil moisture", "state_topic": "homeassistant/zigbee2mqtt/Aloe", "unique_id": "0xa4_soil_moisture",
        "unit_of_measurement": "%", "device_class": "moisture", "value_template": "{{ value_json.soil_moisture }}",
        "device": {"identifiers": ["zigbee2mqtt_0xa4"], "name": "Aloe", "manufacturer": "Tuya", "model": "TS0601"},
    }  # fmt: skip
    with Client(hub, program["user"], program["password"]) as bridge:
        bridge.publish("homeassistant/sensor/0xa4/soil_moisture/config", json.dumps(config), retain=True)
        bridge.publish("homeassistant/zigbee2mqtt/Aloe", '{"soil_moisture": 55, "battery": 100}')
        found = eventually(lambda: hub.get("/api/found-devices"), what="what was found")[0]
        assert (found["name"], found["model"], found["isAdoptable"]) == ("Aloe", "Tuya TS0601", True)
        assert (found["sensors"][0]["quantity"], found["sensors"][0]["value"]) == ("moisture", 55)
        made = hub.post(f"/api/found-devices/{found['id']}/adopt", {})
        show = lambda: {one["quantity"]: one["value"] for one in hub.get(f"/api/devices/{made['id']}")["series"]}  # noqa: E731
        eventually(lambda: show().get("moisture") == 55, what="the value that was heard before")
        bridge.publish("homeassistant/zigbee2mqtt/Aloe", '{"soil_moisture": 54}')
        assert show()["moisture"] == 54, "acknowledged means stored"
        assert hub.get("/api/found-devices")[0]["isAdopted"]
        bridge.publish("homeassistant/zigbee2mqtt/Aloe", '{"soil_moisture": "unavailable"}')
        assert show()["moisture"] == 54 and hub.get(f"/api/devices/{made['id']}")["errorCount"] == 0
        # Renamed there: another topic, the same sensor.
        bridge.publish(
            "homeassistant/sensor/0xa4/soil_moisture/config",
            json.dumps({**config, "state_topic": "homeassistant/zigbee2mqtt/AloeVera"}), retain=True)
        eventually(
            lambda: bridge.publish("homeassistant/zigbee2mqtt/AloeVera", '{"soil_moisture": 53}') or show()["moisture"] == 53,
            what="the value on its new topic")


def test_what_is_removed_here_is_gone_there_and_nothing_was_wrong(house):
    house.hub.request("DELETE", f"/api/plants/{house.fern}")
    eventually(lambda: house.home.state(entity(house, "moisture")) is None, 30, "the plant to go")
    errors = [line for line in house.home.mqtt_lines("ERROR")]
    assert errors == [], house.home.log
