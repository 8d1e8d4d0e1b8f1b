"""The hub as a client of the broker that a house has already: Debian's mosquitto, killed and started again."""

import json
import subprocess

import pytest

from house_broker import HouseBroker
from hub import Hub, Problem, copy_of, eventually

CONFIG = {
    "name": "Soil moisture", "state_topic": "zigbee2mqtt/Fern", "unique_id": "0xb1_soil_moisture", "unit_of_measurement": "%",
    "device_class": "moisture", "value_template": "{{ value_json.soil_moisture }}",
    "device": {"identifiers": ["zigbee2mqtt_0xb1"], "name": "Fern", "manufacturer": "Tuya", "model": "TS0601"},
}  # fmt: skip
ANNOUNCED = "homeassistant/sensor/0xb1/soil_moisture/config"


def state(hub):
    return (hub.get("/api/home-assistant")["broker"] or {}).get("state")


def joined(hub, broker, **options):
    hub.put(
        "/api/home-assistant/broker", {"url": broker.url, "user": broker.user, "password": broker.password, **options})
    eventually(lambda: state(hub) == "connected", 20, "the hub at the broker")


def adopted(hub, broker):
    """The fern of another program's, as a device of the hub."""
    broker.publish(ANNOUNCED, json.dumps(CONFIG), "-r")
    found = eventually(lambda: hub.get("/api/found-devices"), what="what was found")[0]
    return hub.post(f"/api/found-devices/{found['id']}/adopt", {})["id"]


def moisture(hub, device):
    return [row["value"] for row in hub.export(device) if row["series"].endswith("moisture")]


@pytest.fixture
def broker(tmp_path):
    with HouseBroker(tmp_path / "broker") as broker:
        yield broker


@pytest.mark.parametrize("is_version_5", [True, False], ids=["MQTT 5", "MQTT 3.1.1"])
def test_a_sensor_at_the_broker_is_a_device_and_what_the_hub_knows_is_there(hub, broker, is_version_5):
    joined(hub, broker, isVersion5=is_version_5)
    device = adopted(hub, broker)
    for value in (41, 42, 43):
        broker.publish("zigbee2mqtt/Fern", json.dumps({"soil_moisture": value, "linkquality": 80}))
    eventually(lambda: moisture(hub, device) == [41, 42, 43], what="the readings")
    plant = hub.post("/api/plants", {"name": "Fern", "sensors": [device]})["id"]
    topic = f"homeassistant/sensor/tandem_plants_{plant}/moisture/config"
    eventually(lambda: topic in broker.retained("homeassistant/#", 1), 20, "the plant at the broker")
    kept = broker.retained("tandem/#", 1)
    assert json.loads(kept[f"tandem/plants/{plant}/state"])["moisture"] == 43
    assert [payload for topic, payload in kept.items() if topic.endswith("/status")] == ["online"]
    # A button of Home Assistant's, at that broker.
    broker.publish(f"tandem/plants/{plant}/watered/set", "PRESS")
    eventually(lambda: hub.get(f"/api/plants/{plant}/waterings"), what="the watering")
    hub.kill()
    eventually(lambda: "offline" in broker.retained("tandem/hub/#", 1).values(), 20, "the will")
    hub.start().signed_in()
    eventually(lambda: "online" in broker.retained("tandem/hub/#", 1).values(), 20, "the hub again")


def test_what_came_while_the_hub_was_away_is_stored_once(hub, broker):
    joined(hub, broker)
    device = adopted(hub, broker)
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 50}')
    eventually(lambda: moisture(hub, device) == [50], what="the first reading")
    hub.kill()
    for value in (49, 48):
        broker.publish("zigbee2mqtt/Fern", json.dumps({"soil_moisture": value}))
    hub.start().signed_in()
    eventually(lambda: moisture(hub, device) == [50, 49, 48], 30, "what the broker kept for it")


def test_a_value_that_is_retained_and_comes_again_is_no_new_reading(hub, broker):
    joined(hub, broker)
    device = adopted(hub, broker)
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 37}', "-r")
    eventually(lambda: moisture(hub, device) == [37], what="the reading")
    for _ in range(2):
        broker.stop()
        eventually(lambda: state(hub) == "failed", 20, "the loss")
        broker.start()
        eventually(lambda: state(hub) == "connected", 90, "the hub at the broker again")
        hub.terminate()
        hub.start().signed_in()
        eventually(lambda: state(hub) == "connected", 30, "the hub at the broker after its restart")
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 36}')
    eventually(lambda: moisture(hub, device)[-1] == 36, what="a new reading")
    assert moisture(hub, device) == [37, 36]


