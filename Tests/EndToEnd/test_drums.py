"""A song that is played in a real browser: by keys and by fingers, to its end and not; what is heard, kept and told."""

import math
import re

import pytest
from playwright.sync_api import expect

from drums_page import (  # noqa: F401
    FAST, KEYS, active_songs, add_song, answer, asked, beat, browser, by_finger, by_key, by_key_at_once, by_mouse, cue, heading, is_delivered,
    is_fullscreen, is_over, stored_session, lead, looks, me, open_songs, page, play, play_through, played, session, sessions, settings,
)  # fmt: skip
from hub import eventually
from pages import EACH_WAY, EMAIL, PASSWORD, assert_nothing_overflows, hub, sign_in  # noqa: F401
from recordings import add_recording

pytestmark = pytest.mark.by_the_clock  # songs are played at their tempo

# What is given to the audio clock: when each sound is to begin, and when it was said, seconds of that clock.
HEARD = """window.heard = [];
window.audioSeconds = () => 0;
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const begin = kind.prototype.start;
    kind.prototype.start = function (when = 0, ...more) {
        if (this.context instanceof OfflineAudioContext) return begin.call(this, when, ...more); // a rehearsal
        window.audioSeconds = () => this.context.currentTime;
        window.heard.push({ when, said: this.context.currentTime, place: more[0] ?? null });
        return begin.call(this, when, ...more);
    };
}
window.felt = [];
navigator.vibrate = (pattern) => window.felt.push(pattern) > 0;"""

# What a recording sounds like behind its fading: how long it was loud at a stretch, at the most, seconds of that clock.
LOUD = """window.loudest = 0;
const connect = AudioNode.prototype.connect;
const faders = new WeakSet();
AudioNode.prototype.connect = function (to, ...more) {
    if (this instanceof AudioBufferSourceNode && to instanceof GainNode) faders.add(to);
    if (faders.has(this)) {
        const { context } = this;
        const ear = new AnalyserNode(context, { fftSize: 1024 });
        const samples = new Float32Array(ear.fftSize);
        connect.call(this, ear);
        let since = null;
        setInterval(() => {
            ear.getFloatTimeDomainData(samples);
            if (Math.max(...samples) < 0.2) since = null;
            else window.loudest = Math.max(window.loudest, context.currentTime - (since ??= context.currentTime));
        }, 15);
    }
    return connect.call(this, to, ...more);
};"""


def heard(page):
    return page.evaluate("window.heard.length")


BAR = 1.6  # seconds: a bar of the song that is played here, and more


def a_bar_goes_by(page):
    """Waits until what was planned has begun, and then until the audio clock has gone on by a bar; says what was
    planned before that bar, and by its end."""
    page.wait_for_function("() => window.heard.every(({ when }) => when < audioSeconds())")
    before = heard(page)
    page.wait_for_function("(then) => audioSeconds() >= then", arg=page.evaluate("audioSeconds()") + BAR)
    return before, heard(page)


@pytest.fixture
def song(hub):
    settings(hub, drums=[True] * 4, level=3, countIn=1)
    return add_song(hub, FAST)


@pytest.fixture
def flow(hub):
    """A song that does not wait."""
    settings(hub, drums=[True] * 4, level=2, countIn=1, mode="flow")
    return add_song(hub)


@EACH_WAY
def test_a_whole_song_is_played_with_keys_and_told_at_its_end(hub, page, song, looks):
    open_songs(page)
    assert_nothing_overflows(page)
    play(page)
    expect(page.get_by_role("navigation", name="Places")).to_be_hidden()
    first = asked(page)
    assert_nothing_overflows(page)
    word = first.capitalize()
    expect(heading(page)).to_have_text(word)
    expect(page.get_by_role("button", name=f"{word}, hit now")).to_be_visible()
    expect(page.locator(".pad[data-pad=red]")).to_have_attribute("aria-keyshortcuts", "F")
    drums = play_through(page)
    id = played(page)
    assert_nothing_overflows(page)
    expect(heading(page)).to_have_text("Well played, Tess")
    beats = song["levels"][2]["beats"]
    assert len(drums) == beats
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["end"] == "finished" and "claim" not in stored
    assert stored["judged"] == stored["answered"] == stored["right"] == beats
    assert stored["song"] == {"id": song["id"], "title": "Quick"} and stored["link"] in ("keyboard", "screen")
    data = session(hub, id)["beatList"]
    assert [KEYS[drum] for drum in drums] == ["fghj"[one["drum"]] for one in data]
    assert {one["link"] for one in data} == {"keyboard"}
    assert stored_session(page) is None and active_songs(hub) == []
    page.reload()  # the summary survives it
    expect(page.get_by_text(f"{beats}of {beats}")).to_be_visible()
    expect(page.get_by_role("link", name="Every beat of it")).to_have_attribute("href", f"/drums/session/{id}")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Play Quick", exact=True).first).to_be_visible()


