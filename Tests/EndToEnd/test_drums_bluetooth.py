"""Drums over Bluetooth: an emulated kit, played by its own firmware, in Chromium's emulated radio."""

import re

import pytest
from playwright.sync_api import expect

import emulated_kit
from drums_links import BLUETOOTH, chooser, connect, current, row, song_ends, state
from drums_page import FAST, QUICK, add_song, is_delivered, play, session, settings
from emulated_kit import EmulatedKit, Firmware, Script
from hub import eventually
from pages import PHONE, sign_in, stands_still, watched
from shared_hub import shared_hub
from single_modules import module, web  # noqa: F401

hub = shared_hub(web=True)

pytestmark = pytest.mark.by_the_clock  # songs are played at their tempo


BARS = QUICK[QUICK.index("|") :]
LONG_SONG = QUICK.replace("title: Quick", "title: Long").replace(BARS, BARS * 4)  # sixteen beats at the first level
FAST_SONG = FAST.replace("title: Quick", "title: Long").replace(BARS, BARS * 3)  # twelve beats at the second level


@pytest.fixture(scope="module")
def browser(launched):
    return launched(*emulated_kit.ARGUMENTS, is_whole=True)


@pytest.fixture
def page(hub, browser):
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        yield page


@pytest.fixture
def kits(browser, page):
    """Makes a kit; those that were made are switched off at the end."""
    made = []

    def make(**more):
        made.append(EmulatedKit(browser, page, **more))
        return made[-1]

    yield make
    for kit in made:
        kit.close()


def opened(page):
    sign_in(page, "/drums")
    return chooser(page)


# Found, joined, lost, found again.


@pytest.mark.own_hub
@pytest.mark.timeout(240)
def test_a_song_is_played_on_a_kit_that_is_lost_in_the_middle(hub, page, kits):
    kit = kits()
    kit.player = Firmware("--reaction-ms", 300, "--seed", 7, "--wrong-percent", 20)
    settings(hub, level=2)
    add_song(hub, FAST_SONG)
    opened(page)
    connect(page, kit, BLUETOOTH)
    play(page, "Long")
    kit.until(lambda: len(kit.cues) >= 5, 60, "the fifth cue")
    kit.lose()
    expect(page.get_by_role("button", name="Reconnect")).to_be_visible()
    kit.find()
    kit.until(lambda: state(page) == "on", 20, "that the kit is back")
    before = len(kit.cues)
    kit.until(lambda: len(kit.cues) >= before + 3, 30, "that the song goes on")
    kit.lose()
    kit.until(lambda: state(page) == "lost", 10)
    kit.find()
    played = song_ends(page, kit)
    is_delivered(hub)
    data = session(hub, played)
    assert data["end"] == "finished" and data["link"] == "bluetooth" and data["lostMilliseconds"] > 0
    assert data["answered"] == data["beats"] and data["reaction"]["n"] > 0 and data["latency"]["n"] > 0
    # The drum's own clock: what the radio and the page take is no part of it.
    assert 150 <= data["reaction"]["median"] <= 600
    page.goto(f"/drums/session/{played}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Bluetooth")


def test_the_kits_characteristics_are_told_apart_by_what_they_can(page, kits):
    """Nordic's SDK 10 and 11 have the names of the two swapped."""
    kit = kits(is_swapped=True, properties={"write": True})
    opened(page)
    connect(page, kit, BLUETOOTH)
    kit.player = Script()
    page.evaluate(current("links.current.cue(2)"))
    kit.until(lambda: kit.cues == "2", what="the cue")


@pytest.mark.parametrize("properties", [{"write": True}, {"writeWithoutResponse": True}, {"write": True, "writeWithoutResponse": True}])
def test_cues_are_written_one_after_another_and_an_old_one_gives_way(page, kits, properties):
    kit = kits(properties=properties)
    opened(page)
    connect(page, kit, BLUETOOTH)
    answers = page.evaluate(current("Promise.all([0, 1, 2, 3].map((drum) => links.current.cue(drum)))"))
    kit.until(lambda: kit.cues.endswith("3"), what="the last cue")
    assert kit.cues == "03" and [one["at"] is None for one in answers] == [False, True, True, False]


