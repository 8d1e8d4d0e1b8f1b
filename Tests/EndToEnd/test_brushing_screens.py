"""Brushing's tips, settings and history in a real browser, with a real hub."""

import datetime
import re

import pytest
from playwright.sync_api import expect

import brushing_blobs
from hub import Hub, copy_of, eventually
from pages import (  # noqa: F401
    EACH_WAY, PHONE, assert_nothing_overflows, browser, has_worker, is_back, kept_open, sign_in, watched,
)  # fmt: skip
from shared_hub import child, shared_hub

hub = shared_hub(web=True)

HOUR = 3_600_000
SMALL = {"width": 320, "height": 568}


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    yield from watched(hub, browser, looks)


@pytest.fixture
def mila(hub):  # noqa: F811
    """A child of the household, by the clocks of which it is day."""
    return child(hub, "Mila", "fox")


def person(hub, one):  # noqa: F811
    """Somebody as the overview shows them."""
    return next(each for each in hub.get("/api/brushing")["people"] if each["id"] == one["id"])


def now(hub):  # noqa: F811
    return hub.get("/api/hub")["now"]


def weeks_of(hub, one, days=20):  # noqa: F811
    """Has somebody brush each morning at seven and each evening at seven, by UTC, but not on every fifth day."""
    today = now(hub) // 86_400_000 * 86_400_000
    for back in range(days, 0, -1):
        if back % 5 == 0:
            continue
        for hour in (7, 19):
            brushing_blobs.deliver(hub, one["id"], today - back * 86_400_000 + hour * HOUR)


def settings(page, one, heading="When"):
    sign_in(page, f"/brushing/settings?person={one['id']}")
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")  # what the hub tells at first is drawn
    return page


def region(page, name):
    return page.get_by_role("region", name=name, exact=True)


@pytest.fixture(scope="module")
def seen(prepared, web, browser, tmp_path_factory):  # noqa: F811
    """A page for each of the looks, of a hub in which a child has brushed for weeks, and that nobody changes."""
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("seen") / "data"), web=web).start().signed_in()
    mila = hub.post("/api/people", {"name": "Mila", "role": "child", "face": "fox"})
    weeks_of(hub, mila)
    hub.post("/api/calendar-feeds", {"people": [mila["id"]]})
    hub.request("PUT", f"/api/reminders/brushing/evening/{mila['id']}", {"isOn": True})
    with kept_open(hub, browser) as page_of:

        def place(looks, path):
            page = page_of(looks)
            ines = hub.get("/api/session")["profile"]["id"]
            page.add_init_script("localStorage.setItem('tandem.brushing.person.%s', '%s')" % (ines, mila["id"]))
            sign_in(page, path)
            return page

        yield place
    hub.close()


@EACH_WAY
@pytest.mark.parametrize("path", ["/brushing/tips", "/brushing/settings", "/brushing/history"])
def test_each_screen_fits_and_says_what_it_is(seen, looks, path):
    page = seen(looks, path)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("h1")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    assert_nothing_overflows(page)
    # What is unseen is for keys and screen readers: fingers have the whole chart.
    small = page.evaluate(
        "() => [...document.querySelectorAll('main button, main a[href], main input, main select')].filter((node) =>"
        " node.checkVisibility() && !node.closest('p') && !node.closest('label') && !node.matches('.unseen') &&"
        " node.getBoundingClientRect().width > 0 && node.getBoundingClientRect().height < 43)"
        ".map((node) => node.outerHTML.slice(0, 140))"
    )
    assert not small, small
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('main button, main a[href], main input, main select')].filter((node) =>"
        " node.checkVisibility() && !node.getAttribute('aria-label') && !node.textContent.trim()"
        " && !node.labels?.length)"
        ".map((node) => node.outerHTML.slice(0, 140))"
    )
    assert not unnamed, unnamed
    assert not page.wrongs, page.wrongs


