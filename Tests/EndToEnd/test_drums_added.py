"""What is brought to Drums, its card on Today, and its rooms with the hub away."""

import datetime
import math
import plistlib
import re

import pytest
from playwright.sync_api import expect

import drums_page
from drums_page import browser  # noqa: F401
from drums_screens import (  # noqa: F401
    entry, looks, mila, opened, page, person, plan, sessions, today, weeks_of,
)  # fmt: skip
from hub import eventually
from pages import PHONE, has_worker, is_back, sign_in, watched
from recordings import RATE, wav
from shared_hub import shared_hub

hub = shared_hub(web=True)


# Files.


def test_the_originals_file_is_brought_in_a_wrong_one_refused_at_its_field(hub, page, mila, tmp_path):  # noqa: F811
    opened(page, "/drums/settings", mila)
    page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose a file first")
    wrong = tmp_path / "wrong.plist"
    wrong.write_bytes(b"this is no property list")
    dialog.get_by_label("File").set_input_files(wrong)
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    expect(dialog.get_by_label("File")).to_have_attribute("aria-invalid", "true")
    bad = {**entry(today(hub) - datetime.timedelta(days=2)), "tempo": "fast"}
    good = tmp_path / "sessiondata.plist"
    good.write_bytes(plistlib.dumps([entry(today(hub) - datetime.timedelta(days=1)), bad], fmt=plistlib.FMT_BINARY))
    dialog.get_by_label("File").set_input_files(good)
    dialog.get_by_role("button", name="Import").click()
    expect(dialog).to_contain_text("1 of 2 sessions stored for Mila")
    expect(dialog).to_contain_text("tempo")  # which session, which key, why
    assert len(sessions(hub, mila)) == 1
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_a_song_written_as_text_is_added_and_a_wrong_one_is_told_where(hub, page, mila, tmp_path):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("button", name="Add a song").click()
    dialog = page.get_by_role("dialog")
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(drums_page.QUICK.replace("E4 G4", "E4 Q9"))
    dialog.get_by_label("MIDI file or song text").set_input_files(wrong)
    dialog.get_by_role("button", name="Add song").click()
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile(r"[Ll]ine \d+"))
    right = tmp_path / "quick.txt"
    right.write_text(drums_page.QUICK)
    dialog.get_by_label("MIDI file or song text").set_input_files(right)
    dialog.get_by_role("button", name="Add song").click()
    expect(page.get_by_role("button", name="Play Quick", exact=True)).to_be_visible()
    page.locator(".song-about").filter(has_text="Quick").click()
    dialog.get_by_label("Title").fill("Quicker")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Play Quicker", exact=True)).to_be_visible()
    page.locator(".song-about").filter(has_text="Quicker").click()
    dialog.get_by_role("button", name="Delete this song").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete this song").click()
    expect(page.get_by_role("button", name="Play Quicker", exact=True)).to_have_count(0)
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_a_recording_that_is_too_large_is_refused_before_it_is_sent(hub, page, mila, tmp_path):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("button", name="Add a song").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="A recording").click()
    large = tmp_path / "large.mp3"
    with large.open("wb") as file:
        file.truncate(200_000_000)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    dialog.get_by_label("Recording").set_input_files(large)
    dialog.get_by_role("button", name="Add song").click()
    expect(dialog.get_by_role("alert")).to_contain_text("200 MB")
    assert not sent


def clicks(seconds=14, bpm=120):
    """A recording with a click on each beat, half a second in."""
    def sample(i):
        at = (i / RATE - 0.5) % (60 / bpm)
        return int(12_000 * math.sin(i / RATE * 880 * math.tau)) if i >= RATE / 2 and at < 0.03 else 0

    return wav(sample(i) for i in range(RATE * seconds))


@pytest.mark.by_the_clock
def test_the_familys_recording_has_its_tempo_tapped_and_is_played(hub, page, mila, tmp_path):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("button", name="Add a song").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="A recording").click()
    recording = tmp_path / "papa.wav"
    recording.write_bytes(clicks())
    dialog.get_by_label("Recording").set_input_files(recording)
    dialog.get_by_role("button", name="Add song").click()
    expect(page.get_by_role("heading", name=re.compile("^The tempo of"))).to_be_visible()
    save = dialog.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    dialog.get_by_role("button", name="Play", exact=True).click()
    # Somebody who taps exactly on the clicks: by the recording's own time, in the page.
    page.evaluate(
        "() => new Promise((done) => { const audio = document.querySelector('dialog audio');"
        " const pad = document.querySelector('.tap-pad'); let next = 0.5;"
        " const look = () => { if (audio.currentTime >= next) { next += 0.5;"
        " pad.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, cancelable: true })); }"
        " if (next > 7) done(); else setTimeout(look, 2); }; look(); })"
    )
    expect(dialog.locator(".tap-says")).to_contain_text(re.compile(r"1(19|20)(\.\d)? beats a minute"))
    expect(save).to_be_enabled()
    save.click()
    expect(dialog).to_have_count(0)
    [song] = [one for one in hub.get("/api/drums/songs")["songs"] if one["hasAudio"]]
    assert song["bytes"] and abs(song["microsecondsPerBeat"] - 500_000) < 6_000
    expect(page.get_by_role("button", name=f"Play {song['title']}", exact=True)).to_be_visible()


# Today, and without the hub.


def test_today_shows_the_week_on_its_ruler(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    plan(hub, mila)
    sign_in(page, "/")
    card = page.locator(".card[data-companion=drums]")
    expect(card).to_contain_text(hub.get("/api/drums")["headline"]["text"][:20])
    expect(card.get_by_role("meter", name="Mila, minutes this week")).to_be_visible()


def test_the_songs_are_there_without_the_hub_and_settings_say_that_it_is_away(hub, browser, mila):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        opened(page, "/drums", mila)
        has_worker(page)
        count = len(hub.get("/api/drums/songs")["songs"])
        hub.kill()
        page.reload()
        expect(page.get_by_role("button", name=re.compile("^Play .+"))).to_have_count(count)
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        page.get_by_role("button", name="Settings").first.click()
        page.get_by_role("switch", name="Blue drum").click(force=True)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        expect(page.get_by_text("Not saved yet")).to_be_visible()
        before = page.get_by_role("switch", name="Blue drum").is_checked()
        hub.start()
        is_back(page)
        # The page is drawn anew when the hub is back, and what waited is saved as for who leaves.
        eventually(lambda: person(hub, mila)["settings"]["drums"][2] == before, what="the change at the hub")


def test_data_without_the_hub_say_so_and_come_when_it_is_back(hub, browser, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        opened(page, "/drums/data", mila)
        has_worker(page)
        hub.kill()
        page.reload()
        expect(page.get_by_text("It comes back when the hub answers.").first).to_be_visible()
        hub.start()
        is_back(page)
        expect(page.locator("main .plot").first).to_be_visible()
