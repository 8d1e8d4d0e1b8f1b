"""Sessions, wills, retained messages and slow subscribers, with Paho's client and bare packets."""

import pytest

from hub import Problem, eventually
from mqtt import Client, Wire, packet, publish_packet, text
from shared_hub import shared_hub

hub = shared_hub()


def test_a_persistent_session_keeps_what_came_while_the_client_was_away(device):
    topic = device.topic()
    client = Client.of(device, client_id="listener", clean=False).connect()
    assert not client.session_present
    assert client.subscribe(topic, 1) == [1]
    client.disconnect()
    with Client.of(device) as sensor:
        for value in ("1", "2", "3"):
            sensor.publish(topic, value)
    again = Client.of(device, client_id="listener", clean=False).connect()
    assert again.session_present
    assert [again.next()[1] for _ in range(3)] == [b"1", b"2", b"3"]
    again.disconnect()


def test_a_persistent_session_outlives_the_hub(device):
    hub, topic = device.hub, device.topic()
    client = Client.of(device, client_id="listener", clean=False).connect()
    client.subscribe(topic, 1)
    client.disconnect()
    with Client.of(device) as sensor:
        sensor.publish(topic, "7")
    assert hub.terminate() == 0
    hub.start()
    again = Client.of(device, client_id="listener", clean=False).connect()
    assert again.session_present
    assert again.next()[1] == b"7"
    again.disconnect()


def test_a_clean_session_forgets(device):
    client = Client.of(device, client_id="listener", clean=False).connect()
    client.subscribe(device.topic(), 1)
    client.disconnect()
    Client.of(device, client_id="listener", clean=True).connect().disconnect()
    again = Client.of(device, client_id="listener", clean=False).connect()
    assert not again.session_present
    again.disconnect()


def test_a_guessed_client_id_reads_nobodys_queue(device):
    client = Client.of(device, client_id="listener", clean=False).connect()
    client.subscribe(device.topic(), 1)
    client.disconnect()
    other = device.hub.add_device("Another")
    stranger = Client.of(other, client_id="listener", clean=False).connect()
    assert not stranger.session_present
    stranger.disconnect()


def test_a_second_connection_with_the_same_client_id_takes_over(device):
    first = Client.of(device, client_id="one").connect()
    second = Client.of(device, client_id="one").connect()
    first.closed.get(timeout=10)
    second.publish(device.topic(), "5")
    second.disconnect()


def test_a_will_is_published_when_a_client_vanishes(device):
    with Client.of(device) as listener:
        listener.subscribe(device.topic("status"))
        sensor = Client.of(device, client_id="sensor")
        sensor.paho.will_set(device.topic("status"), "0", 1)
        sensor.connect()
        sensor.vanish()
        assert listener.next()[:2] == (device.topic("status"), b"0")


def test_no_will_is_published_after_a_proper_goodbye(device):
    with Client.of(device) as listener:
        listener.subscribe(f"tandem/{device.id}/#")
        sensor = Client.of(device, client_id="sensor")
        sensor.paho.will_set(device.topic("status"), "0", 1)
        sensor.connect()
        sensor.disconnect()
        listener.publish(device.topic(), "1")
        assert listener.next()[1] == b"1"


def test_a_retained_reading_greets_a_new_subscriber_also_after_a_restart(device):
    with Client.of(device) as sensor:
        sensor.publish(device.topic(), "41", retain=True)
    with Client.of(device) as listener:
        listener.subscribe(device.topic())
        assert listener.next() == (device.topic(), b"41", True)
    device.hub.terminate()
    device.hub.start()
    with Client.of(device) as listener:
        listener.subscribe(device.topic())
        assert listener.next() == (device.topic(), b"41", True)


def test_an_empty_retained_message_removes_the_one_before(device):
    with Client.of(device) as sensor:
        sensor.publish(device.topic("note"), "41", retain=True)
        sensor.publish(device.topic("note"), "", retain=True)
        sensor.subscribe(f"tandem/{device.id}/note")
        sensor.publish(device.topic("note"), "42")
        assert sensor.next() == (device.topic("note"), b"42", False)


@pytest.mark.parametrize("topic", ["#", "tandem/#", "tandem/+/moisture", "rpi/torpi", "$SYS/#"])
def test_a_device_may_listen_to_nobody_else(device, topic):
    with Client.of(device) as client:
        assert client.subscribe(topic) == [128]


def test_wildcards_work_within_a_devices_own_topics(device):
    with Client.of(device) as client:
        assert client.subscribe(f"tandem/{device.id}/+", 0) == [0]
        client.publish(device.topic("temperature"), "21")
        assert client.next()[1] == b"21"


def test_a_slow_subscriber_costs_messages_and_no_memory(device):
    hub = device.hub
    slow = Wire(hub, device.id, device.token, receive_buffer=4096)
    slow.send(packet(0x82, b"\x00\x01" + text(device.topic("note")) + b"\x00"))
    slow.exactly(5)  # the SUBACK; from here on it reads nothing
    sensor = Wire(hub, device.id, device.token)
    before = hub.resident_bytes()
    filler = publish_packet(device.topic("note"), b"1" + b"0" * 200) * 100
    identifier = 0
    for _ in range(150):
        identifier = identifier % 65535 + 1
        sensor.send(filler + publish_packet(device.topic(), b"1", identifier))
        assert sensor.acknowledgement() == identifier
    assert hub.get("/api/hub")["mqtt"]["dropped"] > 0
    assert hub.resident_bytes() - before < 20_000_000
    slow.close()
    sensor.close()


def test_a_broken_packet_closes_its_connection_and_no_other(device):
    """One for all: `MQTTServerTests` and `MQTTTests` have each way in which a packet can be broken."""
    good = Wire(device.hub, device.id, device.token)
    bad = Wire(device.hub, device.id, device.token)
    bad.send(b"\x30\xff\xff\xff\xff\x01")  # a length of five digits
    assert bad.is_closed_without_a_word()
    good.send(publish_packet(device.topic(), b"3", 9))
    assert good.acknowledgement() == 9
    good.close()


def test_garbage_instead_of_mqtt_is_closed(hub):
    wire = Wire(hub, connect=False)
    wire.send(b"GET / HTTP/1.1\r\nHost: hub\r\nUser-Agent: a browser that took the wrong port\r\nAccept: */*\r\n\r\n")
    assert wire.is_closed_without_a_word()


def test_who_speaks_a_later_mqtt_is_told_which_versions_there_are(hub):
    wire = Wire(hub, connect=False)
    wire.send(packet(0x10, text("MQTT") + b"\x06\x02\x00\x3c\x00" + text("six")))
    answer = wire.exactly(4)
    assert answer[0] == 0x20 and answer[3] == 1


def test_the_api_counts_the_connections(device):
    eventually(lambda: device.hub.get("/api/hub")["mqtt"]["connections"] == 0, what="the end of those of other tests")
    with Client.of(device):
        assert device.hub.get("/api/hub")["mqtt"]["connections"] == 1
        assert device.show()["connected"] is True
    eventually(lambda: device.hub.get("/api/hub")["mqtt"]["connections"] == 0)
    assert device.show()["connected"] is False


def test_the_api_says_no_in_a_problem_document(hub):
    with pytest.raises(Problem) as refused:
        hub.get("/api/devices/nothing-of-that-name")
    assert refused.value.status == 404
    assert refused.value.headers["Content-Type"].startswith("application/problem+json")
    assert refused.value.body["title"] and refused.value.body["status"] == 404
