"""The toy's image on a board in QEMU: its parts at the far ends of its lines."""

import time


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


def test_a_power_cut_at_writes_all_over_a_play_leaves_a_toy_that_starts_and_speaks(device):
    toy = device("Toy")
    # The head of a page is 12 bytes, a play 29, its ending 13 (Companions/TriviaToy/Device/Store).
    for write in range(1, 56, 6):
        is_ready(toy)
        starts = len(toy.bench.starts)
        toy.flash.cut_after(write)
        while toy.flash.word(0):
            toy.bench.put_forward(5_000)
            toy.accelerometer.throw()
            toy.voice.wait_for(lambda: toy.voice.is_speaking or not toy.flash.word(0), 20, "speaking, or the cut")
            toy.voice.fall_silent()
            toy.bench.stack_depth(again=0.2)
        toy.bench.wait_for(lambda: len(toy.bench.starts) > starts, what="a start after the cut")
        assert toy.bench.starts[-1] == "power cut"
        toy.voice.fall_silent()
        toy.bench.put_forward(6_000)
    is_ready(toy)
    # A landing soon after another is its bounce.
    toy.bench.put_forward(5_000)
    toy.voice.fall_silent()
    is_ready(toy)
    assert throw(toy)


def test_from_the_landing_to_the_first_byte_of_speech_less_than_half_a_second_passes(device):
    toy = device("Toy")
    is_ready(toy)
    toy.bench.put_forward(5_000)
    toy.accelerometer.throw()
    with toy.bridge.changed:
        # 150 samples are the push and the flight; the catch is what counts.
        assert toy.bridge.changed.wait_for(lambda: len(toy.accelerometer.script) <= 12, 20), "the catch"
    caught = time.monotonic()
    toy.voice.wait_for(lambda: toy.voice.pending or toy.voice.spoken, what="the first byte")
    passed = time.monotonic() - caught
    print(f"{passed * 1000:.0f} ms from the catch to the first byte")
    assert passed < 0.5
