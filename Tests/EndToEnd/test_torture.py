"""A hub that is killed with SIGKILL at random points under load, again and again. `make torture` plays a thousand rounds."""

import os
import random
import time

import pytest

from hub import Hub
from mqtt import Client
from torture import Listener, Speaker, integration

ROUNDS = int(os.environ.get("TANDEM_TORTURE_ROUNDS", "8"))
SEED = os.environ.get("TANDEM_TORTURE_SEED")
TOPICS = 8
# Fewer than a session's queue has room for: beyond that messages are dropped, and counted.
MOST_UNHEARD = 300


@pytest.mark.timeout(120 + 10 * ROUNDS)
def test_kill_9_under_load_keeps_every_acknowledged_message_qos_2_once_and_all_sessions(data):
    seed = int(SEED) if SEED else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}: TANDEM_TORTURE_SEED={seed} plays the same plan again")
    chance = random.Random(seed)
    hub = Hub(data).start().signed_in()
    device = hub.add_device()
    program = integration(hub, "house/#")
    speaker = Speaker(hub, *program, "speaker")
    sensor = Speaker(hub, device.id, device.token, "sensor")
    listener = Listener(hub, *program, "listener")
    listener.connect()
    listener.subscribe("house/note/+")

    number, at = 0, int(time.time() * 1000) - 50_000_000
    # Of each retained topic the last number that was sent, and the last that was acknowledged.
    kept_sent, kept = [0] * TOPICS, [0] * TOPICS
    readings, stored = {}, set()
    for round_ in range(ROUNDS):
        speaker.resume()
        sensor.resume()
        if round_ > 0:
            listener.connect()
        most = chance.randrange(1, 400)
        speaker.answers = 0
        end = time.monotonic() + 30
        while speaker.answers + sensor.answers < most and time.monotonic() < end:
            for _ in range(chance.randrange(1, 20)):
                kind = chance.randrange(3)
                if kind == 0 and number - len(listener.heard) < MOST_UNHEARD:
                    number += 1
                    speaker.say_exactly_once(f"house/note/{number % 5}", number)
                elif kind == 1:
                    topic = chance.randrange(TOPICS)
                    kept_sent[topic] += 1
                    value = kept_sent[topic]

                    def acknowledged(topic=topic, value=value):
                        kept[topic] = max(kept[topic], value)

                    speaker.say(f"house/kept/{topic}", b"%d" % value, retain=True, done=acknowledged)
                elif kind == 2:
                    at += 1
                    readings[at] = at % 101
                    sensor.say(
                        device.topic(), b'{"value": %d, "at": %d}' % (at % 101, at), done=lambda at=at: stored.add(at)
                    )
            for client in (speaker, sensor, listener):
                assert client.play(0.002), f"the hub closed a connection of {client.client_id}:\n{hub.log[-2000:]}"
        sensor.answers = 0
        hub.kill()
        for client in (speaker, sensor, listener):
            client.drain()
        hub.start()
        with Client(hub, *program, client_id="looks") as looks:
            # What was acknowledged stands, or something newer that was on its way.
            looks.subscribe("house/kept/+")
            found = {}
            while len(found) < sum(value > 0 for value in kept):
                topic, payload, retain = looks.next()
                assert retain
                found[int(topic[-1])] = int(payload)
        for topic, value in found.items():
            assert kept[topic] <= value <= kept_sent[topic], f"round {round_}, seed {seed}: house/kept/{topic}"

    # At the end everything that was begun comes to its end.
    speaker.resume()
    listener.connect()
    end = time.monotonic() + 60
    while speaker.unreceived or speaker.uncompleted or len(listener.heard) < number:
        assert time.monotonic() < end, f"{number - len(listener.heard)} messages did not come; seed {seed}"
        assert speaker.play(0.01) and listener.play(0.01)
    twice = {one: count for one, count in listener.heard.items() if count > 1}
    assert not twice, f"came more than once: {twice}; seed {seed}"
    assert speaker.received_numbers <= set(listener.heard)
    found = device.readings()
    times = [at for at, _ in found]
    assert len(times) == len(set(times)), "stored twice"
    assert not stored - set(times), f"{len(stored - set(times))} acknowledged readings are lost; seed {seed}"
    assert all(readings[at] == value for at, value in found)
    assert hub.terminate() == 0
    print(f"{ROUNDS} kills: {number} messages of QoS 2, {sum(kept)} retained, {len(stored)} readings acknowledged")
