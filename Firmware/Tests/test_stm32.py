"""The images for the STM32F405 in QEMU's netduinoplus2, which has its USARTs, timers, SPI and converter, and no I2C and no pins."""

import pytest

import improv
from board import IMAGES, Board
from serial_parts import EMIC2, ESP8266

LINES = ["console", "radio", "speech"]


@pytest.fixture
def board(request):
    board = Board("STM32F405", None, machine="netduinoplus2", file=IMAGES / f"{request.param}-STM32F405.elf", names=LINES)
    yield board.switch_on()
    board.cut_power()


@pytest.mark.parametrize("board", ["Toy", "PlantSensor"], indirect=True)
def test_it_answers_over_its_serial_line_though_its_bus_and_its_memory_are_missing(board):
    answered(board)


def answered(board):
    """Asks until it answers: what comes before its USART is on is lost, in QEMU as on the chip."""
    for _ in range(40):
        board.console.send(improv.ASK_STATE)
        with board.console.changed:
            if board.console.changed.wait_for(lambda: improv.READY in board.console.received, 0.5):
                return
    raise AssertionError(f"no answer, but {bytes(board.console.received)!r}")


@pytest.mark.parametrize("board", ["Toy"], indirect=True)
def test_the_toy_sets_its_voice_and_begins_to_join_a_network(board):
    voice, radio = EMIC2(board.speech), ESP8266(board.radio)
    voice.wait_for(lambda: voice.settings.get(b"W"), what="the voice's settings")
    answered(board)
    board.console.send(improv.hub_command("127.0.0.1", 1, "k7fq2m9x", "secret") + improv.wifi_command())
    board.console.expect(improv.PROVISIONING)
    radio.wait_for(lambda: b"AT+CWMODE_CUR=1" in radio.commands, what="a station")


@pytest.mark.parametrize("board", ["Drums"], indirect=True)
def test_the_kit_takes_cues(board):
    board.radio.send(b"241")
    # QEMU has no pins: a strike cannot be, and what can be seen is that the kit goes on.
    assert board.control.ask("query-status")["running"]
