"""Drums' songs, settings and plan in a real browser, with a real hub."""

import re

import pytest
from playwright.sync_api import expect

import drums_page
from drums_page import browser  # noqa: F401
from drums_screens import (  # noqa: F401
    SCREENS, looks, mila, opened, page, person, plan, region, sessions, weeks_of,
)  # fmt: skip
from hub import Hub, copy_of, eventually
from pages import EACH_WAY, PHONE, assert_nothing_overflows, kept_open, sign_in, watched
from shared_hub import shared_hub

hub = shared_hub(web=True)


# Every room.


@pytest.fixture(scope="module")
def seen(prepared, web, browser, tmp_path_factory):  # noqa: F811
    """A page for each of the looks, of a hub in which somebody has practised for days, and that nobody changes."""
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("seen") / "data"), web=web).start().signed_in()
    mila = hub.post("/api/people", {"name": "Mila", "role": "child", "face": "fox"})
    weeks_of(hub, mila, days=12)
    plan(hub, mila)
    last = sessions(hub, mila)[-1]
    paths = {"day": f"/drums/day/{last['day']}", "session": f"/drums/session/{last['id']}"}
    with kept_open(hub, browser) as page_of:
        yield lambda looks, path: opened(page_of(looks), paths.get(path, path), mila)
    hub.close()


@EACH_WAY
@pytest.mark.parametrize("path", [*SCREENS, "day", "session"])
def test_each_screen_fits_has_one_heading_names_and_targets(seen, looks, path):
    page = seen(looks, path)
    expect(page.locator("h1")).to_have_count(1)
    assert_nothing_overflows(page)
    controls = "main button, main a[href], main input, main select"
    small = page.evaluate(
        "(all) => [...document.querySelectorAll(all)].filter((node) => node.checkVisibility() && !node.closest('p')"
        " && !node.closest('label') && !node.matches('.unseen') && node.getBoundingClientRect().width > 0"
        " && node.getBoundingClientRect().height < 43).map((node) => node.outerHTML.slice(0, 140))", controls
    )  # fmt: skip
    assert not small, small
    unnamed = page.evaluate(
        "(all) => [...document.querySelectorAll(all)].filter((node) => node.checkVisibility()"
        " && !node.getAttribute('aria-label') && !node.textContent.trim() && !node.labels?.length)"
        ".map((node) => node.outerHTML.slice(0, 140))", controls
    )  # fmt: skip
    assert not unnamed, unnamed
    pictures = page.evaluate(
        "() => [...document.querySelectorAll('main svg:not([aria-hidden]):not(svg svg)')].filter((node) =>"
        " node.getAttribute('role') !== 'img' || !node.getAttribute('aria-label'))"
        ".map((node) => node.outerHTML.slice(0, 99))"
    )
    assert not pictures, pictures
    twice = page.evaluate(
        "() => [...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i)"
    )
    assert not twice, twice
    assert not page.wrongs, page.wrongs


# The songs.


