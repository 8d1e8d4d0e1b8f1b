"""Home Assistant with the hub as its broker, as docs/site/sensors/home-assistant.md has it: the real one, with all its defaults."""

import re
import types

import pytest

import tls
from home_assistant import PROGRAM, HomeAssistant, let_in
from hub import ROOT, Hub, copy_of, eventually
from mqtt import Client
from test_metrics import scrape

pytestmark = pytest.mark.skipif(
    not PROGRAM.exists(), reason="Home Assistant is not installed in .venv-homeassistant: run scripts/setup.sh test")

FOREIGN = "homeassistant/sensor/n1/moisture/config"


def documented(device):
    """What the page says to write into configuration.yaml: a sensor's readings to Tandem, and back."""
    page = (ROOT / "docs/site/sensors/home-assistant.md").read_text()
    there, back = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[:2]
    assert "tandem/ID/moisture" in there and "tandem/ID/moisture" in back
    return (there + back).replace("ID", device.id)


def is_born(hub, home, act):
    """Does something upon which Home Assistant connects; returns once it has subscribed to all that it wants, behind which
    comes its birth, the one message that it sends by itself."""
    messages, let_in_before = ("tandem_mqtt_messages_received_total", "0"), home.connections
    before = scrape(hub)[0][messages] if hub.is_running else 0
    act()
    eventually(lambda: home.connections == let_in_before + 1, 60, "Home Assistant at the hub")
    eventually(lambda: scrape(hub)[0][messages] > before, 60, "Home Assistant's birth")


@pytest.fixture(scope="module")
def house(prepared, tmp_path_factory):
    """A hub, a Home Assistant that it let in by the line of the command's help, and the sensor of its documents."""
    folder = tmp_path_factory.mktemp("house")
    hub = Hub(copy_of(prepared, folder / "data")).start().signed_in()
    fern = hub.add_device()
    user, token = let_in(hub, "tandem/#")
    home = HomeAssistant(folder / "home-assistant", documented(fern)).start()
    try:
        is_born(hub, home, lambda: home.add_broker(hub, user, token))
        yield types.SimpleNamespace(hub=hub, home=home, fern=fern)
    finally:
        home.close()
        hub.close()


@pytest.fixture
def connected(house):
    """The same, connected now, and without an error of MQTT's in Home Assistant at the end."""
    hub, home = house.hub, house.home
    eventually(lambda: scrape(hub)[0]["tandem_mqtt_connections",] == 1, 20, "one connection at the hub")
    house.before = len(home.mqtt_lines("WARNING", "ERROR"))
    yield house
    assert home.mqtt_lines("ERROR") == [], home.log


def complaints(house):
    """What MQTT had to complain of in Home Assistant since the test began."""
    return house.home.mqtt_lines("WARNING", "ERROR")[house.before :]


def last(house, value):
    """Publishes one more reading, which is stored behind all that came before it."""
    house.home.publish(house.fern.topic("temperature"), str(value))
    assert house.fern.readings("temperature")[-1][1] == value


def test_what_is_not_for_the_hub_is_put_aside_and_the_connection_stays(connected):
    """Its birth, and a node's discovery, by itself in each quality and by the node [MQTT-3.3.5-2]."""
    hub, home, fern = connected.hub, connected.home, connected.fern
    assert "topic=homeassistant/status" in hub.log
    before, connections = scrape(hub)[0]["tandem_mqtt_messages_refused_total", "foreign_topic"], home.connections
    for quality in (0, 1, 2):
        home.publish(FOREIGN, '{"name": "Moisture", "state_topic": "n1/moisture"}', quality, retain=True)
    with Client.of(hub.add_device("A node")) as node:
        node.publish(FOREIGN, '{"name": "Moisture", "state_topic": "n1/moisture"}', retain=True)
    last(connected, 20)
    assert scrape(hub)[0]["tandem_mqtt_messages_refused_total", "foreign_topic"] == before + 4
    assert fern.show()["errorCount"] == 0
    assert home.connections == connections and complaints(connected) == []
    assert home.state("sensor.moisture") is None, "a discovery that nobody was granted was handed on"


def test_a_state_is_a_reading_by_the_documents_automation_and_comes_back_to_their_sensor(connected):
    home, fern = connected.home, connected.fern
    before = len(fern.readings())
    for state in ("41.5", "unavailable", "unknown", "42"):
        home.set_state("sensor.fern_soil_moisture", state)
    eventually(lambda: fern.value() == 42, what="the reading")
    assert [value for _, value in fern.readings()[before:]] == [41.5, 42]
    eventually(lambda: home.state("sensor.fern_moisture") == "42", what="the documents' sensor")
    assert fern.show()["errorCount"] == 0 and complaints(connected) == []


def test_values_that_come_faster_than_they_are_stored_are_all_readings(connected):
    home, fern = connected.home, connected.fern
    before = len(fern.readings())
    values = [10 + number / 2 for number in range(60)]
    for value in values:
        home.set_state("sensor.fern_soil_moisture", value)
    eventually(lambda: fern.value() == values[-1], 20, "the last reading")
    assert [value for _, value in fern.readings()[before:]] == values


