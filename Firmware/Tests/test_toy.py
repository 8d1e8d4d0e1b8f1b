"""The toy's image on a board in QEMU: its parts at the far ends of its lines."""

import json

import improv


def throw(toy):
    before = len(toy.voice.spoken)
    toy.accelerometer.throw()
    toy.voice.wait_for(lambda: len(toy.voice.spoken) > before, what="speaking")
    return toy.voice.spoken[before]


def is_ready(toy):
    """It has woken its accelerometer, tested it, and knows its voice's settings."""
    toy.voice.wait_for(lambda: b"W" in toy.voice.settings, what="the voice's settings")
    reads = toy.bridge.transfers
    with toy.bridge.changed:
        assert toy.bridge.changed.wait_for(lambda: toy.bridge.transfers > reads + 20, 20), "sampling"


def test_a_toy_that_knows_nobody_speaks_when_it_is_thrown(device):
    toy = device("Toy")
    is_ready(toy)
    assert toy.accelerometer.registers[0x6B] == 1, "awake, with the gyroscope's clock (RM-MPU-6000A-00, 4.28)"
    assert toy.accelerometer.registers[0x1C] == 0x10, "+-8 g (4.5)"
    words = throw(toy)
    # One of the image's own facts.
    assert words.endswith((".", "?", "!")), words
    toy.bench.set(2, False)
    toy.bench.put_forward(100)
    toy.bench.stack_depth()
    toy.bench.set(2, True)
    toy.voice.wait_for(lambda: not toy.voice.is_speaking, what="silence after the middle button")
    assert not toy.voice.unknown
