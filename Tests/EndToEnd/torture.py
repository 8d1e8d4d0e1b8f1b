"""Clients of MQTT 3.1.1 that a hub may be killed under: each keeps what a client keeps on its disk, and nothing else."""

import json
import select
import socket
import struct
import time

from hub import eventually, tandem
from mqtt import Client, connect_packet, packet, publish_packet, text

CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK = 2, 3, 4, 5, 6, 7, 9


def integration(hub, *filters):
    """A program that was let in: its name and token. Its messages are nobody's readings."""
    flags = [part for one in filters for part in ("--filter", one)]
    answer = json.loads(tandem("integration", "add", "--data", hub.data, "--name", "Torture", *flags, "--json").stdout)
    return answer["id"], answer["token"]


class Persistent:
    """One client with a session that outlives its connections, and the hub."""

    def __init__(self, hub, name, token, client_id):
        self.hub, self.name, self.token, self.client_id = hub, name, token, client_id
        self.socket, self.buffer = None, b""
        self.was_there = False

    def connect(self):
        self.buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", self.hub.mqtt_port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(connect_packet(self.name, self.token, self.client_id, clean=False))
        packets, end = [], time.monotonic() + 20
        while packets == []:
            assert time.monotonic() < end, "neither a CONNACK nor the end"
            packets = self.received(1)
        if packets is None:
            raise ConnectionError("closed before CONNACK")
        kind, _, body = packets[0]
        assert kind == CONNACK and body[1] == 0, packets[0]
        if self.was_there:
            assert body[0] == 1, f"the session of {self.client_id} is gone, whose CONNACK said that it is kept"
        self.was_there = True
        for one in packets[1:]:
            self.take(*one)

    def resume(self):
        """Comes back, and goes on with what was begun."""
        self.connect()

    def come_back(self, within=60):
        """Comes back to a hub that may not be able to store its session right now: then that says nothing, and closes."""
        eventually(self.has_resumed, within, f"that {self.client_id} is let in")

    def has_resumed(self):
        self.socket.close()
        try:
            self.resume()
            return True
        except OSError:
            return False

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # Killed: what it had said before is still to be read.

    def received(self, within=0.0):
        """The whole packets that have come: kind, flags, body. None at the end of the connection."""
        if not select.select([self.socket], [], [], within)[0]:
            return []
        try:
            data = self.socket.recv(1 << 16)
        except OSError:
            return None
        if not data:
            return None
        self.buffer += data
        packets = []
        while (size := self.whole()) is not None:
            head, end = size
            packets.append((self.buffer[0] >> 4, self.buffer[0] & 15, self.buffer[head:end]))
            self.buffer = self.buffer[end:]
        return packets

    def whole(self):
        """Where the body of the first packet begins and ends; None while it is not all there."""
        length, shift, place = 0, 0, 1
        while place < len(self.buffer):
            length |= (self.buffer[place] & 127) << shift
            shift, place = shift + 7, place + 1
            if self.buffer[place - 1] < 128:
                return (place, place + length) if len(self.buffer) >= place + length else None
        return None

    def play(self, within=0.0):
        """Does what the packets that have come ask for; False at the end of the connection."""
        packets = self.received(within)
        for one in packets or []:
            self.take(*one)
        return packets is not None

    def drain(self):
        """What the hub had sent before it died."""
        while self.play(0.2) and select.select([self.socket], [], [], 0.05)[0]:
            pass
        self.socket.close()


class Publisher(Persistent):
    """Publishes: at QoS 2 until each is complete, retained ones and readings at QoS 1 once."""

    def __init__(self, *who):
        super().__init__(*who)
        self.identifier = 0
        # By packet id: the message of QoS 2 that has no PUBREC yet, and the ids that have no PUBCOMP.
        self.unreceived, self.uncompleted = {}, {}
        # By packet id: what is done when its PUBACK comes.
        self.unacknowledged = {}
        self.received_numbers, self.answers = set(), 0

    def next_identifier(self):
        self.identifier = self.identifier % 65_535 + 1
        return self.identifier

    def resume(self):
        """What the standard asks of a client that comes back [MQTT-4.4.0-1]."""
        self.unacknowledged = {}
        self.connect()
        self.send(b"".join(self.exactly_once(topic, number, one, True) for one, (topic, number) in self.unreceived.items()))
        self.send(b"".join(struct.pack("!BBH", 0x62, 2, one) for one in self.uncompleted))

    @staticmethod
    def exactly_once(topic, number, identifier, is_duplicate=False):
        return packet(0x34 | (8 if is_duplicate else 0), text(topic) + struct.pack("!H", identifier) + b"%d" % number)

    def publish_exactly_once(self, topic, number):
        identifier = self.next_identifier()
        self.unreceived[identifier] = (topic, number)
        self.send(self.exactly_once(topic, number, identifier))

    def publish(self, topic, payload, retain=False, done=lambda: None):
        identifier = self.next_identifier()
        self.unacknowledged[identifier] = done
        self.send(publish_packet(topic, payload, identifier, retain))

    def take(self, kind, flags, body):
        identifier = struct.unpack("!H", body[:2])[0]
        self.answers += 1
        if kind == PUBACK:
            self.unacknowledged.pop(identifier)()
        elif kind == PUBREC:
            found = self.unreceived.pop(identifier, None)
            if found:
                self.received_numbers.add(found[1])
                self.uncompleted[identifier] = found
            self.send(struct.pack("!BBH", 0x62, 2, identifier))
        elif kind == PUBCOMP:
            self.uncompleted.pop(identifier, None)