@pytest.mark.parametrize("looks", [(SMALL, "light")])
@pytest.mark.parametrize("path", ["/brushing", "/brushing/settings", "/brushing/history"])
def test_days_and_presets_keep_their_size_on_a_small_phone(seen, looks, path):
    page = seen(looks, path)
    expect(page.locator("h1")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    narrow = page.evaluate(
        "() => [...document.querySelectorAll('.weekdays > *, .presets > *, .pip.day')].filter((node) =>"
        " node.checkVisibility() && Math.min(node.offsetWidth, node.offsetHeight) < 44).map((node) => node.outerHTML)"
    )
    assert not narrow, narrow
    assert not page.wrongs, page.wrongs


def test_each_tip_has_its_public_source_outside_of_the_house(hub, page):  # noqa: F811
    sign_in(page, "/brushing/tips")
    tips = page.get_by_role("main").get_by_role("listitem")
    expect(tips.first).to_be_visible()
    count = tips.count()
    assert count >= 28
    links = page.locator(".tip-source")
    assert links.count() == count
    for link in links.all():
        assert link.get_attribute("href").startswith("https://")
        assert link.get_attribute("rel") == "noreferrer" and link.get_attribute("target") == "_blank"
    words = [tip.inner_text() for tip in tips.all()]
    assert len(set(words)) == count
    page.get_by_label("Search the tips").fill("rice")
    expect(tips).to_have_count(1)
    expect(tips).to_contain_text("grain of rice")
    page.get_by_label("Search the tips").fill("nothing has these words")
    expect(tips).to_have_count(0)
    expect(page.get_by_text("No tip has")).to_be_visible()
    page.get_by_label("Search the tips").fill("")
    page.get_by_role("button", name="Children", exact=True).click()
    assert 3 <= tips.count() < count


def test_a_reminder_is_switched_on_with_its_time_and_days(hub, page, mila):  # noqa: F811
    settings(page, mila)
    expect(page.get_by_role("heading", level=1)).to_have_text("No reminders for Mila")
    page.get_by_role("switch", name="Remind in the evening").check(force=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Reminders at 19:30")
    page.get_by_label("Evening, at what time").fill("18:45")
    page.get_by_label("Evening, at what time").blur()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reminders at 18:45")
    page.get_by_role("group", name="Evening, on which days").get_by_role("button", name="Sunday").click()
    expect(region(page, "When").get_by_role("status")).to_contain_text("Saved")
    data = hub.get("/api/reminders")["reminders"]
    [evening] = [one for one in data if one["name"] == "evening" and one["person"] == mila["id"]]
    assert evening["isOn"] and evening["minute"] == 18 * 60 + 45 and evening["weekdays"] == [1, 2, 3, 4, 5, 6]
    expect(page.locator(".header .lead")).to_contain_text(re.compile(r"The next one is \w+ at 18:45, for Mila"))
    page.reload()
    expect(page.get_by_label("Evening, at what time")).to_have_value("18:45")
    expect(page.get_by_role("button", name="Sunday").last).to_have_attribute("aria-pressed", "false")
    quiet = page.get_by_role("switch", name="Keep quiet when already brushed")
    expect(quiet).to_be_checked()
    quiet.uncheck(force=True)
    expect(region(page, "When").get_by_role("status")).to_contain_text("Saved")
    data = [one for one in hub.get("/api/reminders")["reminders"] if one["person"] == mila["id"]]
    assert [one["silencedByDone"] for one in data if one["name"] in ("morning", "evening")] == [False, False]
    page.reload()
    expect(quiet).not_to_be_checked()


def test_the_routine_is_a_preset_or_ones_own_and_the_hub_says_what_it_may_be(hub, page, mila):  # noqa: F811
    settings(page, mila, "Routine")
    routine = region(page, "Routine")
    total = routine.locator(".section-head > .strong")
    expect(total).to_have_text("3:30")
    routine.get_by_role("button", name="1 min").click()
    expect(total).to_have_text("1:00")
    assert person(hub, mila)["routine"]["preset"] == "one"
    routine.get_by_role("button", name="Original").click()
    expect(total).to_have_text("3:30")
    routine.get_by_role("switch", name="Floss").uncheck(force=True)
    expect(routine.get_by_role("button", name="Own")).to_have_attribute("aria-pressed", "true")
    expect(total).to_have_text("2:30")
    routine.get_by_label("Brush, seconds").fill("45")
    routine.get_by_label("Brush, seconds").blur()
    expect(total).to_have_text("3:30")
    steps = person(hub, mila)["routine"]["steps"]
    assert [(one["kind"], one["seconds"], one["isOn"]) for one in steps] == [
        ("brush", 45, True), ("floss", 60, False), ("rinse", 30, True),
    ]  # fmt: skip
    routine.get_by_label("Brush, seconds").fill("9000")
    routine.get_by_label("Brush, seconds").blur()
    expect(routine.get_by_role("alert")).to_contain_text("ten minutes")  # the hub's own words, at the field
    expect(routine.get_by_label("Brush, seconds")).to_have_attribute("aria-invalid", "true")
    assert person(hub, mila)["routine"]["steps"][0]["seconds"] == 45
    expect(routine).to_contain_text("spit, don’t rinse")
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_cues_childrens_mode_and_how_often_are_stored_as_they_are_touched(hub, page, mila):  # noqa: F811
    settings(page, mila, "At each change")
    before = person(hub, mila)
    page.get_by_role("switch", name="Vibration").set_checked(not before["cues"]["vibration"], force=True)
    expect(region(page, "At each change").get_by_role("status")).to_contain_text("Saved")
    page.get_by_role("switch", name=re.compile("Children’s mode")).set_checked(not before["isChildMode"], force=True)
    expect(region(page, "How it counts").get_by_role("status")).to_contain_text("Saved")
    page.get_by_role("button", name="Once a day").click()
    expect(page.get_by_role("button", name="Once a day")).to_have_attribute("aria-pressed", "true")
    after = eventually(lambda: (now := person(hub, mila))["perDay"] == 1 and now, what="once a day")
    assert after["cues"]["vibration"] != before["cues"]["vibration"]
    assert after["cues"]["sound"] == before["cues"]["sound"]
    assert after["isChildMode"] != before["isChildMode"]
    for name in ("Sound", "Vibration", "Flash of colour"):
        page.get_by_role("button", name=f"Try: {name}").click()
    # The others come when somebody looks, under the names that CLDR has for them.
    zone = page.get_by_label("Time zone")
    zone.focus()
    expect(zone.locator("optgroup[label='Pacific Time'] > option", has_text="Los Angeles")).to_have_count(1)
    zone.select_option("America/Los_Angeles")
    expect(region(page, "How it counts").get_by_role("status")).to_contain_text("Saved")
    assert person(hub, mila)["timeZone"] == "America/Los_Angeles"


def test_a_brush_head_is_replaced_after_a_question_and_another_day_is_suggested(hub, page, mila):  # noqa: F811
    settings(page, mila, "Brush head")
    head = region(page, "Brush head")
    expect(head).to_contain_text("Nobody has said yet")
    head.get_by_role("button", name="Replaced today").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Not now").click()
    assert "replacedDay" not in person(hub, mila)["brushHead"]
    head.get_by_role("button", name="Replaced today").click()
    dialog.get_by_role("button", name="Yes, replaced today").click()
    expect(head).to_contain_text("In use since")
    data = person(hub, mila)["brushHead"]
    replaced, suggested = (datetime.date.fromisoformat(data[key]) for key in ("replacedDay", "suggestedDay"))
    assert suggested - replaced == datetime.timedelta(weeks=12)
    slider = head.get_by_role("slider", name="Replace the brush head every")
    slider.focus()
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "1 week")
    expect(head.get_by_role("status")).to_contain_text("Saved")
    data = person(hub, mila)["brushHead"]
    assert data["weeks"] == 1
    assert datetime.date.fromisoformat(data["suggestedDay"]) - replaced == datetime.timedelta(weeks=1)
    before = (replaced - datetime.timedelta(days=100)).isoformat()
    head.get_by_label("Replaced on").fill(before)
    eventually(lambda: person(hub, mila)["brushHead"]["replacedDay"] == before, what="that the hub is told the day")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "Never")
    eventually(lambda: "suggestedDay" not in person(hub, mila)["brushHead"], what="that nobody is reminded")


