"""The drum kit's image in QEMU, played with by a page in Chromium against the real hub: the page's Bluetooth is the browser's own
emulated radio, and the kit's radio is a pipe between that and the board's serial line, as a module with the Nordic UART is."""

import threading

import pytest
from playwright.sync_api import sync_playwright

import chromium
import emulated_kit
from drums_links import BLUETOOTH, chooser, connect, song_ends
from drums_page import FAST, add_song, is_delivered, play, session, settings
from hub import Hub, copy_of, prepare
from pages import PHONE, sign_in, watched
from single_modules import web  # noqa: F401

#: The person's own time between a lamp and the strike, seconds.
REACTION = 0.25


class Board:
    """The kit on its board, and a person who strikes the pad whose lamp lights; each first strike of a bar hits the neighbour."""

    def __init__(self, kit):
        self.kit, self.radio, self.bench = kit, kit.board.radio, kit.board.bench
        self.radio.listener = None
        self.strikes = 0
        for pad in range(4):
            self.bench.set(pad, False)
        self.bench.on_drive = self.lamp

    def lamp(self, pad, is_lit):
        if is_lit:
            self.strikes += 1
            if self.strikes % 4 == 1:
                threading.Timer(REACTION / 2, self.strike, [(pad + 1) % 4]).start()
            threading.Timer(REACTION, self.strike, [pad]).start()

    def strike(self, pad):
        self.bench.set(pad, True)
        threading.Timer(0.03, self.bench.set, [pad, False]).start()

    # What a player of emulated_kit.py does.

    def cue(self, data):
        self.radio.send(data)

    def due(self):
        with self.radio.changed:
            end = self.radio.received.rfind(b"\0") + 1
            whole = bytes(self.radio.received[:end])
            del self.radio.received[:end]
        return [piece + b"\0" for piece in whole.split(b"\0")[:-1]]

    def close(self):
        pass


@pytest.fixture
def hub(web, tmp_path, tmp_path_factory):  # noqa: F811
    hub = Hub(copy_of(prepare(tmp_path_factory.mktemp("prepared")), tmp_path / "data"), web=web)
    yield hub.start().signed_in()
    hub.close()


@pytest.mark.timeout(240)
def test_a_whole_song_is_played_on_the_kit_s_own_image_with_a_page(hub, device):
    board = Board(device("Drums"))
    settings(hub, level=2)
    add_song(hub, FAST)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.options(*emulated_kit.ARGUMENTS))
        for page in watched(hub, browser, (PHONE, "light")):
            kit = emulated_kit.EmulatedKit(browser, page)
            kit.player = board
            sign_in(page, "/drums")
            chooser(page)
            connect(page, kit, BLUETOOTH)
            play(page)
            identifier = song_ends(page, kit)
            is_delivered(hub)
            kit.close()
        browser.close()
    data = session(hub, identifier)
    assert data["end"] == "finished" and data["link"] == "bluetooth"
    assert data["answered"] == data["beats"] > 3
    assert len([digit for digit in kit.cues if digit in "0123"]) >= data["beats"] == board.strikes
    # By the board's own clock, from its lamp to the pad: what browser, radio and hub take is no part of it.
    assert REACTION * 1_000 <= data["reaction"]["median"] <= REACTION * 1_000 + 100, data["reaction"]
    print(f"lamp to pad: {data['reaction']} of a person who takes {REACTION * 1_000:.0f} ms")
