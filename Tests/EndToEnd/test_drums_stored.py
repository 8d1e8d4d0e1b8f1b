"""A song that is played while the hub, the page or the player goes away: nothing of it is lost, and nothing twice."""

import re

import pytest
from playwright.sync_api import expect

from drums_page import (  # noqa: F401
    FAST, active_songs, add_song, answer, asked, beat, browser, by_key, heading, is_delivered, is_fullscreen, stored_session, looks,
    me, open_songs, page, play, play_through, played, session, sessions, settings,
)  # fmt: skip
from hub import eventually
from outbox_page import away, outbox
from pages import EMAIL, PASSWORD, has_worker, hub, is_back  # noqa: F401
from single_modules import web  # noqa: F401

pytestmark = pytest.mark.by_the_clock  # songs are played at their tempo

LIT, HIT = 7, 8  # bytes of these events: kind, time, and the step; kind, time, drum, velocity and link


def go_on(page):
    page.get_by_role("button", name="Go on", exact=True).first.click()


@pytest.fixture
def song(hub):
    settings(hub, drums=[True] * 4, level=3, countIn=1)
    return add_song(hub, FAST)


def test_a_song_without_the_hub_is_stored_shown_and_delivered_once(hub, page, song):
    open_songs(page)
    has_worker(page)
    page.reload()
    expect(page.get_by_role("button", name="Play Quick", exact=True).first).to_be_visible()
    away(hub, page)
    page.reload()
    play(page)
    play_through(page)
    id = played(page)
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    expect(heading(page)).to_have_text("Well played, Tess")
    beats = song["levels"][2]["beats"]
    expect(page.get_by_text(f"{beats}of {beats}")).to_be_visible()
    page.reload()  # the summary too
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    page.get_by_role("link", name="Every beat of it").click()
    expect(heading(page)).to_have_text("Quick, all the way to the end")
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    expect(page.get_by_role("heading", name="Every beat")).to_be_visible()
    expect(page.locator(".score .note")).to_have_count(beats)
    page.go_back()
    hub.start()
    is_back(page)
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["right"] == beats and "claim" not in stored
    expect(page.get_by_text("Kept on this device")).to_have_count(0)
    assert len(sessions(hub)) == 1


def test_a_song_goes_on_while_the_hub_is_killed_and_comes_back(hub, page, song):
    open_songs(page)
    has_worker(page)
    page.reload()
    play(page)
    answer(page)
    answer(page)
    hub.kill()
    answer(page)
    page.reload()
    expect(heading(page)).to_have_text("Paused")
    hub.start()
    go_on(page)
    play_through(page)
    id = played(page)
    is_back(page)
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["judged"] == song["levels"][2]["beats"]


def test_what_is_played_is_on_the_disk_and_with_the_hub_while_it_runs(hub, page, song):
    open_songs(page)
    play(page)
    answer(page)
    eventually(lambda: stored_session(page), what="the disk")
    before = len(stored_session(page))
    answer(page)
    eventually(lambda: len(stored_session(page)) > before, what="the disk")
    [copy] = eventually(lambda: active_songs(hub), what="the hub's copy")
    assert copy["song"]["title"] == "Quick" and copy["person"] == me(hub) and copy["beat"] >= 1


def test_a_tab_that_was_closed_is_kept_by_the_hub_and_closed_with_its_reason(hub, page, song):
    open_songs(page)
    play(page)
    asked(page)
    before = len(eventually(lambda: stored_session(page), what="the disk"))
    for _ in range(3):
        answer(page)
    # What is not on the disk the hub is not told: three drums that were lit, the first perhaps before, and hit.
    eventually(lambda: len(stored_session(page)) >= before + 3 * (LIT + HIT) - LIT, what="the disk")
    context = page.context
    page.goto("about:blank")  # a tab that is closed goes the same way, but a browser that is driven skips it
    # The other page is in a process of its own by then (COOP), and the tab's end would end the first before it was told.
    [copy] = eventually(lambda: [one for one in active_songs(hub) if one["beat"] >= 3], what="the last request")
    page.close()
    status, closed, _ = hub.request("DELETE", f"/api/drums/active/{copy['id']}")
    assert status == 200 and closed["end"] == "left" and closed["isClosedByHub"] and closed["right"] == 3
    # The device that played it comes back, goes on, and what it brings is longer: that is the session then.
    again = context.new_page()
    again.goto("/drums")
    again.get_by_role("button", name=re.compile("Go on")).first.click()
    is_fullscreen(again)
    go_on(again)
    play_through(again)
    played(again)
    stored = eventually(
        lambda: (found := session(hub, copy["id"]))["end"] == "finished" and found, what="the longer one", within=20
    )
    assert stored["judged"] == song["levels"][2]["beats"] and not stored["isClosedByHub"]
    assert len(sessions(hub)) == 1