def test_an_appointment_is_added_changed_deleted_and_brought_back(hub, page, mila):  # noqa: F811
    settings(page, mila, "Appointments")
    part = region(page, "Appointments")
    today = datetime.datetime.fromtimestamp(now(hub) / 1000, datetime.UTC).date()
    day = (today + datetime.timedelta(days=12)).isoformat()
    part.get_by_role("button", name="Add").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Who with, or what for").fill("Dr. <b>Lindner</b>")
    dialog.get_by_label("Day").fill(day)
    dialog.get_by_label("Time").fill("15:30")
    dialog.get_by_label("Note").fill("Sealants?")
    dialog.get_by_role("button", name="Add appointment").click()
    expect(part.get_by_role("listitem")).to_contain_text("Dr. <b>Lindner</b>")
    [data] = person(hub, mila)["appointments"]
    assert (data["day"], data["minute"], data["note"]) == (day, 930, "Sealants?")
    part.get_by_role("button", name=re.compile("Lindner")).click()
    dialog.get_by_label("Time").fill("16:00")
    dialog.get_by_role("button", name="Save").click()
    expect(part.get_by_role("listitem")).to_contain_text("16:00")
    part.get_by_role("button", name=re.compile("Lindner")).click()
    dialog.get_by_role("button", name="Delete").click()
    expect(part.get_by_role("listitem")).to_have_count(0)
    assert person(hub, mila)["appointments"] == []
    page.get_by_role("button", name="Undo").click()
    expect(part.get_by_role("listitem")).to_contain_text("16:00")