def test_a_radio_that_is_gone_without_a_word_is_noticed(page, kits):
    kit = kits(properties={"write": True})
    opened(page)
    connect(page, kit, BLUETOOTH)
    kit.vanish()
    assert "does not answer" in page.evaluate(current("links.current.cue(1).then(() => '', (error) => error.message)"))
    kit.until(lambda: state(page) == "lost", 8)
    kit.answers_writes = True
    kit.find()
    kit.until(lambda: state(page) == "on", 15)


@pytest.mark.own_hub
@pytest.mark.timeout(240)
def test_a_kit_whose_answer_is_lost_is_asked_again(hub, page, kits):
    """It has forgotten its cue, and its link is as good as ever; nor is an answer whole without its end."""
    kit = kits()
    lost = {2: [], 4: ["0 300 -1.00"]}
    kit.player = Script(lambda drum, count: lost.get(count, [f"{drum} 300 -1.00", "END"]), milliseconds=300)
    settings(hub, level=2)
    add_song(hub, FAST)
    opened(page)
    connect(page, kit, BLUETOOTH)
    play(page)
    played = song_ends(page, kit)
    is_delivered(hub)
    data = session(hub, played)
    assert data["end"] == "finished" and data["answered"] == data["beats"] and data["stray"] == 0
    cues = kit.cues.rstrip("4")
    assert len(cues) == data["beats"] + 2 and cues[1] == cues[2] and cues[3] == cues[4]
    assert data["lostMilliseconds"] == 0 and 300 <= data["reaction"]["median"] <= 310
    page.goto(f"/drums/session/{played}")
    expect(page.get_by_text("a drum was asked for again")).to_have_count(2)


# What goes wrong, and what is said of it.


def test_a_kit_that_nobody_finds_is_given_up_after_ten_seconds_and_can_be_chosen_later(page, kits):
    page.clock.install()
    kit = kits()
    kit.is_chosen = False
    sheet = opened(page)
    stands_still(page)
    row(page, BLUETOOTH).get_by_role("button", name="Connect").click()
    kit.until(lambda: kit.is_listed, what="the browser's list")
    page.clock.run_for(9_500)
    expect(row(page, BLUETOOTH).get_by_role("progressbar")).to_be_visible()
    page.clock.run_for(600)
    expect(row(page, BLUETOOTH)).to_contain_text("was not found within 10 seconds")
    expect(row(page, BLUETOOTH).get_by_role("button", name="Try again")).to_be_visible()
    expect(sheet).to_contain_text("This screen and the keyboard")
    page.clock.resume()
    kit.choose()
    kit.until(lambda: state(page) == "on")


def test_a_kit_that_does_not_answer_is_given_up_after_ten_seconds(page, kits):
    page.clock.install()
    kit = kits()
    opened(page)
    kit.answers_connection = False
    stands_still(page)
    row(page, BLUETOOTH).get_by_role("button", name="Connect").click()
    expect(row(page, BLUETOOTH).get_by_role("progressbar", name="Connecting")).to_be_visible()
    page.clock.run_for(9_500)
    expect(row(page, BLUETOOTH).get_by_role("progressbar", name="Connecting")).to_be_visible()
    page.clock.run_for(600)
    expect(row(page, BLUETOOTH)).to_contain_text("did not answer within 10 seconds")
    page.clock.resume()
    kit.find()
    row(page, BLUETOOTH).get_by_role("button", name="Try again").click()
    kit.until(lambda: state(page) == "on")
    expect(row(page, BLUETOOTH)).to_contain_text("In use")


