"""MQTT 5.0 and QoS 2 with other people's clients: Paho's for both versions, mosquitto's commands, and aiomqtt."""

import asyncio
import subprocess
from concurrent.futures import ThreadPoolExecutor

import aiomqtt
import paho.mqtt.client as paho
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from hub import Hub, eventually
from mqtt import Client, mosquitto_sub
from shared import shared_hub

hub = shared_hub()


class Client5(Client):
    """Paho's client in MQTT 5.0, with a session that lives for an hour unless said otherwise."""

    def __init__(self, device, client_id, expiry=3600, clean=False):
        super().__init__(device.hub, device.id, device.token, client_id=client_id)
        self.clean, self.expiry = clean, expiry
        callbacks = {name: getattr(self.paho, name) for name in (
            "on_connect", "on_disconnect", "on_message", "on_subscribe", "on_publish")}  # fmt: skip
        self.paho = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=client_id, protocol=paho.MQTTv5, reconnect_on_failure=False
        )
        self.paho.username_pw_set(device.id, device.token)
        for name, callback in callbacks.items():
            setattr(self.paho, name, callback)

    def connect(self, expect=0, keepalive=60):
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = self.expiry
        self.paho.connect("127.0.0.1", self.hub.mqtt_port, keepalive, clean_start=self.clean, properties=properties)
        self.paho.loop_start()
        code, self.session_present = self.connected.get(timeout=10)
        assert code == expect, f"CONNACK said {code}"
        return self


@pytest.mark.parametrize("quality", [0, 1, 2])
def test_a_reading_of_mosquitto_pub_in_mqtt_5_is_stored_once(device, quality):
    subprocess.run(
        [
            "mosquitto_pub", "-V", "5", "-h", "127.0.0.1", "-p", str(device.hub.mqtt_port), "-u", device.id, "-P",
            device.token, "-q", str(quality), "-t", device.topic(), "-m", '{"value": 41.5, "at": 1795220639132}',
            "-D", "publish", "user-property", "room", "kitchen", "-D", "publish", "message-expiry-interval", "60",
        ],
        check=True, timeout=20,
    )  # fmt: skip
    eventually(lambda: [value for _, value in device.readings()] == [41.5], what="the reading")


@pytest.mark.parametrize("version", [4, 5])
def test_what_waits_at_qos_2_outlives_kill_9_and_comes_once(data, version):
    hub = Hub(data).start().signed_in()
    device = hub.add_device()

    def client(name):
        return Client5(device, name) if version == 5 else Client.of(device, client_id=name, clean=False)

    with client("listener") as listener:
        assert listener.subscribe(device.topic("note"), 2) == [2]
    with client("speaker") as speaker:
        for number in range(20):
            speaker.publish(device.topic("note"), str(number), quality=2)
    hub.kill()
    hub.start()
    with client("listener") as listener:
        assert listener.session_present
        received = [listener.next()[1] for _ in range(20)]
        assert received == [str(number).encode() for number in range(20)]
        assert listener.messages.empty()
    with client("listener") as listener:
        listener.publish(device.topic("note"), "new", quality=2)
        assert listener.next()[1] == b"new", "what was completed is not sent again"


def test_a_session_of_mqtt_5_that_lives_for_an_hour_outlives_a_restart_and_one_of_no_time_does_not(data):
    hub = Hub(data).start().signed_in()
    device = hub.add_device()
    for name, expiry in [("long", 3600), ("none", 0)]:
        with Client5(device, name, expiry=expiry) as client:
            client.subscribe(device.topic("note"), 1)
    hub.terminate()
    hub.start()
    for name, expiry in [("long", 3600), ("none", 0)]:
        with Client5(device, name, expiry=expiry) as client:
            assert client.session_present == (expiry > 0)


def test_a_question_is_answered_with_response_topic_and_correlation_data(device):
    answers = []

    def answer(client, _, message):
        properties = Properties(PacketTypes.PUBLISH)
        properties.CorrelationData = message.properties.CorrelationData
        answers.append((message.properties.ResponseTopic, message.properties.CorrelationData))
        client.publish(message.properties.ResponseTopic, b"42", 1, properties=properties)

    with Client5(device, "oracle", expiry=0) as oracle:
        oracle.paho.on_message = answer
        oracle.subscribe(device.topic("question"), 1)
        said = subprocess.run(
            [
                "mosquitto_rr", "-V", "5", "-h", "127.0.0.1", "-p", str(device.hub.mqtt_port), "-u", device.id, "-P",
                device.token, "-i", "asker", "-t", device.topic("question"), "-e", device.topic("answer"), "-m", "6",
                "-W", "10", "-D", "publish", "correlation-data", "first",
            ],
            check=True, timeout=20, capture_output=True, text=True,
        ).stdout  # fmt: skip
    assert said.strip() == "42"
    assert answers == [(device.topic("answer"), b"first")]


def test_a_client_of_3_1_1_and_one_of_5_hear_each_other(device):
    with mosquitto_sub(device, "-V", "mqttv311", "-t", device.topic("note"), "-q", "2") as old:
        with Client5(device, "new", expiry=0) as new:
            new.subscribe(device.topic("note"), 2)
            new.publish(device.topic("note"), "7", quality=2)
            old.until("7")
            assert new.next()[1] == b"7"


def test_aiomqtt_publishes_and_hears_at_each_quality(device):
    async def play():
        async with aiomqtt.Client(
            "127.0.0.1", device.hub.mqtt_port, username=device.id, password=device.token, identifier="aio",
            protocol=aiomqtt.ProtocolVersion.V5,
        ) as client:  # fmt: skip
            await client.subscribe(device.topic("note"), qos=2)
            for quality in (0, 1, 2):
                await client.publish(device.topic("note"), str(quality), qos=quality)
            heard = []
            async for message in client.messages:
                heard.append((message.payload, message.qos))
                if len(heard) == 3:
                    return heard

    # In a thread of its own: this one may have a loop already, that of a browser of another test.
    with ThreadPoolExecutor(1) as thread:
        heard = thread.submit(lambda: asyncio.run(asyncio.wait_for(play(), 20))).result()
    assert heard == [(b"0", 0), (b"1", 1), (b"2", 2)]


def test_who_publishes_to_a_topic_that_is_not_its_own_is_told_and_stays(device):
    reasons = []
    with Client5(device, "lost", expiry=0) as client:
        client.paho.on_publish = lambda _, __, identifier, reason, ___: reasons.append(reason.value)
        client.paho.publish("tandem/somebody-else/moisture", "1", 1)
        eventually(lambda: reasons == [0x87], what="the refusal")
        client.paho.on_publish = lambda _, __, identifier, *___: client.acknowledged.put(identifier)
        client.publish(device.topic(), "41.5")
    eventually(lambda: [value for _, value in device.readings()] == [41.5], what="the reading")
