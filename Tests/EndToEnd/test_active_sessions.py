"""A session while it goes on, in a page: what is recorded is appended, to the disk and to the hub, each byte once."""

import re
import struct

import pytest
from playwright.sync_api import expect

from drums_blobs import beat, finish, setup, start
from drums_page import (  # noqa: F401
    active_songs, add_song, answer, browser, heading, looks, me, open_songs, page, play, play_through, played, session, sessions,
    settings,
)  # fmt: skip
from hub import eventually
from outbox_page import outbox
from pages import has_worker, hub  # noqa: F401
from single_modules import module, modules, web  # noqa: F401
from stored_recording import chunk_count, stored_session

CHUNKS = re.compile(r"/api/drums/active/")
ID = bytes(range(16))

# An active session that a companion could have, as `window.active`: no engine, and bytes that a test gives.
BEGIN = """async ([id, person, startedAt]) => {
    const { ActiveSession } = await %s;
    const { signIn } = await %s;
    const name = { id: person, name: "Tess" };
    const kept = { id, person: name, startedAt, ahead: 0, by: { profile: name, household: signIn.household } };
    window.active = new ActiveSession({ slug: "drums", notStored: "", hasLeft() {} }, kept,
        { taken: new Promise(() => {}), release() {} });
}""" % (module("sessions/active-session.js"), module("app/sign-in.js"))  # fmt: skip
APPEND = "(hex) => active.append(Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16)))"
DELIVER = """() => active.deliver({ path: "/api/drums/sessions", title: "Tess played", bytes: null, noted: async () => {} })"""


def events(all):
    """Events as bytes, each for itself."""
    before, parts = 0, []
    for kind, moment, rest in all:
        parts.append(struct.pack("<BI", kind, moment - before) + rest)
        before = moment
    return parts


@pytest.fixture
def song(hub):
    settings(hub, drums=[True] * 4, level=2, countIn=1)
    return add_song(hub)


def recording_of(hub, beats):
    """A song of so many beats: what stands in front of its events, and each of them."""
    at = hub.get("/api/hub")["now"] - 3_600_000
    all = [start(at)]
    for step in range(beats):
        all += beat(step)
    all.append(finish(all[-1][1] + 300_000, beats, beats))
    return at, [b"TDR\x01" + struct.pack("<H", 1) + setup(me(hub), ID, beats=beats), *events(all)]


class Link:
    """What goes over a link that breaks: after so many requests, before or behind the hub."""

    def __init__(self, page, breaks):
        self.breaks, self.count, self.taken = breaks, 0, []
        page.route(CHUNKS, self.route)

    def route(self, route):
        request = route.request
        if request.method != "PATCH":
            return route.continue_()
        broken, self.count = self.breaks.get(self.count), self.count + 1
        if broken == "before":
            return route.abort()
        offset, body = int(request.headers["upload-offset"]), request.post_data_buffer or b""
        self.taken.append((offset, offset + len(body), request.headers.get("upload-complete")))
        if broken == "behind":
            route.fetch()
            return route.abort()
        route.continue_()


def test_over_a_link_that_breaks_ten_times_nothing_is_sent_twice(hub, page):
    open_songs(page)
    at, parts = recording_of(hub, 1_400)
    page.evaluate(BEGIN, [ID.hex(), me(hub), at])
    whole = b"".join(parts)
    step = len(parts) // 40
    for first in range(0, len(parts), step):
        page.evaluate(APPEND, b"".join(parts[first : first + step]).hex())
    assert bytes(stored_session(page)) == whole and len(whole) > 32_768
    link = Link(page, {0: "before", 1: "behind", 2: "before", 3: "before", 4: "behind", 5: "before", 6: "behind",
                       7: "before", 8: "before", 9: "behind"})  # fmt: skip
    page.evaluate(DELIVER)

    def is_sent():
        outbox(page, "deliver")
        entries = outbox(page, "entries")
        assert [entry["failed"] for entry in entries if entry.get("failed")] == []
        return entries == []

    eventually(is_sent, within=60, what="the delivery")
    [stored] = sessions(hub)
    assert stored["id"] == ID.hex() and stored["judged"] == 1_400
    # What reached the hub: each byte once, and the end, which has none, again where its answer was lost.
    taken = [(first, last) for first, last, _ in link.taken if last > first]
    assert taken == list(zip([0, *(last for _, last in taken)], [last for _, last in taken])) and taken[-1][1] == len(whole)
    assert link.count > 10 and chunk_count(page) == 0
    page.wrongs = [one for one in page.wrongs if "404" not in one]  # nothing of it was there yet when the hub was asked


