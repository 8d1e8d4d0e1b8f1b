"""Music of the family's own, kept on the device, plays while somebody brushes, and never else."""

import io
import math
import re
import struct
import wave

from playwright.sync_api import expect

from brushing_page import QUARTERS, brushed, left, looks, me, open_ready, page, passes, start  # noqa: F401
from hub import eventually
from pages import EACH_WAY, assert_nothing_overflows, browser, hub, sign_in  # noqa: F401

# Sounds that a page makes are in no document: a test looks at them here.
SOUNDS = (
    "{ const Real = Audio; window.sounds = [];"
    " window.Audio = function (...of) { const made = new Real(...of); window.sounds.push(made); return made; }; }"
)
PLAYING = "(count) => window.sounds.filter((one) => one.src && !one.paused && !one.muted).length === count"


def a_song(seconds=1):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1), sound.setsampwidth(2), sound.setframerate(8_000)
        sound.writeframes(b"".join(struct.pack("<h", int(9_000 * math.sin(i / 5))) for i in range(8_000 * seconds)))
    return file.getvalue()


def is_playing(page, count):
    # By real time: that of the page stands still.
    eventually(lambda: page.evaluate(PLAYING, count), what=f"{count} sounds playing")


def settings(page):
    page.goto("/brushing/settings")
    return page.get_by_role("region", name="Music while brushing")


def add(page, section, name="Song.wav", content=None):
    with page.expect_file_chooser() as chooser:
        section.get_by_role("button", name="Choose a sound file").click()
    chooser.value.set_files({"name": name, "mimeType": "audio/wav", "buffer": a_song() if content is None else content})


@EACH_WAY
def test_a_song_of_the_family_plays_while_somebody_brushes_pauses_with_it_and_ends_with_it(hub, page, looks):
    page.add_init_script(SOUNDS)
    open_ready(page)
    section = settings(page)
    expect(section).to_contain_text("There is no music on this device yet.")
    add(page, section, "Grandpa's accordion.wav")
    expect(section.get_by_role("radio", name=re.compile("Grandpa's accordion"))).to_be_checked()
    assert_nothing_overflows(page)
    add(page, section, "Elephant song.wav")
    expect(section.get_by_role("radio", name="A surprise each time")).to_be_visible()
    section.get_by_role("radio", name=re.compile("Elephant song")).check()
    page.reload()
    expect(section.get_by_role("radio", name=re.compile("Elephant song"))).to_be_checked()
    # Nobody has asked for it yet.
    assert page.evaluate(PLAYING, 0)
    page.goto("/brushing")
    start(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(QUARTERS[0])
    is_playing(page, 1)
    page.get_by_role("button", name="Pause").click()
    is_playing(page, 0)
    page.get_by_role("button", name=re.compile("Go on|Resume")).first.click()
    is_playing(page, 1)
    for _ in range(6):
        passes(page, left(page))
    brushed(page)
    # It goes out softly while the summary comes.
    is_playing(page, 0)


def test_a_removed_song_comes_back_and_what_is_no_sound_is_refused_in_words(hub, page):
    open_ready(page)
    section = settings(page)
    add(page, section, "letter.wav", b"Dear grandma")
    expect(section).to_contain_text("This browser cannot play that file. Choose an MP3, M4A, OGG or WAV file.")
    add(page, section, "nothing.wav", b"")
    expect(section).to_contain_text("This file is empty. Choose another one.")
    add(page, section, "Song.wav")
    section.get_by_role("button", name="Remove Song").click()
    expect(section).to_contain_text("There is no music on this device yet.")
    page.get_by_role("button", name="Undo").click()
    expect(section.get_by_role("radio", name=re.compile("Song"))).to_be_checked()
