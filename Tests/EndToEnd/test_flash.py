"""`tandem flash`: what it writes is read by the makers' own tools, and what it says when there is no board."""

import pathlib
import shutil
import struct
import subprocess
import sys
import threading
import zlib

import pytest
from adafruit_uf2 import uf2conv

from hub import TANDEM

INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"


def turned(value, bits):
    return int(f"{value:0{bits}b}"[::-1], 2)


def elf(*segments):
    """A program with these segments (System V ABI; AAELF32)."""
    header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, 0, 52, 0, 0x0500_0200, 52, 32, len(segments), 0, 0, 0)
    place, headers = 52 + 32 * len(segments), b""
    for address, data in segments:
        headers += struct.pack("<8I", 1, place, 0x2000_0000, address, len(data), len(data), 5, 4)
        place += len(data)
    return header + headers + b"".join(data for _, data in segments)


@pytest.fixture
def pico_image(tmp_path):
    stage = bytes(range(252))
    checksum = turned(zlib.crc32(bytes(turned(byte, 8) for byte in stage)) ^ 0xFFFF_FFFF, 32)
    path = tmp_path / "Toy-Pico.elf"
    path.write_bytes(elf((0x1000_0000, stage + struct.pack("<I", checksum)), (0x1000_0100, b"vectors!" * 100)))
    return path


@pytest.fixture
def stm_image(tmp_path):
    path = tmp_path / "Toy-STM32F405.elf"
    path.write_bytes(elf((0x0800_0000, b"vectors!" * 100), (0x0800_1000, b"text")))
    return path


def flash(*words, path=None, code=0):
    environment = {"PATH": path or "/usr/bin:/bin"}
    result = subprocess.run([TANDEM, "flash", *map(str, words)], capture_output=True, text=True, timeout=60, env=environment)
    assert result.returncode == code, result
    return result.stdout + result.stderr


def test_another_maker_s_reader_of_uf2_gives_back_what_the_program_has(pico_image, tmp_path):
    flash(pico_image, "--output", tmp_path / "toy.uf2")
    file = (tmp_path / "toy.uf2").read_bytes()
    assert uf2conv.is_uf2(file)
    data = uf2conv.convert_from_uf2(file)
    assert data[:252] == bytes(range(252)) and data[256:1056] == b"vectors!" * 100
    assert set(data[1056:]) == {0xFF} and len(data) % 256 == 0
    families = {number for _, number in [struct.unpack_from("<II", file, place + 24) for place in range(0, len(file), 512)]}
    # The list of families that comes with the specification.
    assert families == {uf2conv.load_families()["RP2040"]}


def test_what_another_maker_s_writer_of_uf2_makes_is_taken(pico_image, tmp_path):
    flash(pico_image, "--output", tmp_path / "ours.uf2")
    ours = (tmp_path / "ours.uf2").read_bytes()
    uf2conv.appstartaddr, uf2conv.familyid = 0x1000_0000, 0xE48B_FF56
    (tmp_path / "theirs.uf2").write_bytes(uf2conv.convert_to_uf2(uf2conv.convert_from_uf2(ours)))
    flash(tmp_path / "theirs.uf2", "--output", tmp_path / "again.uf2")
    assert (tmp_path / "again.uf2").read_bytes() == ours


def test_dfu_suffix_takes_the_file_for_the_stm32_for_whole_and_for_st_s_device(stm_image, tmp_path):
    flash(stm_image, "--output", tmp_path / "toy.dfu")
    said = subprocess.run(["dfu-suffix", "-c", tmp_path / "toy.dfu"], capture_output=True, text=True)
    assert said.returncode == 0, said
    assert "0x0483" in said.stdout and "0xDF11" in said.stdout and "011A" in said.stdout, said.stdout


def test_a_pico_that_waits_gets_the_file_and_its_going_away_is_told(pico_image, tmp_path):
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text(INFO)

    def board():
        # It goes away with the last block, as its boot ROM does.
        while not (drive / "TANDEM.UF2").exists() or (drive / "TANDEM.UF2").stat().st_size < 5 * 512:
            threading.Event().wait(0.005)
        shutil.copy(drive / "TANDEM.UF2", tmp_path / "taken.uf2")
        shutil.rmtree(drive)

    thread = threading.Thread(target=board)
    thread.start()
    said = flash(pico_image, "--volume", drive)
    thread.join()
    assert "has taken the image" in said, said
    flash(pico_image, "--output", tmp_path / "wanted.uf2")
    assert (tmp_path / "taken.uf2").read_bytes() == (tmp_path / "wanted.uf2").read_bytes()


def test_without_a_pico_it_says_which_button_to_hold(pico_image, tmp_path):
    assert "BOOTSEL" in flash(pico_image, code=69)
    assert "BOOTSEL" in flash(pico_image, "--volume", tmp_path, code=69)


def test_a_drive_of_another_board_is_not_written_to(pico_image, tmp_path):
    (tmp_path / "INFO_UF2.TXT").write_text(INFO.replace("RPI-RP2", "SAMD21G18A-Zero-v0"))
    assert "is no Pico" in flash(pico_image, "--volume", tmp_path, code=69)
    assert not (tmp_path / "TANDEM.UF2").exists()


def test_without_dfu_util_it_says_how_to_install_it_what_to_press_and_what_to_call(stm_image, tmp_path):
    said = flash(stm_image, path=str(tmp_path), code=69)
    assert "apt install dfu-util" in said and "BOOT0" in said
    path = said.split("-D ")[1].split()[0]
    assert "dfu-util -d 0483:df11 -a 0 -s :leave" in said and pathlib.Path(path).exists()


def test_dfu_util_is_run_with_the_file_and_what_it_fails_with_is_told(stm_image, tmp_path):
    program = tmp_path / "dfu-util"
    program.write_text(f'#!{sys.executable}\nimport sys, shutil\nshutil.copy(sys.argv[-1], "{tmp_path}/taken")\nprint(*sys.argv[1:-1])\n')
    program.chmod(0o755)
    said = flash(stm_image, path=str(tmp_path))
    assert "-d 0483:df11 -a 0 -s :leave -D" in said and "Done" in said
    assert subprocess.run(["dfu-suffix", "-c", tmp_path / "taken"], capture_output=True).returncode == 0
    program.write_text("#!/bin/sh\nexit 74\n")
    assert "BOOT0" in flash(stm_image, path=str(tmp_path), code=69)


def test_the_real_dfu_util_finds_no_board_here_and_understands_how_it_is_called(stm_image):
    said = flash(stm_image, code=69)
    assert "No DFU capable USB device available" in said, said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"#!/bin/sh\n", "neither an ELF nor a UF2"),
        (elf((0x1000_0000, bytes(256))), "another checksum"),
        (elf((0x0800_0000, b"a"), (0x0800_0000, b"b")), "two of its parts lie at 0x08000000"),
        (elf((0x6000_0000, b"a")), "0x60000000"),
        (elf((0x1000_0000, bytes(256)))[:-1], "ends too early"),
        (b"", "is empty"),
    ],
)
def test_a_file_that_is_no_image_is_told_why(tmp_path, content, words):
    path = tmp_path / "image"
    path.write_bytes(content)
    assert words in flash(path, code=65)


def test_this_computer_s_own_program_is_no_image():
    assert "64 bits" in flash("/bin/true", code=65)


def test_an_image_for_another_board_than_the_one_that_was_named_is_not_written(stm_image, tmp_path):
    said = flash(stm_image, "--board", "pico", "--output", tmp_path / "out", code=65)
    assert "for another board" in said and not (tmp_path / "out").exists()
