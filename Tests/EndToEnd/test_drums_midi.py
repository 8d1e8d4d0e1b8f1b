"""Electronic drums: on a cable, and over Bluetooth.

A stand-in takes the place of the browser's `requestMIDIAccess`, since a machine without a MIDI interface has no device to
plug in: ports that come and go, and messages on them. What reads the messages is the page's own, and the engine's. Over
Bluetooth the peripheral is Chromium's emulated one.
"""

import pytest
from playwright.sync_api import expect

import emulated_kit
from drums_links import BLUETOOTH_MIDI, MIDI, SCREEN, chooser, current, row, state
from drums_page import FAST, add_song, is_delivered, play, played, settings
from emulated_kit import EmulatedMidiKit
from pages import PHONE, sign_in, watched
from shared_hub import shared_hub
from single_modules import web  # noqa: F401

hub = shared_hub(web=True)

STAND_IN = """(() => {
    class Port extends EventTarget {
        constructor(name) {
            super();
            Object.assign(this, { id: `port ${name}`, name, manufacturer: "Maker", type: "input", state: "connected" });
        }
        async open() { return this; }
    }
    const access = Object.assign(new EventTarget(), { inputs: new Map(), outputs: new Map() });
    const tell = (port) => access.dispatchEvent(Object.assign(new Event("statechange"), { port }));
    globalThis.midi = {
        refusal: null,
        plug(name) {
            const port = access.inputs.get(`port ${name}`) ?? new Port(name);
            port.state = "connected";
            access.inputs.set(port.id, port);
            tell(port);
        },
        unplug(name) {
            const port = access.inputs.get(`port ${name}`);
            port.state = "disconnected";
            tell(port);
        },
        play(name, ...bytes) {
            const data = Uint8Array.from(bytes);
            access.inputs.get(`port ${name}`).dispatchEvent(Object.assign(new Event("midimessage"), { data }));
        },
    };
    Object.defineProperty(Navigator.prototype, "requestMIDIAccess", { configurable: true, value: async () => {
        if (midi.refusal) throw new DOMException("refused", midi.refusal);
        return access;
    } });
})();"""

PAD = {"red": 60, "orange": 62, "blue": 64, "yellow": 65}  # as no kit of General MIDI has them
STRUCK = "links.current.addEventListener('strike', ({ detail }) => (globalThis.struck ??= []).push([detail.drum, detail.velocity]))"


@pytest.fixture(scope="module")
def browser(launched):
    return launched(*emulated_kit.ARGUMENTS, is_whole=True)


@pytest.fixture
def page(hub, browser):
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        page.add_init_script(STAND_IN)
        yield page


def plug(page, name="Drum brain"):
    page.evaluate("(name) => midi.plug(name)", name)


def hit(page, note, velocity=96, name="Drum brain", status=0x99):
    page.evaluate("([name, ...bytes]) => midi.play(name, ...bytes)", [name, status, note, velocity])


def connected(page, name="Drum brain"):
    """A kit that was plugged in, and is used."""
    sign_in(page, "/drums")
    plug(page, name)
    chooser(page)
    row(page, MIDI).get_by_role("button", name="Connect").click()
    expect(row(page, MIDI)).to_contain_text("In use")
    expect(row(page, MIDI)).to_contain_text(name)


def teach(page, hits):
    page.get_by_role("button", name="Teach the pads").click()
    sheet = page.get_by_role("dialog", name="Teach the pads")
    for word, strike in hits:
        expect(sheet).to_contain_text(f"Hit the {word} pad now")
        strike()
    sheet.get_by_role("button", name="Keep").click()
    expect(sheet).to_be_hidden()


def test_the_pads_are_taught_by_hitting_them_and_stay_taught(page):
    connected(page)
    teach(page, [(word, lambda note=note: hit(page, note)) for word, note in PAD.items()])
    page.evaluate(current(STRUCK))
    for note in (65, 60, 38, 64):  # the third is a snare of General MIDI: no pad of this kit any more
        hit(page, note, velocity=note)
    assert page.evaluate("struck") == [[3, 65], [0, 60], [2, 64]]
    page.reload()
    page.evaluate("() => midi.plug('Drum brain')")
    chooser(page)
    expect(row(page, MIDI)).to_contain_text("Last used")
    row(page, MIDI).get_by_role("button", name="Connect").click()
    expect(row(page, MIDI)).to_contain_text("In use")
    page.evaluate(current(STRUCK))
    hit(page, 62)
    assert page.evaluate("struck") == [[1, 96]]


def test_a_pad_that_was_taken_is_asked_for_again_and_one_that_is_missing_is_left_out(page):
    connected(page)
    page.get_by_role("button", name="Teach the pads").click()
    sheet = page.get_by_role("dialog", name="Teach the pads")
    for word, note in (("red", 60), ("orange", 62), ("blue", 60)):
        expect(sheet).to_contain_text(f"Hit the {word} pad now")
        hit(page, note)
    expect(sheet).to_contain_text("That was the red one.")
    sheet.get_by_role("button", name="This kit has no such pad").click()
    hit(page, 65)
    sheet.get_by_role("button", name="Keep").click()
    page.evaluate(current(STRUCK))
    for note in (60, 62, 64, 65):
        hit(page, note)
    assert [drum for drum, _ in page.evaluate("struck")] == [0, 1, 3]


