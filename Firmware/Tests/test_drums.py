"""The drum kit's image on a board in QEMU: the original's text protocol, byte for byte, at the radio's line."""

import re

import pytest


@pytest.fixture
def kit(device):
    kit = device("Drums")
    # The radio of a kit passes bytes on: the test is the phone at its far end.
    kit.bench.on_drive = None
    kit.radio = kit.board.radio
    kit.radio.listener = None
    for pad in range(4):
        kit.bench.set(pad, False)
    return kit


def cue(kit, drum):
    kit.radio.send(b"%d" % drum)
    kit.bench.wait_for(lambda: kit.bench.outputs.get(drum) == 1, what=f"the lamp of drum {drum}")


def strike(kit, drum):
    kit.bench.set(drum, True)
    # A turn of the loop, which answers the bench before it looks at the pads.
    kit.bench.stack_depth()
    kit.bench.stack_depth()
    kit.bench.set(drum, False)


def test_a_cue_lights_its_drum_and_the_strike_is_answered_as_the_original_answers(kit):
    cue(kit, 2)
    strike(kit, 2)
    # BeeBop, 2016: the drum, milliseconds, the force, which only drum 0 has; a NUL after each notification; END.
    answer = kit.radio.expect(b"END\0")
    assert re.fullmatch(rb"2 \d+ -1\.00\0END\0", answer), answer
    assert kit.bench.outputs[2] == 0, "the lamp is out"


def test_the_reaction_is_counted_by_the_kit_s_own_clock(kit):
    cue(kit, 1)
    kit.bench.put_forward(1234)
    strike(kit, 1)
    reaction = int(kit.radio.expect(b"END\0").split()[1])
    assert 1234 <= reaction < 1234 + 1000


def test_wrong_drums_are_told_in_their_order_and_cut_into_notifications_of_nineteen_characters(kit):
    cue(kit, 3)
    wrong = [0, 1, 2] * 4
    for drum in wrong:
        # The same drum rings for 200 ms, and the shock goes to others for 5.
        kit.bench.put_forward(250)
        strike(kit, drum)
        kit.bench.stack_depth()
    kit.bench.put_forward(250)
    strike(kit, 3)
    answer = kit.radio.expect(b"END\0")
    notifications = answer.split(b"\0")
    assert all(len(piece) <= 19 for piece in notifications) and len(notifications[0]) == 19, notifications
    words = b"".join(notifications[:-2]).split()
    assert [int(word) for word in words[:12]] == wrong and words[12] == b"3" and words[14] == b"-1.00", words


def test_the_force_of_the_first_drum_comes_from_the_accelerometer_on_the_wire(kit):
    with kit.bridge.changed:
        assert kit.bridge.changed.wait_for(lambda: kit.bridge.transfers >= 4, 10), "waking the accelerometer"
    cue(kit, 0)
    # Rest is measured while the lamp is lit, every 50 ms.
    pointer = kit.bridge.transfers
    with kit.bridge.changed:
        assert kit.bridge.changed.wait_for(lambda: kit.bridge.transfers >= pointer + 4, 10), "measuring rest"
    # 3 g along one axis, at +-16 g: 2048 counts a g (RM-MPU-6000A-00, 4.17).
    kit.accelerometer.gravity = (3000, 0, 1000)
    strike(kit, 0)
    answer = kit.radio.expect(b"END\0")
    assert re.fullmatch(rb"0 \d+ 300\.00\0END\0", answer), answer


def test_four_stops_the_cue_and_other_bytes_do_nothing(kit):
    cue(kit, 1)
    kit.radio.send(bytes(range(0x35, 0x100)) + b"4")
    kit.bench.wait_for(lambda: kit.bench.outputs[1] == 0, what="the lamp's end")
    strike(kit, 1)
    # The shock of one drum goes to the others for 5 ms.
    kit.bench.put_forward(250)
    cue(kit, 2)
    strike(kit, 2)
    assert kit.radio.expect(b"END\0").startswith(b"2 ")
