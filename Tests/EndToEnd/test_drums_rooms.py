"""Drums' songs, settings, plan, data, days, sessions and report in a real browser, with a real hub."""

import datetime
import io
import json
import math
import plistlib
import re
import struct
import wave

import pytest
from playwright.sync_api import expect

import drums_page
from drums_page import browser  # noqa: F401
from hub import eventually
from pages import (  # noqa: F401
    DESKTOP, EACH_WAY, PHONE, assert_nothing_overflows, has_worker, hub, is_back, sign_in, watched,
)  # fmt: skip

SMALL = {"width": 320, "height": 568}
ROOMS = ["/drums", "/drums/settings", "/drums/data", "/drums/report"]
BEATS = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1]


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    yield from watched(hub, browser, looks)


@pytest.fixture
def mila(hub):  # noqa: F811
    return hub.post("/api/people", {"name": "Mila", "role": "child", "face": "fox"})


def person(hub, one):  # noqa: F811
    """Somebody as the desk shows them."""
    return next(each for each in hub.get("/api/drums")["people"] if each["id"] == one["id"])


def today(hub):  # noqa: F811
    return datetime.datetime.fromtimestamp(hub.get("/api/hub")["now"] / 1000, datetime.UTC)


def entry(date, title="Ode to Joy", reactions=(520, 610, 480, 700, 590, 560, 640, 530)):
    """A session as the original keeps it: every fourth beat after another drum."""
    hits, count = [], 0
    for beat in BEATS:
        if not beat:
            hits.append("")
            continue
        wrong = "1 " if count % 4 == 3 else ""
        drum, force = (0, "320.00") if count % 2 else (3, "-1.00")
        hits.append(f"{wrong}{drum} {reactions[count % len(reactions)]} {force}")
        count += 1
    return {
        "tempo": 96, "level": 2, "song_name": title, "drums": [1, 1, 0, 1], "beat_sequence": BEATS,
        "hit_sequence": hits, "date": date.replace(tzinfo=None, microsecond=0),
    }  # fmt: skip


def weeks_of(hub, one, days=20):  # noqa: F811
    """Has somebody play a song at nine in the morning, UTC, but not on every fifth day."""
    now = today(hub)
    all = [
        entry((now - datetime.timedelta(days=back)).replace(hour=9, minute=0, second=back))
        for back in range(days, 0, -1) if back % 5
    ]  # fmt: skip
    told = bring(hub, one, all)
    assert told["stored"] == len(all), told
    return all


def bring(hub, one, sessions):  # noqa: F811
    data = plistlib.dumps(sessions)
    headers = {"Content-Type": "application/octet-stream"}
    return hub.request("POST", f"/api/drums/import?person={one['id']}", data, headers)[1]


def sessions(hub, one):  # noqa: F811
    return hub.get(f"/api/drums/sessions?person={one['id']}")["sessions"]


def plan(hub, one, **more):  # noqa: F811
    since = (today(hub) - datetime.timedelta(days=60)).date().isoformat()  # a week that it holds for as a whole
    body = {"setBy": "Ms Okafor", "minutesPerWeek": 90, "from": since, **more}
    return hub.request("PUT", f"/api/drums/people/{one['id']}/plan", body)[1]


def opened(page, path, one):
    sign_in(page, f"{path}?person={one['id']}")
    expect(page.get_by_role("heading", level=1)).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    return page


def region(page, name):
    return page.get_by_role("region", name=name, exact=True)


# Every room.


