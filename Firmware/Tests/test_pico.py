"""The images for the Raspberry Pi Pico on a model of its chip: QEMU has none."""

import ctypes
import random
import subprocess

import adafruit_pioasm
import pytest
from adafruit_uf2 import uf2conv

import improv
from board import IMAGES, ROOT
from elf import Image
from hub import TANDEM
from i2c_parts import MPU6050, Seesaw
from rp2040 import SIZE, Pico, PowerCut, checksum
from serial_parts import EMIC2, ESP8266

IMAGE = {name: IMAGES / f"{name}-Pico.elf" for name in ("PlantSensor", "Toy", "Drums")}


def pico(name):
    board = Pico(Image(IMAGE[name]), {0x36: Seesaw(), 0x68: MPU6050()})
    return board.switch_on()


def budget(name):
    """What the stack may take (Firmware/budgets.tsv)."""
    lines = (ROOT / "Firmware/budgets.tsv").read_text().splitlines()
    return next(int(line.split("\t")[3]) for line in lines if line.startswith(f"{name}-Pico\t"))


def test_the_model_s_checksum_is_the_one_that_catalogues_know():
    # CRC-32/MPEG-2 of "123456789" (Greg Cook, Catalogue of parametrised CRC algorithms).
    assert checksum(b"123456789") == 0x0376_E6E7


def test_the_sensor_starts_and_answers_over_its_serial_line():
    board = pico("PlantSensor")
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)
    assert board.system_clock() == 48e6
    assert board.starts == 1


def test_the_file_that_the_command_writes_starts_the_board(tmp_path):
    subprocess.run([TANDEM, "flash", IMAGE["Drums"], "--output", tmp_path / "drums.uf2"], check=True, capture_output=True)
    data = uf2conv.convert_from_uf2((tmp_path / "drums.uf2").read_bytes())
    board = Pico(Image(IMAGE["Drums"]))
    ctypes.memset(board.flash, 0xFF, SIZE)
    ctypes.memmove(board.flash, bytes(data), len(data))
    board.switch_on()
    board.run(lambda: board.is_asleep, what="its first sleep")


def test_the_watchdog_runs_and_resets_all_but_the_oscillators():
    board = pico("Drums")
    board.run(lambda: board.is_asleep)
    assert board.words[0x4005_8000] & 1 << 30
    assert board.words[0x4001_0008] == 0x1_FFFF & ~3
    # Fed in each turn, with two counts a microsecond (RP2040-E1): four seconds.
    assert board.words[0x4005_8004] == 8_000_000


def test_after_a_fault_it_starts_anew_and_answers():
    board = pico("PlantSensor")
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)
    board.run(lambda: board.is_asleep)
    board.fault()
    board.run(lambda: board.starts == 2, what="the restart")
    board.run(lambda: board.is_asleep)
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)


@pytest.mark.parametrize(("image", "lines"), [("PlantSensor", ["console", "radio"]), ("Toy", ["console", "radio", "speech"])])
def test_garbage_on_its_serial_lines_does_not_stop_it(image, lines):
    board = pico(image)
    board.run(lambda: board.is_asleep)
    rubbish = random.Random(54)
    for line in lines:
        board.lines[line].send(rubbish.randbytes(2_000))
    board.run(lambda: not any(line.coming for line in board.lines.values()))
    board.lines["console"].send(b"\n" + improv.ASK_STATE)
    board.expect("console", improv.READY)
    assert board.starts == 1


def test_the_sensor_measures_by_its_own_bus_every_ten_minutes():
    board = pico("PlantSensor")
    probe = board.parts[0x36]
    board.run(lambda: probe.reads)
    board.run(lambda: board.is_asleep)
    before, start = probe.reads, board.now
    board.run(lambda: probe.reads > before, 700, "the next measurement")
    assert 599e6 < board.now - start < 603e6


@pytest.mark.parametrize("clocks", [5, 1_000_000])
def test_a_device_that_holds_the_bus_is_clocked_free_or_done_without(clocks):
    board = pico("PlantSensor")
    board.holds_data = clocks
    if clocks == 5:
        board.run(lambda: board.parts[0x36].reads, what="the measurement")
    else:
        board.run(lambda: board.is_asleep, what="sleep without a measurement")
        assert not board.parts[0x36].reads
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)