def test_days_off_are_frozen_and_taken_back(hub, page, mila):  # noqa: F811
    settings(page, mila, "Days off")
    part = region(page, "Days off")
    today = datetime.datetime.fromtimestamp(now(hub) / 1000, datetime.UTC).date()
    part.get_by_role("button", name="Add").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Holiday").click()
    dialog.get_by_label("From").fill(today.isoformat())
    dialog.get_by_label("Up to and including").fill((today - datetime.timedelta(days=1)).isoformat())
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.locator("[aria-invalid=true]")).to_have_count(1)  # the hub's words, at the field
    dialog.get_by_label("Up to and including").fill((today + datetime.timedelta(days=3)).isoformat())
    dialog.get_by_role("button", name="Add").click()
    expect(part.get_by_role("listitem")).to_have_count(1)
    expect(part.get_by_role("listitem")).to_contain_text("Holiday")
    assert len(person(hub, mila)["frozenDays"]) == 4
    part.get_by_role("button", name=re.compile("^Take back")).click()
    expect(part.get_by_role("listitem")).to_have_count(0)
    assert person(hub, mila)["frozenDays"] == []
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_a_calendar_feed_is_made_shown_once_and_ended(hub, page, mila):  # noqa: F811
    sign_in(page, "/settings")
    part = region(page, "Reminders")
    part.get_by_role("button", name="Make a link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make the link").click()
    link = dialog.locator(".line code")
    expect(link).to_contain_text(".ics")
    path = "/calendar/" + link.inner_text().rsplit("/", 1)[1]
    expect(dialog.get_by_role("img", name="QR code of the calendar feed")).to_be_visible()
    assert b"BEGIN:VCALENDAR" in hub.request("GET", path, headers={"Authorization": ""})[1]
    dialog.get_by_role("button", name="Done").click()
    row = part.get_by_role("listitem").filter(has_text="For Mila")
    expect(row).to_contain_text(re.compile("read (just now|[0-9]+ s|a moment)"))
    row.get_by_role("button", name=re.compile("^End the calendar feed")).click()
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(row).to_have_count(0)
    with pytest.raises(AssertionError, match="404"):
        hub.request("GET", path, headers={"Authorization": ""})