@EACH_WAY
@pytest.mark.parametrize("path", [*ROOMS, "day", "session"])
def test_each_room_fits_has_one_heading_names_and_targets(hub, page, looks, mila, path):  # noqa: F811
    weeks_of(hub, mila, days=12)
    plan(hub, mila)
    last = sessions(hub, mila)[-1]
    path = {"day": f"/drums/day/{last['day']}", "session": f"/drums/session/{last['id']}"}.get(path, path)
    opened(page, path, mila)
    expect(page.locator("h1")).to_have_count(1)
    assert_nothing_overflows(page)
    controls = "main button, main a[href], main input, main select"
    small = page.evaluate(
        "(all) => [...document.querySelectorAll(all)].filter((node) => node.checkVisibility() && !node.closest('p')"
        " && !node.closest('label') && node.getBoundingClientRect().width > 0"
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


@pytest.mark.parametrize("looks", [(SMALL, "light")])
@pytest.mark.parametrize("path", [*ROOMS, "day", "session"])
def test_each_room_fits_a_small_phone_also_with_text_of_twice_the_size(hub, page, looks, mila, path):  # noqa: F811
    weeks_of(hub, mila, days=12)
    plan(hub, mila)
    last = sessions(hub, mila)[-1]
    path = {"day": f"/drums/day/{last['day']}", "session": f"/drums/session/{last['id']}"}.get(path, path)
    opened(page, path, mila)
    assert_nothing_overflows(page)
    page.evaluate(
        "() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('html { font-size: 200%; }');"
        " document.adoptedStyleSheets = [sheet]; }"
    )
    assert_nothing_overflows(page)


# The songs.


def test_the_songs_stand_with_composer_length_and_beats_and_one_is_ready_to_play(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    songs = hub.get("/api/drums")["songs"]
    assert len(songs) >= 10
    expect(page.get_by_role("button", name=re.compile("^Play .+"))).to_have_count(len(songs))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for song in songs:
        play = page.get_by_role("button", name=f"Play {song['title']}", exact=True)
        row = page.get_by_role("listitem").filter(has=play)
        expect(row).to_contain_text(song["composer"])
        beats = next(one["beats"] for one in song["levels"] if one["level"] == 1)
        expect(row).to_contain_text(f"{beats:,} beats at level 1")
    expect(page.get_by_text("the music waits for you")).to_be_visible()  # nobody has played yet
    expect(page.get_by_role("button", name="Choose link")).to_be_visible()


def test_level_and_hand_are_chosen_beside_play_and_hold(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("group", name="Level").get_by_role("button", name="3").click()
    page.get_by_role("group", name="Hand").get_by_role("button", name="Right").click()
    expect(page.locator(".next-song")).to_contain_text("at level 3")
    page.wait_for_load_state("networkidle")
    told = person(hub, mila)
    assert told["settings"]["level"] == 3 and told["settings"]["hands"] == "right"
    page.reload()
    third = page.get_by_role("group", name="Level").get_by_role("button", name="3")
    expect(third).to_have_attribute("aria-pressed", "true")


def test_a_song_tells_its_three_levels(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    page.locator(".song-about").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    expect(dialog).to_contain_text("beats a minute")
    expect(dialog.locator(".rhythm rect").first).to_be_attached()  # drawn by the engine, from the song's bytes
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_week_stands_on_a_ruler_against_the_plan(hub, page, mila):  # noqa: F811
    plan(hub, mila, level=1)
    opened(page, "/drums", mila)
    expect(page.get_by_role("meter", name="Minutes practised this week")).to_have_attribute("aria-valuemax", "90")
    expect(page.locator(".wall")).to_contain_text("Planned by Ms Okafor")
    expect(page.get_by_role("group", name="Level")).to_have_count(0)  # the plan says it


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
        waiting.get_by_role("button", name="Go on here").click()
        drums_page.is_on_stage(page)
        other.close()
    page.wrongs[:] = [wrong for wrong in page.wrongs if "409" not in wrong]


# Settings and plan.


def test_active_drums_and_level_wait_for_save(hub, page, mila):  # noqa: F811
    opened(page, "/drums/settings", mila)
    before = person(hub, mila)["settings"]
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_hidden()
    blue = page.get_by_role("switch", name="Blue drum")
    blue.set_checked(not before["drums"][2], force=True)
    page.get_by_role("group", name="Challenge level").get_by_role("button", name="2").click()
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
    page.get_by_role("switch", name=re.compile("^Metronome")).check(force=True)
    expect(region(page, "Sounds").get_by_role("status")).to_contain_text("Saved")
    page.wait_for_load_state("networkidle")
    told = person(hub, mila)["settings"]
    assert (told["mode"], told["affectedSide"], told["hands"], told["countIn"]) == ("flow", "right", "left", 0)
    assert told["sounds"]["metronome"] is True
    part.get_by_role("group", name="Practised side").get_by_role("button", name="Not said").click()
    page.wait_for_load_state("networkidle")
    assert person(hub, mila)["settings"].get("affectedSide") is None


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
    told = person(hub, mila)["plan"]
    assert (told["minutesPerWeek"], told["minutesPerSession"], told["belowPercent"], told["level"]) == (90, 15, 50, 1)
    expect(page.get_by_role("group", name="Challenge level").get_by_role("button", name="2")).to_be_disabled()
    part.get_by_role("button", name="End the plan").click()
    dialog.get_by_role("button", name="End the plan").click()
    expect(part.get_by_role("button", name="Make a plan")).to_be_visible()
    assert person(hub, mila).get("plan") is None
    page.get_by_role("button", name="Undo").last.click()
    expect(part.get_by_role("button", name="Change the plan")).to_be_visible()
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


# Data, days, sessions.


def test_without_a_session_nothing_is_drawn_and_that_is_said(hub, page, mila):  # noqa: F811
    opened(page, "/drums/data", mila)
    expect(page.get_by_text("Nothing is made up until then.")).to_be_visible()
    expect(page.locator("main .plot")).to_have_count(0)


def test_the_data_are_those_of_the_hub_with_spread_n_and_gaps(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila)
    opened(page, "/drums/data", mila)
    told = hub.get(f"/api/drums/data?person={mila['id']}&span=month")
    [reaction] = told["reaction"]
    figure = page.get_by_role("img", name=reaction["label"])
    expect(figure.locator(".dot")).to_have_count(len(reaction["points"]))
    expect(figure.locator(".iqr")).to_have_count(len(reaction["points"]))
    assert len(reaction["points"]) < reaction["count"]  # days without practice have no point
    expect(page.get_by_text(reaction["caption"])).to_be_visible()
    for name in ("Week", "Year"):
        with page.expect_response(f"**/api/drums/data?*span={name.lower()}*"):
            page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("main .plot").first).to_be_visible()
        assert_nothing_overflows(page)
    page.get_by_role("button", name="Month", exact=True).click()
    expect(page.get_by_role("img", name=reaction["label"])).to_be_visible()
    page.get_by_role("button", name="As tables").click()
    expect(page.locator("main .plot")).to_have_count(0)
    rows = page.get_by_role("region", name=reaction["label"]).get_by_role("row")
    median = f"{reaction['points'][-1]['median']:,.0f}"
    expect(rows.last).to_contain_text(median)


def test_earlier_spans_are_paged_to(hub, page, mila):  # noqa: F811
    now = today(hub)
    bring(hub, mila, [entry(now - datetime.timedelta(days=60)), entry(now - datetime.timedelta(minutes=9))])
    opened(page, "/drums/data", mila)
    expect(page.get_by_role("button", name="Later")).to_be_disabled()
    words = page.locator(".span-words")
    was = words.inner_text()
    page.get_by_role("button", name="Earlier").click()
    expect(words).not_to_have_text(was)
    page.get_by_role("button", name="Later").click()
    expect(words).to_have_text(was)


def test_a_day_has_its_songs_and_leads_to_others_and_to_each_score(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila, days=4)
    days = [one["day"] for one in hub.get(f"/api/drums/days?person={mila['id']}")["days"]]
    opened(page, f"/drums/day/{days[1]}", mila)
    expect(region(page, "Songs").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("link", name=re.compile("^The day of practice after")).click()
    page.wait_for_url(f"**/drums/day/{days[0]}*")
    expect(region(page, "Songs").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("link", name=re.compile("Ode to Joy")).click()
    page.wait_for_url("**/drums/session/*")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ode to Joy")


def test_a_day_without_practice_says_so(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    opened(page, "/drums/day/2020-02-29", mila)
    expect(page.get_by_text("Nothing was played.")).to_be_visible()


@EACH_WAY
def test_a_session_is_a_score_with_each_beat_its_tail_and_the_drums_before_it(hub, page, looks, mila):  # noqa: F811
    bring(hub, mila, [entry(today(hub) - datetime.timedelta(hours=1))])
    [short] = sessions(hub, mila)
    told = hub.get(f"/api/drums/sessions/{short['id']}")
    opened(page, f"/drums/session/{short['id']}", mila)
    score = region(page, "Every beat")
    expect(score.locator(".score .note")).to_have_count(len(told["beatList"]))
    expect(score.locator(".score .tail")).to_have_count(sum(1 for one in told["beatList"] if one["reaction"]))
    expect(score.locator(".score .wrong")).to_have_count(sum(len(one["wrong"]) for one in told["beatList"]))
    expect(score.locator(".score .held")).to_have_count(sum(1 for one in told["beatList"] if one["waited"]))
    expect(page.locator(".wall .lead")).to_contain_text(f"{told['right']} of {told['judged']} beats right at once")
    expect(page.get_by_role("img", name=re.compile("^Reaction time of each beat")).locator("circle")).to_have_count(
        sum(1 for one in told["beatList"] if one["reaction"])
    )
    expect(region(page, "What happened")).to_contain_text("Stored by the hub")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Show it as a table").click()
    expect(score.get_by_role("row")).to_have_count(len(told["beatList"]) + 1)


def test_a_session_is_taken_home_with_every_beat(hub, page, mila):  # noqa: F811
    bring(hub, mila, [entry(today(hub) - datetime.timedelta(hours=1))])
    [short] = sessions(hub, mila)
    opened(page, f"/drums/session/{short['id']}", mila)
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("This song, every beat")).click()
    told = json.loads(open(download.value.path(), encoding="utf-8").read())
    assert len(told["beatList"]) == sum(BEATS)


def test_a_session_that_is_not_there_is_said_to_be_not_there(hub, page, mila):  # noqa: F811
    opened(page, f"/drums/session/{'0' * 32}", mila)
    expect(page.get_by_role("heading", level=1)).to_have_text("Not here")
    page.wrongs[:] = [wrong for wrong in page.wrongs if "404" not in wrong]


# The report.


@pytest.mark.parametrize("looks", [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone, dark", "desktop, light"])
def test_the_report_is_one_page_of_paper_and_says_what_it_does_not_show(hub, page, looks, mila):  # noqa: F811
    weeks_of(hub, mila)
    plan(hub, mila)
    opened(page, "/drums/report", mila)
    expect(page.get_by_role("heading", name="What this does not show")).to_be_visible()
    expect(page.get_by_text("not an assessment").first).to_be_visible()
    told = hub.get(f"/api/drums/report?person={mila['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(told["title"])
    expect(page.get_by_text(told["practised"])).to_be_visible()
    for how in ({"format": "A4"}, {"prefer_css_page_size": True}):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(**how))) == 1
    colours = page.evaluate(
        "() => ['--mark', '--wash', '--deep', '--tint', '--ink'].map((role) =>"
        " getComputedStyle(document.querySelector('.paper')).getPropertyValue(role))"
    )
    expect(page.locator(".paper")).to_have_attribute("data-theme", "light")
    assert all(colours)


def test_a_report_that_is_full_still_fits_its_page(hub, page, mila):  # noqa: F811
    now = today(hub)
    songs = [
        {**entry(now - datetime.timedelta(days=back, minutes=level), f"A song with a long name {back}"), "level": level}
        for back in range(1, 28) for level in (1, 2, 3)
    ]  # fmt: skip
    bring(hub, mila, songs)
    plan(hub, mila, note="Right hand first.")
    opened(page, "/drums/report", mila)
    expect(page.get_by_role("heading", name="What this does not show")).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1


def test_the_report_is_of_the_days_that_one_chooses_and_can_be_exported(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila)
    opened(page, "/drums/report", mila)
    first = (today(hub) - datetime.timedelta(days=6)).date().isoformat()
    with page.expect_response(lambda answer: f"from={first}" in answer.url):
        page.get_by_label("From").fill(first)
    expect(page.locator(".paper[aria-busy]")).to_have_count(0)
    page.get_by_label("To, and including").fill("2020-01-01")
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("^CSV")).click()
    rows = open(download.value.path(), encoding="utf-8").read().splitlines()
    assert len(rows) > 16 * sum(BEATS) - 1
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


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
    expect(dialog).to_contain_text("1 session of 2 stored for Mila")
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
    rate, frames = 8000, bytearray()
    for i in range(seconds * rate):
        at = (i / rate - 0.5) % (60 / bpm)
        loud = i >= rate / 2 and at < 0.03
        frames += struct.pack("<h", int(12_000 * math.sin(2 * math.pi * 880 * i / rate)) if loud else 0)
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(bytes(frames))
    return file.getvalue()


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
    [song] = [one for one in hub.get("/api/drums")["songs"] if one["hasAudio"]]
    assert song["bytes"] and abs(song["microsecondsPerBeat"] - 500_000) < 6_000
    expect(page.get_by_role("button", name=f"Play {song['title']}", exact=True)).to_be_visible()


# Today, and without the hub.


def test_today_shows_the_week_on_its_ruler(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    plan(hub, mila)
    sign_in(page, "/")
    band = page.locator(".band[data-companion=drums]")
    expect(band).to_contain_text(hub.get("/api/drums")["headline"][:20])
    expect(band.get_by_role("meter", name="Mila, minutes this week")).to_be_visible()


def test_the_songs_are_there_without_the_hub_and_settings_say_that_it_is_away(hub, browser, mila):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        opened(page, "/drums", mila)
        has_worker(page)
        count = len(hub.get("/api/drums")["songs"])
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
        expect(page.get_by_text("No answer from the hub").first).to_be_visible()
        hub.start()
        is_back(page)
        expect(page.locator("main .plot").first).to_be_visible()
