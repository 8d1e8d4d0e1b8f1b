"""A song on a kit in the network, in a browser: the virtual kit, through a real hub, to the page's own engine."""

import pytest
from playwright.sync_api import expect

from drum_kit import PahoKit, Page, Simulated, add_kit
from drums_links import WIFI, chooser, current, row, state
from drums_page import FAST, add_song, browser, is_delivered, looks, open_songs, page, play, played, session, settings  # noqa: F401
from hub import eventually
from pages import hub  # noqa: F401
from single_modules import web  # noqa: F401

QUICKLY = ["--reaction-ms", "300", "--spread-percent", "15", "--wrong-percent", "15", "--slower-side", "left"]
# What the page is told by its kit, as `told`.
TOLD = """links.current.addEventListener("notification", ({ detail: { bytes } }) =>
    (globalThis.told ??= []).push(new TextDecoder().decode(bytes).split("\\0")[0]))"""


@pytest.fixture
def kit(hub):  # noqa: F811
    return add_kit(hub)


def choose_wifi(page):  # noqa: F811
    open_songs(page)
    chooser(page)
    row(page, WIFI).first.get_by_role("button", name="Connect").click()
    expect(row(page, WIFI).first).to_contain_text("In use")
    page.get_by_role("button", name="Done").click()


@pytest.mark.by_the_clock
@pytest.mark.timeout(240)
def test_a_whole_song_is_played_on_a_kit_in_the_network_that_is_lost_in_the_middle(hub, page, kit):  # noqa: F811
    settings(hub, level=2)
    add_song(hub, FAST)
    with Simulated.of(kit, *QUICKLY):
        eventually(lambda: kit.show()["connected"], what="the kit's connection")
        choose_wifi(page)
        play(page)
        page.wait_for_function("() => +document.querySelector('.song-bar')?.getAttribute('aria-valuenow') >= 3")
    # The kit was switched off. The song waits, and goes on with the next one that signs in.
    eventually(lambda: state(page) == "lost", what="the loss in the page")
    with Simulated.of(kit, *QUICKLY, "--seed", "2"):
        eventually(lambda: state(page) == "on", within=20, what="the kit's return")
        page.wait_for_url("**/drums/done/*", timeout=120_000)
    identifier = played(page)
    is_delivered(hub)
    data = session(hub, identifier)
    assert data["end"] == "finished" and data["link"] == "wifi"
    assert data["answered"] == data["beats"] > 3 and data["lostMilliseconds"] > 0
    # The kit's own clock: the hub and the network are no part of it.
    assert 200 <= data["reaction"]["median"] <= 700
    assert data["latency"]["n"] > 0


@pytest.mark.timeout(120)
def test_hostile_notifications_stop_no_song_and_another_page_is_told(hub, page, kit):  # noqa: F811
    add_song(hub)
    with PahoKit.of(kit) as drums:
        choose_wifi(page)
        play(page)
        cue = drums.next()[1].decode()
        page.evaluate(current(TOLD))
        for words in (b"\xff" * 20, b"9 9 9\0", b"END\0", b"END\0", cue.encode() + b" -5 x\0", b"END\0"):
            drums.says(words)
        # Another drum answers for the one that was asked; then the right one does.
        other = str((int(cue) + 1) % 4)
        drums.says(f"{other} 200 -1.00\0".encode(), b"END\0")
        page.wait_for_function("(words) => globalThis.told?.at(-2) === words && told.at(-1) === 'END'", arg=f"{other} 200 -1.00")
        drums.says(f"{cue} 300 -1.00\0".encode(), b"END\0")
        assert drums.next(within=20)[1].decode() in "0123"
        with Page(hub) as second:
            assert second.attach(kit)["isConnected"]
            eventually(lambda: state(page) == "problem", what="that the page knows")
            expect(page.get_by_text("Another page plays with Kit now").first).to_be_visible()