def test_who_closes_the_list_is_told_what_may_help(page, kits):
    kit = kits()
    kit.is_chosen = False
    opened(page)
    row(page, BLUETOOTH).get_by_role("button", name="Connect").click()
    kit.until(lambda: kit.prompts, what="the browser's list")
    kit.cancel()
    expect(row(page, BLUETOOTH)).to_contain_text("Nothing was chosen")
    kit.is_chosen = True
    row(page, BLUETOOTH).get_by_role("button", name="Try again").click()
    kit.until(lambda: state(page) == "on")


def test_a_press_that_comes_before_the_module_is_heard(page, kits):
    kit = kits()
    held = []
    page.route("**/drums/links/bluetooth-kit.js", lambda route: held.append(route))
    opened(page)
    row(page, BLUETOOTH).get_by_role("button", name="Connect").click()
    eventually(lambda: page.evaluate("1") and held, what="that the module is asked for")
    held[0].continue_()
    kit.until(lambda: state(page) == "on")


def test_a_device_whose_radio_is_off_says_so(page, kits):
    kits(radio="absent")
    opened(page)
    expect(row(page, BLUETOOTH)).to_contain_text("Switch it on")


# Errors in the browser's words, thrown by a stand-in: no emulated radio throws them.
@pytest.mark.parametrize(
    "name, message, says",
    [
        ("NotFoundError", "Bluetooth adapter not available.", "Bluetooth is off"),
        ("NotFoundError", "Web Bluetooth API globally disabled.", "switched off for pages"),
        ("SecurityError", "Access to the feature is disallowed by permissions policy.", "give this page no Bluetooth"),
        ("NotAllowedError", "Denied.", "give this page no Bluetooth"),
        ("NetworkError", "Connection attempt failed.", "does not answer"),
    ],
)
def test_each_refusal_is_told_in_words_that_help(page, kits, name, message, says):
    kits()
    page.add_init_script(
        f"Bluetooth.prototype.requestDevice = async () => {{ throw new DOMException({message!r}, {name!r}); }}"
    )
    opened(page)
    row(page, BLUETOOTH).get_by_role("button", name="Connect").click()
    expect(row(page, BLUETOOTH)).to_contain_text(says)
    expect(row(page, BLUETOOTH).get_by_role("button", name="Try again")).to_be_visible()


IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.1 Mobile/15E148 Safari/604.1"
)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.mark.parametrize(
    "agent, says",
    [(IPHONE, "No browser on an iPhone may use Bluetooth"), (FIREFOX, "Open Tandem in Chrome or Edge")],
    ids=["an iPhone", "Firefox"],
)
def test_a_browser_without_bluetooth_says_so_and_offers_the_other_drums(hub, browser, agent, says):
    """Chromium in their clothes: without `navigator.bluetooth`, as theirs is."""
    context = browser.new_context(viewport=PHONE, base_url=hub.url, locale="en-GB", user_agent=agent)
    page = context.new_page()
    page.add_init_script("delete Navigator.prototype.bluetooth;")
    try:
        opened(page)
        expect(row(page, BLUETOOTH)).to_contain_text(says)
        expect(row(page, BLUETOOTH)).to_contain_text("he pads on the screen, or a kit that the hub holds by its own Bluetooth")
        expect(row(page, BLUETOOTH).get_by_role("button")).to_have_count(0)
        expect(page.get_by_role("dialog")).to_contain_text("This screen and the keyboard")
        expect(page.get_by_role("dialog")).to_contain_text("Drum kit on Wi-Fi")
    finally:
        context.close()


def test_a_page_that_is_not_secure_says_what_it_takes(page):
    """A stand-in: the browser counts a page of this very machine as secure."""
    page.add_init_script(
        "Object.defineProperty(window, 'isSecureContext', { get: () => false }); delete Navigator.prototype.bluetooth;"
    )
    opened(page)
    expect(row(page, BLUETOOTH)).to_contain_text("HTTPS")


# A kit that does not behave.

