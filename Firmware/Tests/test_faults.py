"""What goes wrong on the wires and in the supply: no image hangs, and each goes on where it was."""

import random

import pytest

import improv

IMAGES = ["PlantSensor", "Toy", "Drums"]


def lives(device, image):
    """It does what it is for."""
    if image == "Drums":
        device.board.radio.listener = None
        device.bench.set(1, False)
        device.bench.stack_depth()
        device.board.radio.send(b"41")
        device.bench.wait_for(lambda: device.bench.outputs.get(1) == 1, what="the lamp")
    else:
        device.console.received.clear()
        device.console.send(improv.ASK_STATE)
        device.console.expect(improv.READY)


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("line", ["console", "radio", "speech", "bridge"])
def test_garbage_on_a_serial_line_changes_nothing(device, image, line):
    one = device(image)
    noise = random.Random(34).randbytes(20_000)
    if image == "Drums" and line == "radio":
        # Of a kit's radio digits are commands: the noise leaves the last word to the test.
        one.board.radio.listener = None
    for start in range(0, len(noise), 200):
        one.board.lines[line].send(noise[start : start + 200])
    one.bench.stack_depth(60)
    if line == "console":
        # What may be the beginning of a packet is waited for: the longest, and then a whole one.
        one.console.send(bytes(300))
    assert one.bench.starts == ["power"]
    lives(one, image)


@pytest.mark.parametrize("image", IMAGES)
def test_a_stalled_loop_is_bitten_by_the_watchdog(device, image):
    one = device(image)
    one.bench.stall()
    # Twice four seconds, and the image says why it started.
    one.bench.wait_for(lambda: "watchdog" in one.bench.starts, 30, "the watchdog's bite")
    lives(one, image)


@pytest.mark.parametrize("image", IMAGES)
def test_a_bus_held_low_stops_nothing_and_is_used_again_once_it_is_free(device, image):
    one = device(image)
    one.bridge.is_held_low = True
    one.bench.put_forward(600_000)
    one.bench.stack_depth(60)
    lives(one, image)
    one.bridge.is_held_low = False
    transfers = one.bridge.transfers
    if image == "Drums":
        # The accelerometer is woken again while the first drum waits.
        one.board.radio.send(b"0")
    one.bench.put_forward(600_000)
    with one.bridge.changed:
        assert one.bridge.changed.wait_for(lambda: one.bridge.transfers > transfers + 2, 20), "using the bus"
    assert one.bench.starts == ["power"]


@pytest.mark.parametrize("image", ["PlantSensor", "Toy"])
def test_a_bridge_that_says_nothing_stops_nothing(device, image):
    one = device(image)
    one.bridge.is_silent = True
    one.bench.put_forward(600_000)
    one.bench.stack_depth(60)
    lives(one, image)


@pytest.mark.parametrize("command", [b"AT+RST", b"ATE0", b"AT+CWMODE", b"AT+CWJAP", b"AT+CIPSTART", b"AT+CIPSEND"])
def test_a_radio_that_resets_in_the_middle_of_an_answer_is_set_up_anew(device, house, command):
    house.server.now = 1_835_440_496
    one = device("PlantSensor", ports=house.ports)
    one.radio.resets_in_answer_to = command
    one.console.send(improv.hub_command("127.0.0.1", house.mqtt_port, "k7fq2m9x", "secret"))
    one.console.send(improv.wifi_command())
    one.radio.wait_for(lambda: one.radio.resets_in_answer_to is None, what="the reset")
    for _ in range(14):
        one.measures()
        if house.messages:
            break
    house.wait_for(lambda: house.messages, 30, "a reading all the same")


@pytest.mark.parametrize("image", ["PlantSensor", "Toy"])
def test_a_supply_too_low_to_write_loses_what_is_new_and_nothing_else(device, house, image):
    one = device(image, ports=house.ports)
    before = one.flash.content
    one.flash.brown_out(True)
    one.console.send(improv.hub_command("127.0.0.1", house.mqtt_port, "k7fq2m9x", "secret"))
    one.console.send(improv.wifi_command())
    one.bench.put_forward(600_000)
    one.bench.stack_depth()
    assert one.bench.starts == ["power"] and one.flash.content == before
    one.flash.brown_out(False)
    one.cut_power()
    one.switch_on()
    lives(one, image)


@pytest.mark.parametrize("image", IMAGES)
def test_the_stack_keeps_within_its_budget(device, image):
    import pathlib

    table = pathlib.Path(__file__).parents[1].joinpath("budgets.tsv").read_text().splitlines()
    most = next(int(line.split("\t")[3]) for line in table if line.startswith(f"{image}-MPS2AN386\t"))
    one = device(image)
    one.console.send(improv.hub_command("127.0.0.1", 1, "k7fq2m9x", "secret") + improv.wifi_command())
    if image == "Toy":
        one.voice.wait_for(lambda: b"W" in one.voice.settings, what="the voice's settings")
        one.accelerometer.throw()
        one.voice.wait_for(lambda: one.voice.spoken, what="speaking")
        one.radio.wait_for(lambda: any(command.startswith(b"AT+CIPSTART") for command in one.radio.commands), what="the hub")
    one.bench.put_forward(600_000)
    assert one.bench.stack_depth() <= most