def test_a_service_that_returned_has_stored_its_reading(connected):
    home, fern = connected.home, connected.fern
    at = 1_795_220_639_132
    for number in range(20):
        home.publish(fern.topic("readings"), f'{{"light": {number}, "at": {at + number}}}')
        assert (at + number, number) in fern.readings("light")
    home.publish(fern.topic("humidity"), "41", 2)
    eventually(lambda: fern.value("humidity") == 41, what="the reading of QoS 2")
    assert complaints(connected) == []


def test_what_it_had_retained_is_no_new_reading_after_its_restart(connected):
    home, fern = connected.home, connected.fern
    home.publish(fern.topic(), "33.5", retain=True)
    stored = fern.readings()
    assert stored[-1][1] == 33.5
    home.stop()
    is_born(connected.hub, home, home.start)
    eventually(lambda: home.state("sensor.fern_moisture") == "33.5", 20, "the retained value at its sensor")
    home.publish(fern.topic(), "33.5", retain=True)
    last(connected, 21)
    assert fern.readings() == stored, "what it kept is counted again"
    home.publish(fern.topic(), "34", retain=True)
    assert [value for _, value in fern.readings()[len(stored) :]] == [34]
    home.publish(fern.topic(), "", retain=True)
    assert fern.show()["errorCount"] == 0 and complaints(connected) == []


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_it_comes_back_by_itself_after_a_restart_of_the_hub(connected, end):
    hub, home, fern = connected.hub, connected.home, connected.fern
    before, losses_before = len(fern.readings()), home.losses
    home.set_state("sensor.fern_soil_moisture", "50")
    eventually(lambda: len(fern.readings()) == before + 1, what="the reading before it")
    getattr(hub, end)()
    eventually(lambda: home.losses > losses_before, what="the loss in its log")
    is_born(hub, home, lambda: hub.start().signed_in())
    home.set_state("sensor.fern_soil_moisture", "52")
    eventually(lambda: fern.value() == 52, 30, "a reading after it")
    eventually(lambda: home.state("sensor.fern_moisture") == "52", what="the documents' sensor")
    assert [value for _, value in fern.readings()[before:]] == [50, 52]


@pytest.mark.parametrize("way", ["MQTT 5.0", "TLS"])
def test_it_stays_in_each_way_that_its_dialog_offers(prepared, tmp_path, way):
    """MQTT 5.0 has a word for what is not the program's own, except for QoS 0; with TLS the authority's certificate is uploaded."""
    hub = Hub(copy_of(prepared, tmp_path / "data"), lan="linden" if way == "TLS" else None).start().signed_in()
    fern = hub.add_device()
    home = HomeAssistant(tmp_path / "home-assistant", documented(fern)).start()
    options = {"protocol": "5"}
    try:
        if way == "TLS":
            certificate = home.upload(tls.authority(hub, tmp_path))
            options = {"port": hub.mqtts_port, "set_ca_cert": "custom", "certificate": certificate}
        user, token = let_in(hub, "tandem/#")
        is_born(hub, home, lambda: home.add_broker(hub, user, token, **options))
        for quality in (0, 1, 2):
            home.publish(FOREIGN, '{"name": "Moisture", "state_topic": "n1/moisture"}', quality, retain=True)
        home.set_state("sensor.fern_soil_moisture", "44.5")
        eventually(lambda: home.state("sensor.fern_moisture") == "44.5", what="the reading, there and back")
        assert [value for _, value in fern.readings()] == [44.5]
        assert home.connections == 1 and home.losses == 0 and home.mqtt_lines("WARNING", "ERROR") == []
    finally:
        home.close()
        hub.close()


def test_with_its_own_topics_too_it_finds_what_announces_itself_there(prepared, tmp_path):
    hub = Hub(copy_of(prepared, tmp_path / "data")).start().signed_in()
    home = HomeAssistant(tmp_path / "home-assistant").start()
    user, token = let_in(hub, "tandem/#", "homeassistant/#")
    announcer, secret = let_in(hub, "homeassistant/#")
    sensor = hub.add_device()
    try:
        assert home.add_broker(hub, user, "another token")["errors"] == {"base": "cannot_connect"}
        with Client(hub, announcer, secret) as client:
            client.subscribe("homeassistant/status")
            assert home.add_broker(hub, user, token)["type"] == "create_entry"
            assert client.next(30) == ("homeassistant/status", b"online", False)
            client.publish(
                "homeassistant/sensor/fern/config",
                f'{{"name": "Announced", "state_topic": "{sensor.topic()}", "unique_id": "fern"}}', retain=True)
        eventually(lambda: home.state("sensor.announced") == "unknown", 30, "the announced sensor")
        with Client.of(sensor) as client:
            # Retained: Home Assistant subscribes a second after it shows a sensor.
            client.publish(sensor.topic(), "47.5", retain=True)
        eventually(lambda: home.state("sensor.announced") == "47.5", what="the sensor's value")
        home.stop()
        with Client(hub, announcer, secret) as client:
            client.subscribe("homeassistant/status")
            home.start()
            assert client.next(30) == ("homeassistant/status", b"online", False)
        eventually(lambda: home.state("sensor.announced") is not None, 30, "the sensor after a restart")
        assert home.losses == 0 and home.mqtt_lines("WARNING", "ERROR") == []
        assert [value for _, value in sensor.readings()] == [47.5]
        assert scrape(hub)[0]["tandem_mqtt_messages_refused_total", "foreign_topic"] == 0
    finally:
        home.close()
        hub.close()
