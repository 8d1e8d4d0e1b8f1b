"""A page on which a song is played, by keys, by fingers, or by nobody; and what the hub has of it. Songs here are short
and quick, so that a test plays them in seconds, by the real clock.
"""

import pytest
from playwright.sync_api import TimeoutError, expect

from hub import eventually
from pages import PHONE, sign_in, watched
from stored_recording import stored_session  # noqa: F401

KEYS = {"red": "f", "orange": "g", "blue": "h", "yellow": "j"}
QUICK = """title: Quick
composer: Nobody
year: 1780
source: Made to be tried with. Nobody has a right in it.
meter: 4/4
tempo: 150

| C4 E4 G4 E4 | C4 E4 G4 E4 | C4 D4 E4 F4 | G4/1 |
"""
# Where the music waits: less of a test is music. Levels are thinner at a faster tempo: the third asks for what the second
# does of the slower song, the second for what the first does.
FAST = QUICK.replace("tempo: 150", "tempo: 240")
SLOW = QUICK.replace("title: Quick", "title: Slow").replace("tempo: 150", "tempo: 40")


@pytest.fixture(scope="module")
def browser(launched):
    """Sounds are heard without a press, as on a phone on which one has been pressed before."""
    return launched("--autoplay-policy=no-user-gesture-required")


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):
    """A phone whose hub may go away."""
    for page in watched(hub, browser, looks):
        page.is_offline_expected = True
        yield page


def me(hub):
    return hub.get("/api/session")["person"]["id"]


def heading(page):
    return page.get_by_role("heading", level=1)


def add_song(hub, text=QUICK):
    """A song of the family's own; its title is the name of its Play button."""
    _, song, _ = hub.request("POST", "/api/drums/songs?name=song.txt", text.encode(), {"Content-Type": "text/plain"})
    return song


def settings(hub, person=None, **changes):
    """How somebody plays from now on."""
    return hub.request("PUT", f"/api/drums/people/{person or me(hub)}/settings", changes)[1]


def sessions(hub, person=None):
    """What the hub has stored of somebody, the earliest first."""
    return hub.get(f"/api/drums/sessions?person={person or me(hub)}")["sessions"]


def session(hub, identifier):
    """One of them with every beat."""
    return hub.get(f"/api/drums/sessions/{identifier}")


def active_songs(hub):
    return hub.get("/api/drums")["active"]


def is_delivered(hub, person=None, count=1):
    return eventually(
        lambda: len(sessions(hub, person)) == count and sessions(hub, person), within=20, what="the delivery"
    )


def open_songs(page, path="/drums"):
    sign_in(page, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def play(page, title="Quick"):
    """Presses Play of a song in the list, and waits for its drums."""
    page.get_by_role("button", name=f"Play {title}", exact=True).first.click()
    is_fullscreen(page)


def is_fullscreen(page):
    expect(page.get_by_role("group", name="Drums", exact=True)).to_be_visible()
    expect(page.locator("html[data-session]")).to_have_count(1)


# The drum that is asked for and the number of its beat, or that the song is over; null while neither is so.
ASKED = """(after) => {
    if (location.pathname.startsWith("/drums/done/")) return [null, null];
    const drum = document.querySelector(".pad[data-state=cue]")?.dataset.pad;
    const beat = document.querySelector(".song-bar")?.getAttribute("aria-valuenow");
    return drum && beat && beat !== after ? [drum, beat] : null;
}"""


def asked(page, within=10_000, after=None):
    """The drum that is asked for now, or None when none is within so many milliseconds. `after`: a beat that is over."""
    return cue(page, within, after)[0]


def cue(page, within=10_000, after=None):
    """That, and the number of its beat as the bar shows it, from 1."""
    try:
        return page.wait_for_function(ASKED, arg=after, timeout=within).json_value()
    except TimeoutError:
        return None, None


def beat(page):
    """The number of the beat that the bar shows, from 1."""
    return page.get_by_role("progressbar", name="Song").get_attribute("aria-valuenow", timeout=2000)


def by_key(page, drum):
    page.keyboard.press(KEYS[drum])


def by_key_at_once(page):
    """The next drum that is asked for is answered by its key from within the page: a song that does not wait goes on while a
    busy machine is late with what a test's own process wants."""
    return page.evaluate(
        """(keys) => new Promise((done) => {
            const look = () => {
                const drum = document.querySelector(".pad[data-state=cue]")?.dataset.pad;
                if (!drum) return requestAnimationFrame(look);
                document.dispatchEvent(new KeyboardEvent("keydown", { key: keys[drum], bubbles: true }));
                done(drum);
            };
            look();
        })""", KEYS)


def by_finger(page, *drums):
    """Fingers that come down on these drums, all at once, and go up again."""
    touch = page.context.new_cdp_session(page)
    points = []
    for number, drum in enumerate(drums):
        box = page.locator(f".pad[data-pad={drum}]").bounding_box()
        points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number})
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def by_mouse(page, drum):
    page.locator(f".pad[data-pad={drum}]").click()


def answer(page, how=by_key):
    """Answers the drum that is asked for, once; says which, or None when the song is over."""
    drum, now = cue(page)
    if drum is None:
        return None
    how(page, drum)
    is_over(page, now)
    return drum


def is_over(page, beat):
    """Waits until that beat, a number as the bar shows it, is answered: no drum is asked for, or that of another beat."""
    page.wait_for_function(
        "(beat) => location.pathname.startsWith('/drums/done/') || !document.querySelector('.pad[data-state=cue]')"
        " || document.querySelector('.song-bar')?.getAttribute('aria-valuenow') !== beat",
        arg=beat,
    )


def play_through(page, how=by_key, most=200):
    """Answers every drum to the end of the song; says which they were."""
    played = []
    while len(played) < most and (drum := answer(page, how)):
        played.append(drum)
    return played


def played(page):
    """The summary is there; the session's id."""
    page.wait_for_url("**/drums/done/*")
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def lead(page):
    return page.locator(".cue-now .lead")
