"""Drums' data, days, sessions and report in a real browser, with a real hub."""

import datetime
import json
import re

import pytest
from playwright.sync_api import expect

from drums_page import browser  # noqa: F401
from drums_screens import (  # noqa: F401
    BEATS, bring, entry, looks, mila, opened, page, person, plan, region, sessions, today, weeks_of,
)  # fmt: skip
from pages import DESKTOP, EACH_WAY, PHONE, assert_nothing_overflows
from shared_hub import shared_hub

hub = shared_hub(web=True)


# Data, days, sessions.


def test_without_a_session_nothing_is_drawn_and_that_is_said(hub, page, mila):  # noqa: F811
    opened(page, "/drums/data", mila)
    expect(page.get_by_text("Nothing is made up until then.")).to_be_visible()
    expect(page.locator("main .plot")).to_have_count(0)


def test_the_data_are_those_of_the_hub_with_spread_n_and_gaps(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila)
    opened(page, "/drums/data", mila)
    data = hub.get(f"/api/drums/data?person={mila['id']}&span=month")
    [reaction] = data["reaction"]
    figure = page.get_by_role("img", name=reaction["label"])
    expect(figure.locator(".dot")).to_have_count(len(reaction["points"]))
    expect(figure.locator(".iqr")).to_have_count(len(reaction["points"]))
    assert len(reaction["points"]) < reaction["count"]  # days without practice have no point
    expect(page.get_by_text(reaction["caption"])).to_be_visible()
    for name in ("Week", "Year"):
        with page.expect_response(f"**/api/drums/data?*span={name.lower()}*"):
            page.get_by_role("button", name=name, exact=True).click()
        # On a Monday nothing was played this week yet.
        is_empty = hub.get(f"/api/drums/data?person={mila['id']}&span={name.lower()}")["isEmpty"]
        drawn = page.get_by_text("Nothing was played in this week.") if is_empty else page.locator("main .plot").first
        expect(drawn).to_be_visible()
        assert_nothing_overflows(page)
    page.get_by_role("button", name="Month", exact=True).click()
    expect(page.get_by_role("img", name=reaction["label"])).to_be_visible()
    page.get_by_role("button", name="As tables").click()
    expect(page.locator("main .plot")).to_have_count(0)
    rows = page.get_by_role("region", name=reaction["label"]).get_by_role("row")
    median = f"{reaction['points'][-1]['median']:,.0f}"
    expect(rows.last).to_contain_text(median)


def test_a_point_says_itself_when_it_is_tapped_or_asked_by_keys_and_lies_over_an_earlier_one(hub, page, mila):  # noqa: F811
    now = today(hub) - datetime.timedelta(minutes=9)
    bring(hub, mila, [entry(now - datetime.timedelta(days=back)) for back in (28, 14, 0)])
    opened(page, "/drums/data", mila)
    [reaction] = hub.get(f"/api/drums/data?person={mila['id']}&span=month")["reaction"]
    first, last = reaction["points"]
    plot = page.get_by_role("img", name=reaction["label"])
    figure = page.locator("figure").filter(has=plot)
    said = figure.locator(".chart-point")
    expect(said).to_be_hidden()
    plot.click(position={"x": 3, "y": 60})
    expect(said).to_have_text(re.compile(f"^{re.escape(first['label'])}: .* n {first['n']}$"))
    slider = figure.get_by_role("slider", name="Point of the chart")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text(f"{last['label']}: ")
    expect(slider).to_have_attribute("aria-valuetext", said.text_content())
    expect(figure.locator(".before")).to_have_count(0)
    page.get_by_label("Compare with").select_option("before")
    expect(figure.locator(".before")).to_have_count(1)
    assert_nothing_overflows(page)


def test_earlier_spans_are_paged_to(hub, page, mila):  # noqa: F811
    now = today(hub)
    bring(hub, mila, [entry(now - datetime.timedelta(days=60)), entry(now - datetime.timedelta(minutes=9))])
    opened(page, "/drums/data", mila)
    expect(page.get_by_role("button", name="Later")).to_be_disabled()
    words = page.locator(".span-text")
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
    data = hub.get(f"/api/drums/sessions/{short['id']}")
    opened(page, f"/drums/session/{short['id']}", mila)
    score = region(page, "Every beat")
    expect(score.locator(".score .note")).to_have_count(len(data["beatList"]))
    expect(score.locator(".score .tail")).to_have_count(sum(1 for one in data["beatList"] if one["reaction"]))
    expect(score.locator(".score .wrong")).to_have_count(sum(len(one["wrong"]) for one in data["beatList"]))
    expect(score.locator(".score .held")).to_have_count(sum(1 for one in data["beatList"] if one["waited"]))
    expect(page.locator(".header .lead")).to_contain_text(f"{data['right']} of {data['judged']} beats right at the first try")
    expect(page.get_by_role("img", name=re.compile("^Reaction time of each beat")).locator("circle")).to_have_count(
        sum(1 for one in data["beatList"] if one["reaction"])
    )
    expect(region(page, "What happened")).to_contain_text("Saved by the hub")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Show it as a table").click()
    expect(score.get_by_role("row")).to_have_count(len(data["beatList"]) + 1)


def test_a_session_is_taken_home_with_every_beat(hub, page, mila):  # noqa: F811
    bring(hub, mila, [entry(today(hub) - datetime.timedelta(hours=1))])
    [short] = sessions(hub, mila)
    opened(page, f"/drums/session/{short['id']}", mila)
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("This song, every beat")).click()
    data = json.loads(open(download.value.path(), encoding="utf-8").read())
    assert len(data["beatList"]) == sum(BEATS)


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
    data = hub.get(f"/api/drums/report?person={mila['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(data["title"])
    expect(page.get_by_text(data["practised"])).to_be_visible()
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
    # Printed by whatever says nothing of it beforehand, from a page, and from one that looks as printed; and by a browser.
    page.add_init_script("addEventListener('beforeprint', (event) => { if (!globalThis.says) event.stopImmediatePropagation(); })")
    opened(page, "/drums/report", mila)
    expect(page.get_by_role("heading", name="What this does not show")).to_be_visible()
    for media, says in (("null", False), ("print", False), ("print", True), ("null", True)):
        page.emulate_media(media=media)
        page.evaluate("(says) => { globalThis.says = says; }", says)
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1, (media, says)


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
        page.get_by_role("button", name=re.compile("^CSV A table")).click()
    rows = open(download.value.path(), encoding="utf-8").read().splitlines()
    assert len(rows) > 16 * sum(BEATS) - 1
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]