def test_with_tls_by_its_authority_or_its_fingerprint_and_no_other(hub, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
         tmp_path / "key.pem", "-out", tmp_path / "certificate.pem", "-days", "30", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)  # fmt: skip
    fingerprint = subprocess.run(
        ["openssl", "x509", "-in", tmp_path / "certificate.pem", "-noout", "-fingerprint", "-sha256"], check=True,
        capture_output=True, text=True).stdout.split("=")[1].strip()  # fmt: skip
    with HouseBroker(tmp_path / "broker", tmp_path / "certificate.pem", tmp_path / "key.pem") as broker:
        url = broker.url.replace("mqtt:", "mqtts:")
        who = {"url": url, "user": broker.user, "password": broker.password}
        hub.put("/api/home-assistant/broker", who)
        eventually(lambda: state(hub) == "failed", 20, "no trust")
        assert "not trusted" in hub.get("/api/home-assistant")["broker"]["words"]
        hub.put("/api/home-assistant/broker", {**who, "fingerprint": fingerprint})
        eventually(lambda: state(hub) == "connected", 20, "by the fingerprint")
        wrong = fingerprint.replace(fingerprint[:2], "00" if fingerprint[:2] != "00" else "11", 1)
        hub.put("/api/home-assistant/broker", {**who, "fingerprint": wrong})
        eventually(lambda: state(hub) == "failed", 20, "another certificate")
        hub.put("/api/home-assistant/broker", {**who, "authority": (tmp_path / "certificate.pem").read_text()})
        eventually(lambda: state(hub) == "connected", 20, "by the authority")


def test_a_wrong_password_is_told_in_words_and_the_hub_goes_on(hub, broker):
    hub.put("/api/home-assistant/broker", {"url": broker.url, "user": broker.user, "password": "no such one"})
    eventually(lambda: state(hub) == "failed", 20, "the refusal")
    shown = hub.get("/api/home-assistant")["broker"]
    assert "name and the password" in shown["words"] and "no such one" not in json.dumps(shown)
    assert "no such one" not in hub.log and broker.password not in hub.log
    joined(hub, broker)


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("url", {"url": "http://x"}), ("url", {"url": "mqtt://"}), ("url", {"url": "mqtt://x:99999"}),
        ("url", {"url": "homeassistant.local"}), ("filters", {"url": "mqtt://x", "filters": ["a/#/b"]}),
        ("fingerprint", {"url": "mqtts://x", "fingerprint": "abc"}), ("authority", {"url": "mqtts://x", "authority": "abc"}),
    ],
)  # fmt: skip
def test_a_broker_that_cannot_be_is_refused_at_its_field(hub, field, body):
    with pytest.raises(Problem) as refused:
        hub.put("/api/home-assistant/broker", body)
    assert refused.value.status == 422 and refused.value.body["field"] == field


def test_the_hub_is_not_its_own_broker(hub):
    access = hub.post("/api/home-assistant/access")
    hub.put(
        "/api/home-assistant/broker",
        {"url": f"mqtt://127.0.0.1:{hub.mqtt_port}", "user": access["user"], "password": access["password"]})
    eventually(lambda: "is this hub itself" in hub.log, 20, "the loop to be seen")


def test_it_reads_at_most_what_was_granted(hub, broker):
    joined(hub, broker, filters=["homeassistant/#"])
    broker.publish(ANNOUNCED, json.dumps(CONFIG), "-r")
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 41}', "-r")
    found = eventually(lambda: hub.get("/api/found-devices"), what="what was found")[0]
    device = hub.post(f"/api/found-devices/{found['id']}/adopt", {})["id"]
    log = eventually(lambda: "homeassistant/status" in broker.log.read_text() and broker.log.read_text(), what="its subscription")
    assert "zigbee2mqtt/Fern (QoS" not in log
    assert moisture(hub, device) == []


HOSTILE = {
    "recursion": "[" * 60_000,
    "a million bytes": json.dumps({**CONFIG, "name": "x" * 1_000_000}),
    "markup": json.dumps({**CONFIG, "device": {"identifiers": ["m"], "name": "<script>alert(1)</script>"}}),
    "wildcards": json.dumps({**CONFIG, "state_topic": "#"}),
    "a template that is a program": json.dumps({**CONFIG, "value_template": "{{ states | map('x') | join }}"}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_announcement_costs_nothing_good_beside_it(hub, broker, kind, tmp_path):
    joined(hub, broker)
    device = adopted(hub, broker)
    payload = tmp_path / "payload"
    payload.write_text(HOSTILE[kind])
    subprocess.run(
        ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-u", broker.user, "-P", broker.password, "-t",
         "homeassistant/sensor/hostile/x/config", "-f", payload, "-q", "1"], check=True, timeout=30)  # fmt: skip
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 44}')
    eventually(lambda: moisture(hub, device) == [44], what="the good reading")
    assert state(hub) == "connected" and hub.get("/healthz")
    names = [one["name"] for one in hub.get("/api/found-devices")]
    assert "Fern" in names


def test_ten_thousand_announcements_are_bounded_and_told(hub, broker):
    import paho.mqtt.client as paho

    joined(hub, broker)
    device = adopted(hub, broker)
    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.username_pw_set(broker.user, broker.password)
    client.max_queued_messages_set(0)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    for number in range(10_000):
        last = client.publish(
            f"homeassistant/sensor/n{number}/m/config",
            json.dumps({"state_topic": f"s/{number}", "unique_id": f"u{number}", "device_class": "moisture"}), qos=1)  # fmt: skip
    last.wait_for_publish(60)
    client.loop_stop()
    client.disconnect()
    broker.publish("zigbee2mqtt/Fern", '{"soil_moisture": 45}')
    eventually(lambda: moisture(hub, device) == [45], 60, "the good reading")
    assert hub.get("/api/home-assistant")["found"] <= 5_000