LONG = "0 1 2 3 " * 80
EMPTY = "nothing between the ends"
HOSTILE = [
    ("noise", lambda drum: [b"\xff\xfe\x00\x01", b"\x80\x81\x82", "END"]),
    ("words", lambda drum: ["hello, I am a drum", "END"]),
    (EMPTY, lambda drum: ["END", "END", "END"]),
    ("an answer that never ends", lambda drum: [LONG[at : at + 19] for at in range(0, len(LONG), 19)] + ["END"]),
    ("another drum answers", lambda drum: [f"{(drum + 1) % 4} 300 -1.00", "END"]),
    ("a drum that there is not", lambda drum: ["7 300 -1.00", "END"]),
    ("a reaction before the cue", lambda drum: [f"{drum} -300 -1.00", "END"]),
    ("a reaction of hours", lambda drum: [f"{drum} 99999999 -1.00", "END"]),
    ("a force that is none", lambda drum: [f"{drum} 300 1e9", "END"]),
    ("chatter", lambda drum: ["1 2 3 "] * 30 + ["END"]),
]


@pytest.mark.own_hub
@pytest.mark.timeout(240)
def test_hostile_notifications_stop_no_song_and_are_no_right_beat(hub, page, kits):
    """Each beat is answered by something hostile first, then as it should be, twice; one as no person can. What ends with END
    closes its beat (wire formats, A3), and nothing before it is no message."""
    kit = kits()
    seen = []

    def says(drum, count):
        name, hostile = HOSTILE[(count - 1) % len(HOSTILE)]
        seen.append(name)
        milliseconds = 3 if name == EMPTY and count < len(HOSTILE) else 300 + count
        right = [f"{drum} {milliseconds} -1.00", "END"]
        return [*hostile(drum), *right, *right]

    kit.player = Script(says, milliseconds=300)
    add_song(hub, LONG_SONG)
    opened(page)
    connect(page, kit, BLUETOOTH)
    play(page, "Long")
    played = song_ends(page, kit)
    is_delivered(hub)
    assert len(seen) >= len(HOSTILE), "the song is long enough for each of them"
    data = session(hub, played)
    assert data["end"] == "finished" and data["answered"] == data["beats"]
    assert data["stray"] >= len(HOSTILE) and data["implausible"] == 1
    assert data["right"] == seen.count(EMPTY)
    assert 300 <= data["reaction"]["median"] <= 300 + len(seen)
    assert not page.wrongs, page.wrongs


def test_more_than_any_hands_can_play_is_not_heard(page):
    """A hundred messages a second; the next second is a new one."""
    sign_in(page, "/drums")
    over = page.evaluate(
        f"async () => {{ const {{ Flood }} = await {module('drums/links/flood.js')}; const flood = new Flood();"
        " const times = [...Array(400).keys()].map((n) => 5000 + n / 4).concat(6000, 6000.5);"
        " return times.map((at) => flood.isOver(at)); }"
    )
    assert over == [False] * 100 + [True] * 300 + [False] * 2


@pytest.mark.own_hub
@pytest.mark.timeout(240)
def test_split_and_padded_messages_are_put_together(hub, page, kits):
    """At most 19 characters and a NUL each, split anywhere, as the original's radio does it."""
    kit = kits()

    def says(drum, count):
        other = (drum + 1) % 4
        whole = f"{other} {drum} 45{count % 10} -1.00"
        cut = 1 + count % (len(whole) - 1)
        return [whole[:cut], whole[cut:], "END"]

    kit.player = Script(says, milliseconds=450)
    settings(hub, level=2)
    add_song(hub, FAST_SONG)
    opened(page)
    connect(page, kit, BLUETOOTH)
    play(page, "Long")
    played = song_ends(page, kit)
    is_delivered(hub)
    data = session(hub, played)
    assert data["stray"] == 0 and data["answered"] == data["beats"] and data["right"] == 0
    assert all(beat["verdict"] == "wrongFirst" and 450 <= beat["reaction"] <= 459 for beat in data["beatList"])
    assert re.fullmatch(r"[0-3]+4?", kit.cues)