def provisioned(board):
    radio = ESP8266(board.lines["radio"])
    board.run(lambda: board.is_asleep)
    board.lines["console"].send(improv.hub_command("127.0.0.1", 1, "k7fq2m9x", "secret") + improv.wifi_command())
    board.expect("console", improv.PROVISIONING)
    board.expect("console", improv.PROVISIONED, 60)
    return radio


def test_what_it_was_told_is_in_the_flash_memory_behind_the_image_and_outlives_the_power():
    board = pico("PlantSensor")
    image = bytes(board.flash[: 1 << 20])
    provisioned(board)
    board.run(lambda: board.is_asleep)
    assert board.writes and all(1 << 20 <= place < SIZE for place in board.writes + board.erasures)
    assert bytes(board.flash[: 1 << 20]) == image
    board.switch_on()
    board.lines["radio"].coming.clear()
    radio = ESP8266(board.lines["radio"])
    board.run(lambda: any(b"House" in command for command in radio.commands), 60, "joining the network that it was told")
    assert board.stack_depth() <= budget("PlantSensor")


def test_a_power_cut_in_the_middle_of_each_write_leaves_a_board_that_starts_and_can_be_set_up():
    whole = pico("PlantSensor")
    provisioned(whole)
    writes = whole.changes
    assert writes > 1
    for write in range(1, writes + 1):
        board = Pico(Image(IMAGE["PlantSensor"]), {0x36: Seesaw(), 0x68: MPU6050()})
        board.cut_at = write
        with pytest.raises(PowerCut):
            provisioned(board.switch_on())
            raise AssertionError(f"there is no write {write}")
        board.lines = Pico(board.image).lines
        board.cut_at = None
        provisioned(board.switch_on())


def test_a_loop_that_stands_still_is_restarted_by_the_watchdog():
    board = pico("PlantSensor")
    board.run(lambda: board.is_asleep)
    # Where it wakes it branches to itself (B, ARMv6-M manual, A6.7.10), as a loop does that waits for what never comes.
    place = board.pc & ~1
    before = bytes(board.uc.mem_read(place, 2))
    board.uc.mem_write(place, b"\xfe\xe7")
    start = board.now
    board.lines["console"].send(improv.ASK_STATE)
    # Four seconds of that are twenty million turns: the model takes a hundred of them for one.
    turn, board.pass_time = board.pass_time, lambda microseconds: turn(100 * microseconds)
    board.run(lambda: board.starts == 2, what="the watchdog")
    board.pass_time = turn
    assert 3.9e6 < board.now - start < 4.2e6
    board.uc.mem_write(place, before)
    board.run(lambda: board.is_asleep)
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)


def test_a_probe_that_is_missing_is_done_without_and_measured_by_when_it_is_there():
    board = pico("PlantSensor")
    probe = board.parts[0x36]
    probe.is_absent = True
    board.run(lambda: board.is_asleep)
    assert not probe.reads
    probe.is_absent = False
    board.run(lambda: probe.reads, 700, "a measurement")


def test_bytes_that_come_while_a_sector_is_erased_are_not_lost():
    board = pico("PlantSensor")
    # Something of before lies in each sector, which the first write erases.
    for page in range(256):
        board.flash[(1 << 20) + page * 4096] = b"\0"
    board.while_erasing = lambda: board.lines["console"].send(improv.ASK_STATE * 8)
    board.run(lambda: board.erasures, 60, "an erasure")
    board.while_erasing = None
    # At 115,200 baud the 45 ms are 518 bytes, and the queue of the part has 32.
    assert not board.is_readable
    for _ in range(8):
        board.expect("console", improv.READY)


def test_the_kit_lights_a_drum_and_tells_the_strike_as_the_original_did():
    board = pico("Drums")
    board.inputs = {14: False, 15: False, 16: False, 17: False}
    board.run(lambda: board.is_asleep)
    board.lines["radio"].send(b"2")
    board.run(lambda: board.output & 1 << 20, what="the lamp of drum 2")
    board.inputs[16] = True
    answer = board.expect("radio", b"END\0")
    assert answer.split()[0] == b"2" and answer.endswith(b"-1.00\0END\0"), answer
    assert not board.output & 1 << 20, "the lamp is out"
    assert board.stack_depth() <= budget("Drums")


