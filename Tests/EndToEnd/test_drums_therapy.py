"""What a therapist's plan asks of a song: its tempo, and what is asked before and after it."""

import pytest
from playwright.sync_api import expect

from drums_page import (  # noqa: F401
    FAST, QUICK, add_song, browser, is_delivered, is_fullscreen, looks, me, open_songs, page, play, play_through, played,
    session, sessions, settings,
)  # fmt: skip
from hub import eventually
from outbox_page import away
from pages import has_worker, hub, is_back, sign_in  # noqa: F401
from single_modules import web  # noqa: F401

pytestmark = pytest.mark.by_the_clock  # songs are played at their tempo


@pytest.fixture
def song(hub):  # noqa: F811
    settings(hub, drums=[True] * 4, level=3, countIn=1)
    return add_song(hub, FAST)


def plan(hub, **more):  # noqa: F811
    body = {"setBy": "Ms Okafor", "minutesPerWeek": 90, **more}
    return hub.request("PUT", f"/api/drums/people/{me(hub)}/plan", body)[1]


def reports(hub):  # noqa: F811
    return [one.get("selfReport") for one in sessions(hub)]


def test_a_song_is_played_and_told_at_the_childs_own_tempo(hub, page, song):  # noqa: F811
    sign_in(page, "/drums/settings")
    slider = page.get_by_role("slider", name="Tempo, percent of the song’s own")
    expect(slider).to_have_attribute("aria-valuetext", "100%")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("80% of each song’s own tempo, as chosen in the settings.")).to_be_visible()
    page.goto("/drums")
    play(page)
    play_through(page)
    id = played(page)
    expect(page.locator("header .lead")).to_contain_text("Played at 80% of the song’s own tempo.")
    [stored] = is_delivered(hub)
    assert stored["id"] == id and stored["tempoPercent"] == 80 and "claim" not in stored
    assert session(hub, id)["chart"]["tempo"] == [{"step": 0, "beatsPerMinute": 192.0}]
    page.goto(f"/drums/day/{stored['day']}")
    expect(page.locator("main .rows")).to_contain_text("80% tempo")
    assert not page.wrongs, page.wrongs


def test_the_plans_tempo_wins_and_says_whose_it_is(hub, page, song):  # noqa: F811
    settings(hub, tempoPercent=110)
    plan(hub, tempoPercent=70)
    sign_in(page, "/drums/settings")
    slider = page.get_by_role("slider", name="Tempo, percent of the song’s own")
    expect(slider).to_be_disabled()
    expect(slider).to_have_attribute("aria-valuetext", "70%")
    expect(page.get_by_text("70% of each song’s own tempo, set by the plan of Ms Okafor.")).to_be_visible()


def test_a_song_that_the_plans_tempo_makes_too_long_names_the_plan_and_no_setting(hub, page):  # noqa: F811
    bar = "| C4 E4 G4 E4 "
    long = QUICK.replace("title: Quick", "title: Long").replace("tempo: 150", "tempo: 40")
    add_song(hub, long.replace(bar, f"{bar}\n" * 160, 1))  # 16 minutes of its own, 32 at half the tempo
    plan(hub, tempoPercent=50)
    open_songs(page)
    page.get_by_role("button", name="Play Long", exact=True).first.click()
    told = page.get_by_text("At the tempo that the plan sets, this song lasts too long.")
    expect(told).to_contain_text("The plan is by Ms Okafor.")


def test_what_hurts_and_how_hard_it_was_is_told_without_the_hub_too(hub, page, song):  # noqa: F811
    plan(hub, asksPain=True, asksEffort=True, painLimit=6)
    open_songs(page)
    has_worker(page)
    page.reload()
    begin = page.get_by_role("button", name="Play Quick", exact=True).first
    expect(begin).to_be_visible()
    away(hub, page)
    page.reload()
    begin.click()
    before = page.get_by_role("dialog", name="Before you play")
    expect(before.get_by_text("Does anything hurt right now?")).to_be_visible()
    before.get_by_role("button", name="2", exact=True).click()
    expect(before.get_by_text("How hard does it feel to move your hand right now?")).to_be_visible()
    before.get_by_role("button", name="Rather not say").click()
    is_fullscreen(page)
    play_through(page)
    played(page)
    after = page.get_by_role("region", name="How was it?")
    after.get_by_role("button", name="4", exact=True).click()
    after.get_by_role("button", name="5, hard").click()
    expect(after.get_by_text("Thank you.")).to_be_visible()
    hub.start()
    is_back(page)
    is_delivered(hub)
    said = {"painBefore": 2, "painAfter": 4, "effortAfter": 5}
    eventually(lambda: reports(hub) == [said], within=20, what="what was said")
    [stored] = sessions(hub)
    page.goto(f"/drums/session/{stored['id']}")
    expect(page.locator("header .lead")).to_contain_text("Pain 2 before and 4 after. Effort 5 after.")
    # The next song is of the same practice.
    page.goto("/drums")
    begin.click()
    is_fullscreen(page)


def test_who_hurts_too_much_is_told_to_rest(hub, page, song):  # noqa: F811
    plan(hub, asksPain=True, painLimit=6)
    open_songs(page)
    page.get_by_role("button", name="Play Quick", exact=True).first.click()
    before = page.get_by_role("dialog", name="Before you play")
    before.get_by_role("button", name="7", exact=True).click()
    expect(before.get_by_text("Better rest now")).to_be_visible()
    expect(before.get_by_text("Ms Okafor wants to know about it.")).to_be_visible()
    before.get_by_role("button", name="Stop for today").click()
    expect(before).to_have_count(0)
    expect(page.locator("html[data-session]")).to_have_count(0)
    report = f"/api/drums/report?person={me(hub)}"
    eventually(lambda: hub.get(report).get("selfReports"), within=20, what="what was said")
    [row] = hub.get(report)["selfReports"]["rows"]
    assert row["reports"] == {"painBefore": 7} and row["song"] == "nothing played"
    assert sessions(hub) == []


def test_who_hurts_too_much_after_a_song_is_not_asked_to_play_again(hub, page, song):  # noqa: F811
    open_songs(page)
    play(page)
    plan(hub, asksPain=True, painLimit=6)
    play_through(page)
    played(page)
    again = page.get_by_role("button", name="Play again")
    expect(again).to_be_visible()
    page.get_by_role("region", name="How was it?").get_by_role("button", name="6", exact=True).click()
    expect(page.get_by_text("Better rest now")).to_be_visible()
    expect(again).to_be_hidden()
    eventually(lambda: reports(hub) == [{"painAfter": 6}], within=20, what="what was said")