def test_pads_that_nobody_taught_are_those_of_general_midi(page):
    connected(page)
    page.evaluate(current(STRUCK))
    for note in (38, 48, 45, 43):
        hit(page, note)
    hit(page, 38, velocity=0)  # a note on without velocity is a note off (MIDI 1.0, Note Off)
    hit(page, 38, status=0x89)
    assert page.evaluate("struck") == [[0, 96], [1, 96], [2, 96], [3, 96]]


def test_a_kit_that_is_unplugged_is_lost_and_found_again(page):
    connected(page)
    page.evaluate("() => midi.unplug('Drum brain')")
    expect(row(page, MIDI)).to_contain_text("was unplugged")
    assert state(page) == "lost"
    plug(page)
    expect(row(page, MIDI)).to_contain_text("In use")
    page.evaluate(current(STRUCK))
    hit(page, 38)
    assert page.evaluate("struck") == [[0, 96]]


def test_one_of_several_is_chosen_and_what_is_plugged_in_later_appears(page):
    sign_in(page, "/drums")
    chooser(page)
    row(page, MIDI).get_by_role("button", name="Connect").click()
    expect(row(page, MIDI)).to_contain_text("Nothing is plugged in")
    plug(page, "Keyboard")
    plug(page, "Drum brain")
    expect(row(page, MIDI)).to_contain_text("Which of these are the drums?")
    row(page, MIDI).get_by_role("button", name="Drum brain").click()
    expect(row(page, MIDI)).to_contain_text("In use")
    page.evaluate(current(STRUCK))
    hit(page, 38, name="Keyboard")
    hit(page, 48)
    assert page.evaluate("struck") == [[1, 96]]


def test_who_was_told_no_is_told_where_the_switch_is(page):
    sign_in(page, "/drums")
    chooser(page)
    page.evaluate("() => { midi.refusal = 'NotAllowedError'; }")
    row(page, MIDI).get_by_role("button", name="Connect").click()
    expect(row(page, MIDI)).to_contain_text("MIDI devices, Allow")
    page.evaluate("() => { midi.refusal = null; midi.plug('Drum brain'); }")
    row(page, MIDI).get_by_role("button", name="Try again").click()
    expect(row(page, MIDI)).to_contain_text("In use")


def test_hostile_messages_are_no_strokes(page):
    connected(page)
    page.evaluate(current(STRUCK))
    page.evaluate(
        "() => { for (const bytes of [[], [0x99], [0xFF], [0x99, 38], [0xF6], [38, 100], [0xF0, 1, 2], [0xF8], [0x99, 200, 300],"
        " Array(4000).fill(0x99)]) midi.play('Drum brain', ...bytes); }"
    )
    assert page.evaluate("globalThis.struck ?? []") == []
    hit(page, 38)
    assert page.evaluate("struck") == [[0, 96]]


@pytest.mark.own_hub
@pytest.mark.by_the_clock
@pytest.mark.timeout(240)
def test_a_song_is_played_on_electronic_drums(hub, page):
    settings(hub, level=2)
    add_song(hub, FAST)
    connected(page)
    page.get_by_role("button", name="Done").click()
    play(page)
    # Who plays it: whatever drum is asked for is hit, with the notes of General MIDI.
    page.evaluate(
        "() => { const notes = { red: 38, orange: 48, blue: 45, yellow: 43 }; setInterval(() => {"
        " const pad = document.querySelector('.pad[data-state=cue]'); if (pad) midi.play('Drum brain', 0x99, notes[pad.dataset.pad], 80);"
        " }, 230); }"
    )
    page.wait_for_url("**/drums/done/*", timeout=90_000)
    played(page)
    (session,) = is_delivered(hub)
    assert session["link"] == "midi" and session["end"] == "finished" and session["answered"] == session["beats"]


def test_drums_over_bluetooth_are_read_packet_by_packet(browser, page):
    kit = EmulatedMidiKit(browser, page)
    try:
        sign_in(page, "/drums")
        chooser(page)
        row(page, BLUETOOTH_MIDI).get_by_role("button", name="Connect").click()
        kit.until(lambda: state(page) == "on", what="that the drums are on")
        page.evaluate(current(STRUCK))
        kit.hit(38, 90)
        kit.hit(43, 20)
        kit.notify(bytes([0x80, 0x80, 0x99, 48, 77, 45, 66]))  # running status: two strokes in one packet
        kit.notify(bytes([0x80]))
        kit.notify(b"")
        kit.notify(bytes([0xFF] * 20))
        kit.until(lambda: len(page.evaluate("globalThis.struck ?? []")) >= 4, what="the strokes")
        assert page.evaluate("struck") == [[0, 90], [3, 20], [1, 77], [2, 66]]
        kit.lose()
        kit.until(lambda: state(page) == "lost")
        kit.find()
        kit.until(lambda: state(page) == "on", 20)
        page.evaluate("() => { struck.length = 0; }")
        kit.hit(48, 50)
        kit.until(lambda: page.evaluate("struck.length"), what="a stroke after it came back")
    finally:
        kit.close()


def test_the_screen_is_always_there(page):
    connected(page)
    row(page, SCREEN).get_by_role("button", name="Use").click()
    expect(row(page, SCREEN)).to_contain_text("In use")
    assert state(page) is None