def test_history_shows_days_with_their_sessions_and_both_counts_where_they_differ(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila)
    today = now(hub) // 86_400_000 * 86_400_000
    brushing_blobs.deliver(hub, mila["id"], today - 86_400_000 + 12 * HOUR, claim=(118_000, 60_000, 30_000))
    sign_in(page, f"/brushing/history?person={mila['id']}")
    day = datetime.datetime.fromtimestamp(today / 1000 - 86_400, datetime.UTC).date()
    if day.month != datetime.datetime.fromtimestamp(today / 1000, datetime.UTC).month:
        page.get_by_role("button", name="The month before").click()
    name = f"{day:%A} {day.day} {day:%B}"
    cell = page.get_by_role("button", name=f"{name}: brushed in the morning and evening")
    cell.click()
    if day.day > 1:
        before = (day - datetime.timedelta(days=1)).isoformat()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".day:focus")).to_have_attribute("data-day", before)
        page.keyboard.press("ArrowRight")
        expect(cell).to_be_focused()
    panel = page.locator(".day-panel")
    expect(panel.get_by_role("listitem")).to_have_count(3)
    expect(panel).to_contain_text("7:00")
    expect(panel).to_contain_text("The phone counted 3:28, the hub 3:30")
    panel.get_by_role("button", name=re.compile("12:00")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".session-steps").get_by_role("listitem")).to_have_count(6)
    expect(dialog).to_contain_text("The phone counted 3:28, the hub 3:30")
    page.keyboard.press("Escape")
    panel.get_by_role("button", name=f"Make {name} a day off").click()
    expect(page.get_by_role("button", name=f"{name}: day off")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(cell).to_be_visible()


@pytest.mark.parametrize("by", ["Day", "Week", "Month", "Year"])
def test_statistics_are_drawn_and_told_as_a_table(hub, page, mila, by):  # noqa: F811
    weeks_of(hub, mila)
    sign_in(page, f"/brushing/history?person={mila['id']}")
    part = region(page, "Over time")
    part.get_by_role("button", name=by, exact=True).click()
    expect(part.get_by_role("img", name=re.compile("^Brushing sessions, "))).to_be_visible()
    expect(part.get_by_role("img", name=re.compile("^Habit, "))).to_be_visible()
    part.get_by_role("button", name="As a table").click()
    until = datetime.datetime.fromtimestamp(now(hub) / 1000, datetime.UTC).date().isoformat()
    bars = hub.get(f"/api/brushing/people/{mila['id']}/statistics?by={by.lower()}&until={until}")["bars"]
    rows = part.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(len(bars))
    expect(rows.first).to_contain_text(str(bars[-1]["habitPercent"]))
    part.get_by_role("button", name="As charts").click()
    expect(part.get_by_role("img", name=re.compile("^Habit, "))).to_be_visible()


def test_awards_stand_on_the_shelf_with_their_day_and_the_others_outlined(hub, page, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    sign_in(page, f"/brushing/history?person={mila['id']}")
    shelf = region(page, "Awards")
    expect(shelf.get_by_role("listitem")).to_have_count(12)
    earned = shelf.locator("[data-state=earned]")
    expect(earned).to_have_count(len(person(hub, mila)["awards"]))
    expect(earned.first).to_contain_text("The first one")
    expect(earned.first).to_contain_text(re.compile(r"20\d\d"))


def test_a_new_person_has_an_empty_history_that_says_so(hub, page, mila):  # noqa: F811
    sign_in(page, f"/brushing/history?person={mila['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mila has not started yet")
    expect(region(page, "Over time")).to_contain_text("Nothing to show yet")
    expect(page.locator(".day-panel")).to_contain_text("Not brushed yet")
    expect(page.locator(".pip.day[aria-label*='not brushed,'], .pip.day[aria-label$=': not brushed']")).to_have_count(0)


def test_today_shows_who_brushed_and_moves_when_somebody_does(hub, page, mila):  # noqa: F811
    sign_in(page, "/")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=re.compile("Brushing")))
    expect(card).to_contain_text(hub.get("/api/brushing")["headline"]["lead"][:20])
    before = page.locator(".day").get_by_role("img")
    expect(before).to_have_accessible_name(re.compile("0 done"))
    brushing_blobs.deliver(hub, mila["id"], now(hub) - 60_000 * 5)
    expect(page.locator(".day").get_by_role("img")).to_have_accessible_name(re.compile("1 done"))
    expect(card.get_by_role("img", name=re.compile("Mila: brushed in the"))).to_be_visible()