class Subscriber(Persistent):
    """Receives at QoS 2, and counts what comes as a receiver does that keeps the packet ids (MQTT 3.1.1, 4.3.3)."""

    def __init__(self, *who):
        super().__init__(*who)
        self.held, self.heard, self.answers = set(), {}, 0
        self.is_subscribed = False

    def subscribe(self, topic):
        self.send(packet(0x82, b"\x00\x01" + text(topic) + b"\x02"))
        end = time.monotonic() + 20
        while not self.is_subscribed:
            assert self.play(1) and time.monotonic() < end, "no SUBACK"

    def take(self, kind, flags, body):
        if kind == SUBACK:
            assert body[2:] == b"\x02"
            self.is_subscribed = True
        elif kind == PUBLISH:
            length = struct.unpack("!H", body[:2])[0]
            identifier = body[2 + length : 4 + length]
            assert flags >> 1 & 3 == 2, "the subscription is of QoS 2"
            if identifier not in self.held:
                self.held.add(identifier)
                number = int(body[4 + length :])
                self.heard[number] = self.heard.get(number, 0) + 1
            self.send(b"\x50\x02" + identifier)
        elif kind == PUBREL:
            self.held.discard(body[:2])
            self.send(b"\x70\x02" + body[:2])


class Load:
    """Two publishers, two sensors and a subscriber, and what they know of what the hub must have."""

    # Of each kind of retained topic.
    TOPICS = 8
    # Of the sensor whose readings are of many series in turn: so many at once are a wide load (ADR 34), which is journaled.
    SERIES, BURST = 120, 800
    # Fewer than a session's queue has room for: beyond that messages are dropped, and counted.
    MOST_UNHEARD = 300

    def __init__(self, hub, chance):
        """chance: a random.Random, which plays the same plan again with the same seed."""
        self.hub, self.chance = hub, chance
        self.device = hub.add_device()
        self.program = integration(hub, "house/#")
        self.publishers = [Publisher(hub, *self.program, f"publisher {number}") for number in range(2)]
        self.sensor = Publisher(hub, self.device.id, self.device.token, "sensor")
        self.wide_device = hub.add_device("Wide")
        self.wide_sensor = Publisher(hub, self.wide_device.id, self.wide_device.token, "wide sensor")
        self.subscriber = Subscriber(hub, *self.program, "subscriber")
        self.subscriber.connect()
        self.subscriber.subscribe("house/note/+")
        for client in (*self.publishers, self.sensor, self.wide_sensor):
            client.connect()
        self.number, self.at = 0, int(time.time() * 1000) - 50_000_000
        # Of each retained topic the last number that was sent, and the last that was acknowledged.
        self.kept_sent, self.kept = [0] * self.TOPICS, [0] * self.TOPICS
        self.readings, self.stored = {}, set()
        # By series and time.
        self.wide_readings, self.wide_stored = {}, set()

    @property
    def clients(self):
        return (*self.publishers, self.sensor, self.wide_sensor, self.subscriber)

    def resume(self):
        for client in self.clients:
            client.resume()

    def come_back(self):
        for client in self.clients:
            client.come_back()

    def play(self, most, may_close=False, within=30):
        """Publishes until so many answers have come, or the time is over.

        may_close: whether the hub may close connections, which come back then.
        """
        for client in self.clients:
            client.answers = 0
        end = time.monotonic() + within
        while sum(client.answers for client in self.clients) < most and time.monotonic() < end:
            for _ in range(self.chance.randrange(1, 20)):
                self.publish(self.chance.randrange(3))
            for client in self.clients:
                if not client.play(0.002):
                    assert may_close, f"the hub closed a connection of {client.client_id}:\n{self.hub.log[-2000:]}"
                    client.come_back()

    def publish(self, kind):
        if kind == 0 and self.number - len(self.subscriber.heard) < self.MOST_UNHEARD:
            self.number += 1
            publisher = self.chance.choice(self.publishers)
            publisher.publish_exactly_once(f"house/note/{self.number % 5}", self.number)
        elif kind == 1:
            # One publisher a topic: what two publish at once has no order.
            topic = self.chance.randrange(self.TOPICS)
            self.kept_sent[topic] += 1
            value = self.kept_sent[topic]

            def acknowledged():
                self.kept[topic] = max(self.kept[topic], value)

            self.publishers[topic % 2].publish(f"house/kept/{topic}", b"%d" % value, retain=True, done=acknowledged)
        elif kind == 2:
            self.at += 1
            at = self.at
            self.readings[at] = at % 101
            self.sensor.publish(
                self.device.topic(), b'{"value": %d, "at": %d}' % (at % 101, at), done=lambda: self.stored.add(at)
            )

    def burst(self, most):
        """Publishes readings of many series in turn, all at once, until so many of them have been acknowledged."""
        packets, before = [], len(self.wide_stored)
        for place in range(self.BURST):
            quantity, at = f"wide-{place % self.SERIES}", self.at + place // self.SERIES
            self.wide_readings[quantity, at] = place % 101

            def acknowledged(key=(quantity, at)):
                self.wide_stored.add(key)

            identifier = self.wide_sensor.next_identifier()
            self.wide_sensor.unacknowledged[identifier] = acknowledged
            payload = b'{"value": %d, "at": %d}' % (place % 101, at)
            packets.append(publish_packet(self.wide_device.topic(quantity), payload, identifier))
        self.at += self.BURST // self.SERIES + 1
        self.wide_sensor.send(b"".join(packets))
        end = time.monotonic() + 30
        while len(self.wide_stored) - before < most:
            assert self.wide_sensor.play(0.1) and time.monotonic() < end, f"no PUBACK:\n{self.hub.log[-2000:]}"

    def drain(self):
        """Takes what the hub had sent before it died."""
        for client in self.clients:
            client.drain()

    def check_kept(self, where):
        """What was acknowledged as retained stands, or something newer that was on its way."""
        with Client(self.hub, *self.program, client_id="looks") as looks:
            looks.subscribe("house/kept/+")
            found = {}
            while len(found) < sum(value > 0 for value in self.kept):
                topic, payload, retain = looks.next()
                assert retain
                found[int(topic[-1])] = int(payload)
        for topic, value in found.items():
            assert self.kept[topic] <= value <= self.kept_sent[topic], f"{where}: house/kept/{topic}"

    def finish(self, where):
        """Everything that was begun comes to its end, and is looked at; then the hub is stopped."""
        end = time.monotonic() + 60
        while any(one.unreceived or one.uncompleted for one in self.publishers) or len(self.subscriber.heard) < self.number:
            assert time.monotonic() < end, f"{where}: {self.number - len(self.subscriber.heard)} messages did not come"
            for client in (*self.publishers, self.subscriber):
                assert client.play(0.01)
        twice = {one: count for one, count in self.subscriber.heard.items() if count > 1}
        assert not twice, f"{where}: came more than once: {twice}"
        for publisher in self.publishers:
            assert publisher.received_numbers <= set(self.subscriber.heard)
        found = self.device.readings()
        times = [at for at, _ in found]
        assert len(times) == len(set(times)), "stored twice"
        lost = self.stored - set(times)
        assert not lost, f"{where}: {len(lost)} acknowledged readings are lost"
        assert all(self.readings[at] == value for at, value in found)
        wide = [(row["series"].rsplit("/", 1)[-1], row["at"], row["value"]) for row in self.hub.export(self.wide_device.id)]
        assert len(wide) == len({(quantity, at) for quantity, at, _ in wide}), "of many series: stored twice"
        lost = self.wide_stored - {(quantity, at) for quantity, at, _ in wide}
        assert not lost, f"{where}: {len(lost)} acknowledged readings of many series are lost"
        assert all(self.wide_readings[quantity, at] == value for quantity, at, value in wide)
        assert self.hub.terminate() == 0

    def __str__(self):
        return f"{self.number} messages of QoS 2, {sum(self.kept)} retained, {len(self.stored) + len(self.wide_stored)} readings acknowledged"