def test_a_chunk_that_another_page_has_stored_is_not_written_over(hub, page):
    open_songs(page)
    at, parts = recording_of(hub, 3)
    page.evaluate(BEGIN, [ID.hex(), me(hub), at])
    page.evaluate(APPEND, b"".join(parts[:2]).hex())
    page.evaluate(BEGIN, [ID.hex(), me(hub), at])  # as of a page that has not heard of what was stored since
    page.evaluate(APPEND, b"other bytes".hex())
    assert page.evaluate("() => active.trouble?.status") == 507
    assert bytes(stored_session(page)) == b"".join(parts[:2])


def test_the_hub_is_sent_each_byte_of_a_song_once_also_after_a_reload_and_while_it_was_away(hub, page, song):
    open_songs(page)
    has_worker(page)
    link = Link(page, {1: "behind"})
    play(page)
    answer(page)
    # The page is asked as well: what its routes wait for is done by this very thread.
    eventually(lambda: page.evaluate("() => true") and active_songs(hub), what="the hub's part")
    answer(page)
    eventually(lambda: page.evaluate("() => true") and link.count >= 2, what="a chunk whose answer is lost")
    page.reload()
    expect(heading(page)).to_have_text("Paused")
    page.get_by_role("button", name="Go on", exact=True).first.click()
    play_through(page)
    id = played(page)
    eventually(lambda: page.evaluate("() => true") and sessions(hub), what="the delivery")
    [stored] = sessions(hub)
    assert stored["id"] == id and stored["judged"] == song["levels"][1]["beats"]
    taken = [(first, last) for first, last, _ in link.taken if last > first]
    assert taken == list(zip([0, *(last for _, last in taken)], [last for _, last in taken]))
    assert [end for *_, end in link.taken].count("?1") == 1
    assert eventually(lambda: chunk_count(page) == 0, what="the end of what was stored")


@pytest.fixture
def elsewhere(hub, page, browser, song):
    """A page that shows a song which is played on another device."""
    open_songs(page)
    play(page)
    answer(page)
    eventually(lambda: active_songs(hub), what="the hub's part")
    phone = browser.new_context(base_url=hub.url)
    other = phone.new_page()
    open_songs(other)
    expect(other.get_by_role("button", name="Go on here")).to_be_visible()
    yield other
    phone.close()


def test_going_on_here_says_in_plain_words_that_the_hub_is_away(hub, elsewhere):
    hub.kill()
    elsewhere.get_by_role("button", name="Go on here").click()
    expect(elsewhere.get_by_text("The hub does not answer.").first).to_be_visible()
    expect(elsewhere.get_by_text("This page made a mistake")).to_have_count(0)


def signed_out(page):
    """The hub says of sessions, and of nothing else, that nobody is signed in."""
    page.route(CHUNKS, lambda route: route.fulfill(status=401, json={"title": "Sign in", "status": 401}))


def test_who_is_signed_out_when_they_go_on_here_is_asked_to_sign_in(elsewhere):
    signed_out(elsewhere)
    elsewhere.get_by_role("button", name="Go on here").click()
    expect(elsewhere.get_by_role("textbox", name="Password")).to_be_visible()


def test_who_is_signed_out_while_a_song_is_played_is_asked_to_sign_in_and_loses_nothing(hub, page, song):
    open_songs(page)
    play(page)
    signed_out(page)
    answer(page)
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    assert stored_session(page)