def test_what_was_announced_is_taken_back_when_the_broker_is_left_and_when_it_went_unseen(hub, broker):
    joined(hub, broker)
    device = adopted(hub, broker)
    plants = [hub.post("/api/plants", {"name": name})["id"] for name in ("Fern", "Aloe")]
    eventually(lambda: len([one for one in broker.retained("homeassistant/button/#", 1)]) == 4, 20, "two buttons for each")
    # One goes while the broker is away, and the hub forgets that it was ever there.
    broker.stop()
    eventually(lambda: state(hub) == "failed", 20, "the loss")
    hub.request("DELETE", f"/api/plants/{plants[0]}")
    hub.terminate()
    broker.start()
    assert any(plants[0] in topic for topic in broker.retained("homeassistant/#", 1))
    hub.start().signed_in()
    eventually(
        lambda: not any(plants[0] in topic for topic in broker.retained("homeassistant/#", 1)), 40, "the plant to go")
    assert any(plants[1] in topic for topic in broker.retained("homeassistant/#", 1))
    hub.request("DELETE", "/api/home-assistant/broker")
    eventually(
        lambda: not [one for one in broker.retained("#", 1) if "tandem" in one], 20,
        f"nothing of Tandem’s, beside {sorted(broker.retained('#', 1))}")
    assert hub.get(f"/api/devices/{device}")


def test_an_event_is_heard_there_of_those_who_appear_alone(hub, broker):
    import brushing_blobs
    from test_brushed_event import just_now

    joined(hub, broker)
    person = hub.get("/api/home-assistant")["people"][0]["id"]
    topic = f"tandem/brushing/{person}/event/brushed"
    brushing_blobs.deliver(hub, person, just_now(1_000))
    hub.put("/api/home-assistant", {"people": [person]})
    eventually(lambda: f"homeassistant/device_automation/tandem_brushing_{person}/brushed/config"
               in broker.retained("homeassistant/#", 1), 20, "the trigger")  # fmt: skip
    heard = subprocess.Popen(
        ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), "-u", broker.user, "-P", broker.password, "-t",
         "tandem/+/+/event/+", "-C", "1", "-W", "20", "-v"], stdout=subprocess.PIPE, text=True)  # fmt: skip
    eventually(lambda: "tandem/+/+/event/+" in broker.log.read_text(), what="its subscription")
    brushing_blobs.deliver(hub, person, just_now())
    said = heard.communicate(timeout=30)[0]
    assert said.startswith(topic + " ") and json.loads(said.split(" ", 1)[1])["person"] == person


def test_a_sensors_own_token_calls_nothing_and_speaks_for_no_other(hub, broker):
    from mqtt import Client, mosquitto_pub

    joined(hub, broker)
    plant = hub.post("/api/plants", {"name": "Fern"})["id"]
    program = hub.post("/api/home-assistant/access")
    announced = {**CONFIG, "state_topic": "homeassistant/z/Fern"}
    with Client(hub, program["user"], program["password"]) as bridge:
        bridge.publish(ANNOUNCED, json.dumps(announced), retain=True)
        found = eventually(lambda: hub.get("/api/found-devices"), what="what was found")[0]
        device = hub.post(f"/api/found-devices/{found['id']}/adopt", {})["id"]
        bridge.publish("homeassistant/z/Fern", '{"soil_moisture": 50}')
        stranger = hub.add_device("Stranger")
        mosquitto_pub(stranger, "-t", f"tandem/plants/{plant}/watered/set", "-m", "PRESS", "-q", "1")
        mosquitto_pub(stranger, "-t", "homeassistant/z/Fern", "-m", '{"soil_moisture": 1}', "-q", "1")
        bridge.publish("homeassistant/z/Fern", '{"soil_moisture": 51}')
    assert moisture(hub, device) == [50, 51]
    assert hub.get(f"/api/plants/{plant}/waterings") == []


def test_a_broker_that_is_killed_and_started_again_loses_and_doubles_nothing_that_was_acknowledged(hub, broker):
    joined(hub, broker)
    device = adopted(hub, broker)
    for value in (41, 42):
        broker.publish("zigbee2mqtt/Fern", json.dumps({"soil_moisture": value}))
    eventually(lambda: moisture(hub, device) == [41, 42], what="the first readings")
    broker.kill()
    eventually(lambda: state(hub) != "connected", what="that the broker is gone")
    broker.start()
    # What mosquitto had not written down is gone with it: its session of the hub, and what is retained. Both come again.
    eventually(lambda: state(hub) == "connected", 40, "the hub at the broker again")
    broker.publish(ANNOUNCED, json.dumps(CONFIG), "-r")
    for value in (43, 44):
        broker.publish("zigbee2mqtt/Fern", json.dumps({"soil_moisture": value}))
    eventually(lambda: moisture(hub, device) == [41, 42, 43, 44], 20, "the readings after it")