def test_what_a_request_carries_that_is_broken_off_goes_with_the_last_one(hub, page, song):
    path = "**/api/drums/active/*"
    page.route(path, lambda route: None, times=1)  # it is neither sent nor answered
    open_songs(page)
    play(page)
    with page.expect_request(path):
        answer(page)
    page.goto("about:blank")
    [copy] = eventually(lambda: [one for one in active_songs(hub) if one["beat"] >= 1], what="the last request")
    assert copy["person"] == me(hub)


def test_two_windows_do_not_play_the_same_song_twice(hub, page, song):
    open_songs(page)
    play(page)
    answer(page)
    other = page.context.new_page()
    other.goto(f"/drums/play/{song['id']}")
    expect(heading(other)).to_have_text("It is being played in another window")
    other.get_by_role("button", name="Play here").click()
    expect(heading(other)).to_have_text("Paused")
    expect(heading(page)).to_have_text("It is being played in another window")
    go_on(other)
    play_through(other)
    id = played(other)
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["judged"] == song["levels"][2]["beats"]
    other.close()


@pytest.mark.parametrize("is_more", [False, True], ids=["with all of it", "without what was played here since"])
def test_another_device_goes_on_and_this_one_says_so(hub, page, browser, song, is_more):
    open_songs(page)
    play(page)
    answer(page)
    [copy] = eventually(lambda: active_songs(hub), what="the hub's copy")
    phone = browser.new_context(base_url=hub.url)
    other = phone.new_page()
    open_songs(other)
    other.get_by_role("button", name=re.compile("here", re.IGNORECASE)).first.click()
    expect(heading(other)).to_have_text("Paused")
    go_on(other)
    answer(other)
    eventually(lambda: active_songs(hub)[0]["beat"] > copy["beat"], what="the other device's copy")
    with page.expect_response(lambda answer: answer.status == 409):
        answer(page) if is_more else page.keyboard.press(" ")
    for _ in range(2):
        answer(other)
    expect(heading(page)).to_have_text("It is being played on another device")
    eventually(lambda: outbox(page, "entries") == [], what="what was played here on its way")
    page.wrongs = [one for one in page.wrongs if "409" not in one]
    play_through(other)
    id = played(other)
    assert id == copy["id"] and stored_session(page) is None
    stored = eventually(lambda: len(all := sessions(hub)) == 1 + is_more and all, what="the sessions")
    if is_more:  # both are stored, and what they have in common counts once
        [own] = [one for one in stored if one["id"] != id]
        assert own["fork"]["of"] == id and own["judged"] == 1 and own["end"] == "left"
    phone.close()


def test_who_signs_out_elsewhere_finds_the_song_paused(hub, page, song):
    open_songs(page)
    play(page)
    answer(page)
    other = page.context.new_page()
    other.goto("/drums")
    other.evaluate("() => new BroadcastChannel('tandem-session').postMessage('signed out')")  # what a sign-out tells
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    expect(page.locator("html[data-session]")).to_have_count(0)
    other.close()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Places").get_by_role("link", name="Drums").click()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(heading(page)).to_have_text("Paused")
    go_on(page)
    play_through(page)
    id = played(page)
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["judged"] == song["levels"][2]["beats"]


def test_who_goes_back_with_a_sheet_open_finds_the_song_paused(hub, page, song):
    open_songs(page)
    play(page)
    answer(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Two frames, in which a fullscreen view that still stood would have shown the song going on.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.get_by_role("button", name=re.compile("Go on")).first.click()
    expect(heading(page)).to_have_text("Paused")


def test_nobody_plays_on_in_the_song_of_another(hub, page, song):
    mila = hub.post("/api/people", {"name": "Mila", "role": "child", "face": "fox"})["id"]
    open_songs(page, f"/drums?person={mila}")
    play(page)
    expect(page.locator(".song")).to_contain_text("Mila")
    answer(page)
    page.get_by_role("link", name="Songs").click()
    page.get_by_role("group", name="Who plays").get_by_role("button", name="Tess").click()
    page.get_by_role("button", name="Play Quick", exact=True).first.click()
    refused = "Mila’s song, Quick, is still open on this device: go on with it or stop it first."
    expect(page.get_by_text(refused)).to_be_visible()
    page.get_by_role("button", name="Go on", exact=True).first.click()
    expect(heading(page)).to_have_text("Paused")
    expect(page.locator(".song")).to_contain_text("Mila")