@pytest.mark.own_hub
def test_today_shows_those_first_who_have_yet_to_brush_and_how_many_more_there_are(hub, page):  # noqa: F811
    children = [hub.post("/api/people", {"name": name, "role": "child"}) for name in ("Ada", "Bo", "Cy", "Di", "Eva")]
    for back, some in ((86_400_000, children), (60_000 * 5, children[:2])):
        for one in some:
            brushing_blobs.deliver(hub, one["id"], now(hub) - back)
    sign_in(page, "/")
    expect(page.locator(".card-disc")).to_have_count(4)
    assert page.locator(".card-disc").all_inner_texts() == ["Cy", "Di", "Eva", "Ada"]
    expect(page.locator(".card-more")).to_have_text("+1")


def test_today_is_asked_for_once_at_a_later_opening(hub, page, mila):  # noqa: F811
    sign_in(page, "/")
    expect(page.locator(".card-disc").first).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/brushing") else None)
    with page.expect_response("**/api/brushing"):
        page.reload()
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1


def test_without_the_hub_settings_say_so_and_put_back_what_was_touched(hub, browser, mila):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        settings(page, mila, "At each change")
        sound = page.get_by_role("switch", name="Sound")
        expect(sound).to_be_checked()
        hub.kill()
        sound.click(force=True)
        expect(region(page, "At each change").get_by_role("alert")).to_contain_text("does not answer")
        expect(sound).to_be_checked()
        hub.start()
        sound.uncheck(force=True)
        expect(region(page, "At each change").get_by_role("status")).to_contain_text("Saved")
        assert person(hub, mila)["cues"]["sound"] is False


def test_settings_opened_without_the_hub_are_calm_and_come_when_it_is_back(hub, browser, mila):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        settings(page, mila)
        has_worker(page)
        hub.kill()
        page.reload()
        expect(page.locator("p.away")).to_have_count(3)
        expect(page.locator(".notice[data-state=problem]")).to_have_count(0)
        hub.start()
        is_back(page)
        expect(page.locator("p.away")).to_have_count(0)
        expect(page.get_by_role("switch", name="Remind in the evening")).to_be_attached()
        expect(page.get_by_role("button", name="Make a link")).to_be_visible()


def test_a_history_without_the_hub_shows_what_was_kept_and_the_rest_when_it_is_back(hub, browser, mila):  # noqa: F811
    weeks_of(hub, mila, days=3)
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        sign_in(page, f"/brushing/history?person={mila['id']}")
        expect(page.locator(".day-panel")).to_be_visible()
        has_worker(page)
        hub.kill()
        page.reload()
        expect(region(page, "Awards").locator("[data-state=earned]")).not_to_have_count(0)
        expect(page.locator("p.away")).to_have_count(2)  # the strip says it, and what is missing is no alarm
        expect(page.get_by_role("button", name="The month before")).to_be_disabled()
        hub.start()
        is_back(page)
        expect(page.locator(".day-panel")).to_be_visible()
        expect(page.locator("p.away")).to_have_count(0)