def test_the_songs_stand_with_composer_length_and_beats_and_one_is_ready_to_play(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    songs = hub.get("/api/drums/songs")["songs"]
    assert len(songs) >= 10
    expect(page.get_by_role("button", name=re.compile("^Play .+"))).to_have_count(len(songs))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for song in songs:
        play = page.get_by_role("button", name=f"Play {song['title']}", exact=True)
        row = page.get_by_role("listitem").filter(has=play)
        expect(row).to_contain_text(song["composer"])
        beats = next(one["beats"] for one in song["levels"] if one["level"] == 1)
        expect(row).to_contain_text(f"{beats:,} beats, Easy")
    expect(page.get_by_text("the music waits for you")).to_be_visible()  # nobody has played yet
    expect(page.get_by_role("button", name="Choose drums")).to_be_visible()


def test_level_and_hand_are_chosen_beside_play_and_hold(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("group", name="Level").get_by_role("button", name="Mingsanity").click()
    page.get_by_role("group", name="Hand").get_by_role("button", name="Right").click()
    expect(page.locator(".next-song")).to_contain_text(", Mingsanity")
    chosen = lambda: [person(hub, mila)["settings"][key] for key in ("level", "hands")]  # noqa: E731
    eventually(lambda: chosen() == [4, "right"], what="that the hub is told")
    page.reload()
    fourth = page.get_by_role("group", name="Level").get_by_role("button", name="Mingsanity")
    expect(fourth).to_have_attribute("aria-pressed", "true")


def test_a_song_tells_its_four_levels(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    page.locator(".song-about").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(4)
    expect(dialog).to_contain_text("beats a minute")
    expect(dialog.locator(".rhythm rect").first).to_be_attached()  # drawn by the engine, from the song's bytes
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_week_stands_on_a_ruler_against_the_plan(hub, page, mila):  # noqa: F811
    plan(hub, mila, level=1)
    opened(page, "/drums", mila)
    expect(page.get_by_role("meter", name="Minutes practised this week")).to_have_attribute("aria-valuemax", "90")
    expect(page.locator(".header")).to_contain_text("Planned by Ms Okafor")
    expect(page.get_by_role("group", name="Level")).to_have_count(0)  # the plan says it


@pytest.mark.own_hub
def test_a_song_under_way_elsewhere_can_be_gone_on_with_here(hub, browser, page):  # noqa: F811
    drums_page.add_song(hub, drums_page.SLOW)
    for other in watched(hub, browser, (PHONE, "light")):
        other.is_offline_expected = True
        drums_page.open_songs(other)
        drums_page.play(other, "Slow")
        drums_page.answer(other)
        sign_in(page, "/drums")
        waiting = page.locator(".notice").filter(has_text="is playing Slow")
        expect(waiting).to_be_visible()
        # The hub goes away just then: the page says so, and not that it made a mistake.
        page.route("**/api/drums/active/*", lambda route: route.abort())
        waiting.get_by_role("button", name="Go on here").click()
        expect(page.get_by_text("The hub does not answer.")).to_be_visible()
        page.unroute("**/api/drums/active/*")
        waiting.get_by_role("button", name="Go on here").click()
        drums_page.is_fullscreen(page)
        other.close()
    page.wrongs[:] = [wrong for wrong in page.wrongs if "409" not in wrong and "ERR_FAILED" not in wrong]


# Settings and plan.


def test_active_drums_and_level_wait_for_save(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    before = person(hub, mila)["settings"]
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_hidden()
    blue = page.get_by_role("switch", name="Blue drum")
    blue.set_checked(not before["drums"][2], force=True)
    page.get_by_role("group", name="Challenge level").get_by_role("button", name="Medium").click()
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    assert person(hub, mila)["settings"] == before
    save.click()
    expect(region(page, "Active drums").get_by_role("status")).to_contain_text("Saved")
    expect(save).to_be_hidden()
    after = person(hub, mila)["settings"]
    assert after["drums"][2] != before["drums"][2] and after["level"] == 2
    blue.set_checked(before["drums"][2], force=True)
    page.get_by_role("button", name="Undo").click()
    expect(blue).to_be_checked(checked=after["drums"][2])
    expect(save).to_be_hidden()


def test_who_leaves_with_a_change_that_waits_has_it_saved(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    before = person(hub, mila)["settings"]["drums"]
    page.get_by_role("switch", name="Blue drum").set_checked(not before[2], force=True)
    page.get_by_role("link", name="Drums").first.click()
    expect(page.get_by_text("Saved for Mila.")).to_be_visible()
    assert person(hub, mila)["settings"]["drums"][2] != before[2]


def test_no_drum_at_all_is_refused_in_the_hubs_words_and_the_change_still_waits(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    for word in ("Red", "Orange", "Blue", "Yellow"):
        page.get_by_role("switch", name=f"{word} drum").set_checked(False, force=True)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile("drum"))
    expect(page.get_by_role("switch", name="Red drum")).to_have_attribute("aria-invalid", "true")
    assert any(person(hub, mila)["settings"]["drums"])
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_how_songs_go_and_sounds_are_stored_as_they_are_touched(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    part = region(page, "How songs go")
    part.get_by_role("button", name="It goes on").click()
    expect(part.get_by_role("status")).to_contain_text("Saved")
    part.get_by_role("group", name="Practised side").get_by_role("button", name="Right").click()
    part.get_by_role("group", name="Hands").get_by_role("button", name="Left").click()
    slider = part.get_by_role("slider", name="Count-in, beats")
    slider.focus()
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "none")
    page.wait_for_load_state("networkidle")  # what was stored is drawn
    page.get_by_role("switch", name=re.compile("^Metronome")).check(force=True)
    expect(region(page, "Sounds").get_by_role("status")).to_contain_text("Saved")
    data = eventually(
        lambda: (now := person(hub, mila)["settings"])["countIn"] == 0 and now["sounds"]["metronome"] and now,
        what="the count-in and the metronome",
    )
    assert (data["mode"], data["affectedSide"], data["hands"], data["countIn"]) == ("flow", "right", "left", 0)
    assert data["sounds"]["metronome"] is True
    part.get_by_role("group", name="Practised side").get_by_role("button", name="Not said").click()
    eventually(lambda: person(hub, mila)["settings"].get("affectedSide") is None, what="no side")


def test_a_plan_is_made_changed_ended_and_brought_back(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    part = region(page, "Plan")
    part.get_by_role("button", name="Make a plan").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Planned by")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Planned by").fill("Ms <b>Okafor</b>")
    dialog.get_by_label("Minutes a week").fill("9000")
    dialog.get_by_label("At most at a time").fill("15")
    dialog.get_by_label("Rest below").fill("50")
    dialog.get_by_label("Level").select_option("1")
    dialog.get_by_role("button", name="Save").click()
    # In the hub's words, at the field.
    expect(dialog.get_by_label("Minutes a week")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Minutes a week").fill("90")
    dialog.get_by_role("button", name="Save").click()
    expect(part).to_contain_text("Planned by Ms <b>Okafor</b>")
    data = person(hub, mila)["plan"]
    assert (data["minutesPerWeek"], data["minutesPerSession"], data["belowPercent"], data["level"]) == (90, 15, 50, 1)
    expect(page.get_by_role("group", name="Challenge level").get_by_role("button", name="Medium")).to_be_disabled()
    part.get_by_role("button", name="End the plan").click()
    dialog.get_by_role("button", name="End the plan").click()
    expect(part.get_by_role("button", name="Make a plan")).to_be_visible()
    assert person(hub, mila).get("plan") is None
    page.get_by_role("button", name="Undo").last.click()
    expect(part.get_by_role("button", name="Change the plan")).to_be_visible()
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]