def test_fingers_are_answered_as_they_come_down_also_two_at_once(hub, page, song):
    page.add_init_script(HEARD)
    open_songs(page)
    play(page)
    drum, now = cue(page)
    other = next(one for one in KEYS if one != drum)
    by_finger(page, other, drum)
    is_over(page, now)  # its pad may be asked for again by then: the next beat's drum is the same in this song
    play_through(page, by_finger)
    data = session(hub, played(page) and is_delivered(hub)[0]["id"])
    assert data["beatList"][0]["verdict"] == "wrongFirst" and len(data["beatList"][0]["wrong"]) == 1
    assert data["right"] == data["judged"] - 1 and {one["link"] for one in data["beatList"]} == {"screen"}
    felt = page.evaluate("window.felt")
    assert [12] in felt and [18, 50, 18] in felt


def test_a_pad_that_a_screen_reader_presses_is_a_hit(hub, page, song):
    open_songs(page)
    play(page)
    drum = asked(page)
    page.locator(f".pad[data-pad={drum}]").focus()
    page.keyboard.press("Enter")
    play_through(page, lambda page, drum: page.locator(f".pad[data-pad={drum}]").evaluate("(pad) => pad.click()"))
    played(page)
    [stored] = is_delivered(hub)
    assert stored["right"] == stored["judged"] == song["levels"][2]["beats"]


def test_the_music_waits_for_an_answer_and_nothing_is_said_to_be_wrong(hub, page, song):
    page.add_init_script(HEARD)
    open_songs(page)
    play(page)
    assert answer(page)
    drum = asked(page)
    now = beat(page)
    expect(lead(page)).to_have_text("The music waits for you.")
    before, after = a_bar_goes_by(page)
    assert beat(page) == now and after == before  # nothing more is planned
    by_key(page, next(one for one in KEYS if one != drum))
    expect(lead(page)).to_have_text(re.compile("^Look for the (circle|triangle|square|cross).$"))
    expect(heading(page)).to_have_text(drum.capitalize())
    by_key(page, drum)
    eventually(lambda: heard(page) > before + 2, what="the music")
    play_through(page)
    id = played(page)
    is_delivered(hub)
    data = session(hub, id)
    assert data["waits"] >= 1 and data["beatList"][1]["verdict"] == "wrongFirst" and data["beatList"][1]["waited"] > 1000
    expect(page.get_by_text(re.compile("The music waited (once|[0-9]+ times)."))).to_be_visible()


def test_in_flow_mode_the_song_goes_on_by_itself_and_missed_beats_are_told(hub, page, flow):
    open_songs(page)
    play(page)
    by_key_at_once(page)
    id = played(page)
    is_delivered(hub)
    data = session(hub, id)
    verdicts = [one["verdict"] for one in data["beatList"]]
    assert data["mode"] == "flow" and data["end"] == "finished" and data["waits"] == 0
    assert verdicts[0] in ("right", "offTime") and set(verdicts[1:]) == {"missed"}
    expect(page.get_by_text("On the beat", exact=True)).to_be_visible()


def test_a_pause_stops_the_music_and_is_no_practice(hub, page, song):
    page.add_init_script(HEARD)
    open_songs(page)
    play(page)
    answer(page)
    page.keyboard.press(" ")
    expect(heading(page)).to_have_text("Paused")
    since, now = page.evaluate("performance.now()"), beat(page)
    by_key(page, "red")
    before, after = a_bar_goes_by(page)
    assert after == before and beat(page) == now
    for_so_long = page.evaluate("performance.now()") - since
    page.get_by_role("button", name="Go on", exact=True).first.click()
    play_through(page)
    id = played(page)
    is_delivered(hub)
    data = session(hub, id)
    assert data["right"] == data["judged"] == song["levels"][2]["beats"]
    paused = [one for one in data["happened"] if one["what"] == "paused"]
    assert paused and paused[0]["milliseconds"] >= math.floor(for_so_long)


def test_who_stops_at_once_has_not_played(hub, page, song):
    open_songs(page)
    play(page)
    asked(page)
    page.get_by_role("button", name="Stop the song").click()
    expect(page.get_by_role("button", name="Play Quick", exact=True).first).to_be_visible()
    assert sessions(hub) == [] and stored_session(page) is None and active_songs(hub) == []