def test_the_kit_takes_the_force_of_the_first_drum_from_the_accelerometer():
    board = pico("Drums")
    board.inputs = {14: False, 15: False, 16: False, 17: False}
    board.run(lambda: board.is_asleep)
    board.lines["radio"].send(b"0")
    board.run(lambda: board.output & 1 << 18)
    end = board.now + 300_000
    board.run(lambda: board.now > end)
    board.parts[0x68].gravity = (3000, 0, 1000)
    board.inputs[14] = True
    answer = board.expect("radio", b"END\0")
    assert answer.startswith(b"0 ") and answer.endswith(b"300.00\0END\0"), answer


def test_the_toy_sets_its_voice_by_the_third_line_shows_a_colour_and_joins_a_network():
    board = pico("Toy")
    voice, radio = EMIC2(board.lines["speech"]), ESP8266(board.lines["radio"])
    board.run(lambda: voice.settings.get(b"W"), what="the voice's settings")
    assert not voice.unknown
    board.run(lambda: any(board.light()), what="a colour")
    board.lines["console"].send(improv.ASK_STATE)
    board.expect("console", improv.READY)
    board.lines["console"].send(improv.hub_command("127.0.0.1", 1, "k7fq2m9x", "secret") + improv.wifi_command())
    board.expect("console", improv.PROVISIONING)
    board.run(lambda: radio.is_joined, 60, "joining")
    assert board.stack_depth() <= budget("Toy")


def test_the_toy_shows_that_its_battery_is_low():
    board = pico("Toy")
    EMIC2(board.lines["speech"]), ESP8266(board.lines["radio"])
    board.voltage = 3_000
    board.run(lambda: (light := board.light())[0] > 0 and light[1] == light[2] == 0, 60, "red")


def test_the_programs_of_the_third_line_are_what_an_assembler_makes_of_them():
    send = adafruit_pioasm.assemble(
        ".program send\n.side_set 1 opt\npull side 1 [7]\nset x, 7 side 0 [7]\nagain:\nout pins, 1\njmp x--, again [6]"
    )
    receive = adafruit_pioasm.assemble(
        ".program receive\nwait 0 pin 0\nset x, 7 [10]\nagain:\nin pins, 1\njmp x--, again [6]"
    )
    board = pico("Toy")
    board.run(lambda: board.is_asleep)
    words = [board.words[0x5020_0048 + place * 4] for place in range(8)]
    # The second program lies four words on, and so does the place that it jumps to.
    assert words == list(send) + list(receive[:3]) + [receive[3] + 4]


@pytest.mark.parametrize("name", ["__aeabi_lmul", "__aeabi_uidivmod", "__aeabi_idivmod", "__aeabi_uldivmod"])
def test_what_the_compiler_calls_for_arithmetic_is_right(name):
    board = next((one for one in map(pico, IMAGE) if name in one.image.symbols), None)
    assert board, f"no image has {name}"
    board.run(lambda: board.is_asleep)
    numbers = random.Random(name)
    edges = [0, 1, 2, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    for _ in range(400):
        low, high, other, upper = (numbers.choice([*edges, numbers.getrandbits(32)]) for _ in range(4))
        left, right = high << 32 | low, upper << 32 | other
        if name == "__aeabi_lmul":
            result = board.call(name, low, high, other, upper)
            assert result[1] << 32 | result[0] == left * right & (1 << 64) - 1, (left, right)
        elif name == "__aeabi_uldivmod":
            right = right or 1
            result = board.call(name, low, high, right & 0xFFFF_FFFF, right >> 32)
            assert (result[1] << 32 | result[0], result[3] << 32 | result[2]) == divmod(left, right), (left, right)
        else:
            other = other or 1
            quotient, remainder = board.call(name, low, other)[:2]
            if name == "__aeabi_uidivmod":
                assert (quotient, remainder) == divmod(low, other), (low, other)
            else:
                low, other = (value - (value >> 31 << 32) for value in (low, other))
                whole = abs(low) // abs(other) * (1 if (low < 0) == (other < 0) else -1)
                assert (quotient, remainder) == (whole & 0xFFFF_FFFF, low - whole * other & 0xFFFF_FFFF), (low, other)