def test_who_stops_is_asked_and_what_was_played_is_kept(hub, page, song):
    open_songs(page)
    play(page)
    for _ in range(3):
        answer(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_contain_text("3 beats are played and will be kept.")
    page.get_by_role("button", name="Go on playing").click()
    answer(page)
    page.get_by_role("button", name="Stop the song").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop", exact=True).click()
    played(page)
    expect(heading(page)).to_have_text("Good start, Tess")
    [stored] = is_delivered(hub)
    assert stored["end"] == "stopped" and stored["right"] == 4


def test_after_a_reload_the_song_is_paused_and_goes_on_where_it_was(hub, page, song):
    open_songs(page)
    play(page)
    for _ in range(3):
        answer(page)
    page.reload()
    expect(heading(page)).to_have_text("Paused")
    assert beat(page) in ("3", "4")
    page.get_by_role("button", name="Go on", exact=True).first.click()
    play_through(page)
    id = played(page)
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["right"] == stored["judged"] == song["levels"][2]["beats"]
    assert "takenUp" in [one["what"] for one in session(hub, id)["happened"]]


def test_who_leaves_the_session_finds_the_song_paused(hub, page, song):
    open_songs(page)
    play(page)
    answer(page)
    page.get_by_role("link", name="Songs").click()
    page.get_by_role("button", name=re.compile("Go on")).first.click()
    expect(heading(page)).to_have_text("Paused")
    page.get_by_role("button", name="Go on", exact=True).first.click()
    play_through(page)
    assert played(page) == is_delivered(hub)[0]["id"]


def test_what_is_heard_can_be_switched_off(hub, page, song):
    page.add_init_script(HEARD)
    settings(hub, sounds={"song": False, "metronome": False, "hits": False})
    open_songs(page)
    play(page)
    answer(page)
    answer(page)
    assert heard(page) == 0
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("switch", name="The song")).not_to_be_checked()
    page.get_by_role("switch", name="Metronome").locator("..").click()
    page.get_by_role("dialog").get_by_role("button", name="Go on playing").click()
    answer(page)
    eventually(lambda: heard(page) > 0, what="the metronome")
    page.reload()  # also after a reload of the same song, and for the next one
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("switch", name="Metronome")).to_be_checked()
    eventually(lambda: hub.get("/api/drums")["people"][0]["settings"]["sounds"]["metronome"], what="the setting")


def test_sounds_are_given_to_the_audio_clock_ahead_and_evenly(hub, page, flow):
    page.add_init_script(HEARD)
    settings(hub, sounds={"song": False, "metronome": True, "hits": False})
    open_songs(page)
    play(page)
    played(page)
    sounds = page.evaluate("window.heard")
    assert len(sounds) >= 17  # count-in and four bars
    steps = [round((b["when"] - a["when"]) * 1000, 3) for a, b in zip(sounds, sounds[1:])]
    assert all(abs(step - 400) < 1 for step in steps), steps
    assert all(one["when"] > one["said"] for one in sounds)


@pytest.fixture
def ours(hub, song):
    add_recording(hub)
    settings(hub, sounds={"song": True, "metronome": False, "hits": False})


def test_the_family_s_own_recording_stops_with_the_song_and_goes_on_where_it_was(page, ours):
    page.add_init_script(HEARD)
    open_songs(page)
    play(page, "Ours")
    parts = lambda: page.evaluate("window.heard.filter(({ place }) => place !== null)")  # noqa: E731
    answer(page)
    asked(page)
    expect(lead(page)).to_have_text("The music waits for you.")
    [*_, before] = parts()
    answer(page)
    eventually(lambda: len(parts()) > len([before]) and parts()[-1]["when"] > before["when"], what="the recording again")
    again = parts()[-1]
    # From its place in the song, which lies 0.75 s into the file, and on a step of it: half a second, or a part of that.
    assert again["place"] > before["place"] >= 0.74
    step = 0.5 * 60 / 120
    off = (again["place"] - 0.75) % step
    assert min(off, step - off) < 0.08, again


@pytest.mark.parametrize("mode", ["wait", "flow"])
def test_the_family_s_own_recording_is_loud_while_the_song_goes_on(hub, page, ours, mode):
    settings(hub, mode=mode)
    page.add_init_script(LOUD)
    open_songs(page)
    play(page, "Ours")
    for _ in range(4):
        answer(page)

    def is_loud():
        if mode == "wait":
            answer(page)  # on a busy machine an answer may come when the music waits already
        return page.evaluate("window.loudest") > 0.6

    # A beat and more: what only comes in and goes out is shorter.
    eventually(is_loud, 30, what="the recording")
