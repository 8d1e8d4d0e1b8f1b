"""A brushing in a real browser, as a phone whose clock is the test’s."""

import re

import pytest
from playwright.sync_api import expect

from brushing_page import (  # noqa: F401
    PLANNED, QUARTERS, add_child, brushed, counted_down, is_delivered, stored_session, left, looks, me, open_ready, page, passes, sessions, start,
)  # fmt: skip
from hub import eventually
from pages import EACH_WAY, EMAIL, PASSWORD, assert_nothing_overflows, browser, hub, sign_in  # noqa: F401


def heading(page):
    return page.get_by_role("heading", level=1)


@EACH_WAY
def test_a_whole_session_is_guided_through_its_parts_and_told_at_the_end(hub, page, looks):
    open_ready(page)
    expect(page.get_by_text("Brush four quarters, floss, spit.")).to_be_visible()
    assert_nothing_overflows(page)
    start(page)
    expect(page.get_by_role("navigation", name="Places")).to_be_hidden()
    for quarter in QUARTERS:
        expect(heading(page)).to_have_text(quarter)
        assert 20 <= left(page) <= 30  # what a busy machine took until the test’s clock stood still
        assert_nothing_overflows(page)
        passes(page, left(page))
    expect(heading(page)).to_have_text("Floss")
    assert_nothing_overflows(page)
    passes(page, left(page))
    expect(heading(page)).to_have_text("Spit, don’t rinse")
    assert_nothing_overflows(page)
    passes(page, left(page))
    session = brushed(page)
    expect(heading(page)).to_have_text("The first one, Tess")  # an award
    expect(page.locator("html[data-session]")).to_have_count(0)
    assert_nothing_overflows(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["id"] == session and stored["isComplete"] and stored["counts"] and stored["award"] == "first"
    assert [stored["brushSeconds"], stored["flossSeconds"], stored["rinseSeconds"]] == [120, 60, 30]
    assert stored_session(page) is None
    page.reload()  # the summary survives it
    expect(page.get_by_text("Brush", exact=True).locator("xpath=ancestor::li")).to_contain_text("2:00")
    expect(page.get_by_role("definition").filter(has_text="1of 14")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()


def test_each_change_is_heard_felt_seen_and_said_and_each_cue_can_be_off(hub, page):
    page.add_init_script(
        "window.felt = []; navigator.vibrate = (pattern) => window.felt.push(pattern.length);"
        "window.heard = 0; const begin = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (...when) { window.heard += 1; return begin.apply(this, when); };"
    )
    open_ready(page)
    start(page)
    said = page.locator("[aria-live=polite].unseen")
    expect(said).to_have_text(re.compile("^Upper left, 30"))
    before = said.text_content()
    passes(page, 10)
    assert said.text_content() == before  # nothing is said between the changes
    # The ring shows whole seconds, rounded up, and the colour lasts 0.9 s.
    passes(page, left(page) - 1)
    for _ in range(11):
        if page.locator(".fullscreen[data-cue]").count():
            break
        passes(page, 0.1)
    expect(page.locator(".fullscreen")).to_have_attribute("data-cue", "quarter")
    expect(said).to_have_text(re.compile("^Upper right, 30"))
    assert page.evaluate("window.felt") == [1] and page.evaluate("window.heard") == 4
    page.get_by_role("button", name="Sound cues").click()
    expect(page.get_by_role("button", name="Sound cues")).to_have_attribute("aria-pressed", "false")
    passes(page, 31)
    expect(heading(page)).to_have_text("Lower left")
    assert page.evaluate("window.felt") == [1, 1] and page.evaluate("window.heard") == 4
    page.reload()  # also after a reload of the same session
    expect(page.get_by_role("button", name="Sound cues")).to_have_attribute("aria-pressed", "false")


def test_cues_that_are_off_in_the_settings_are_not_given(hub, page):
    cues = {"sound": False, "vibration": False, "colour": False}
    child = add_child(hub, "Mila", "fox", cues=cues, isChildMode=False)
    page.add_init_script("window.felt = 0; navigator.vibrate = () => { window.felt += 1; };")
    open_ready(page, f"/brushing?person={child}")
    start(page)
    passes(page, 30.5)
    expect(heading(page)).to_have_text("Upper right")
    assert page.evaluate("window.felt") == 0
    expect(page.locator(".fullscreen[data-cue]")).to_have_count(0)


def test_paused_time_does_not_count(hub, page):
    open_ready(page)
    start(page)
    passes(page, 10)
    page.get_by_role("button", name="Pause").click()
    expect(heading(page)).to_have_text("Paused")
    rest = left(page)
    passes(page, 90)
    assert left(page) == rest
    page.get_by_role("button", name="Go on").click()
    expect(heading(page)).to_have_text("Upper left")
    assert left(page) in (rest, rest - 1)
    passes(page, PLANNED)
    brushed(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["isComplete"] and 89 <= stored["pausedSeconds"] <= 92


def test_a_part_that_is_skipped_is_told(hub, page):
    open_ready(page)
    start(page)
    passes(page, 10)
    page.get_by_role("button", name="Skip").click()
    expect(heading(page)).to_have_text("Upper right")
    passes(page, PLANNED)
    brushed(page)
    expect(page.get_by_text(re.compile(r"(18|19|20)\ss skipped"))).to_be_visible()
    [stored] = is_delivered(hub, me(hub))
    assert stored["skipped"] == 1 and not stored["isComplete"] and stored["counts"]


def test_who_stops_is_asked_and_what_was_brushed_is_kept(hub, page):
    open_ready(page)
    start(page)
    passes(page, 40)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("dialog")).to_contain_text("are done and will be kept")
    rest = left(page)
    passes(page, 20)  # the question takes no time of the session
    page.get_by_role("button", name="Go on brushing").click()
    expect(heading(page)).to_have_text("Upper right")
    assert left(page) in (rest, rest - 1)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    brushed(page)
    expect(heading(page)).to_have_text("Stopped early, Tess")
    [stored] = is_delivered(hub, me(hub))
    assert 40 <= stored["brushSeconds"] <= 42 and not stored["counts"] and stored["reason"] == "stopped"


def test_who_stops_at_once_has_not_brushed(hub, page):
    open_ready(page)
    start(page)
    page.get_by_role("button", name="Stop").click()
    page.clock.resume()
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
    assert sessions(hub, me(hub)) == [] and stored_session(page) is None


def test_a_reload_goes_on_where_the_session_truly_is(hub, page):
    open_ready(page)
    start(page)
    passes(page, 40)
    expect(heading(page)).to_have_text("Upper right")
    before = left(page)
    page.reload()
    expect(heading(page)).to_have_text("Upper right")
    assert before - 6 <= left(page) <= before
    passes(page, PLANNED)
    brushed(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["isComplete"] and stored["brushSeconds"] == 120


def test_a_paused_session_is_still_paused_after_a_reload(hub, page):
    open_ready(page)
    start(page)
    passes(page, 15)
    page.get_by_role("button", name="Pause").click()
    expect(heading(page)).to_have_text("Paused")
    rest = left(page)
    page.reload()
    expect(heading(page)).to_have_text("Paused")
    passes(page, 30)
    assert left(page) == rest


def test_a_page_that_the_phone_threw_away_is_found_again_from_the_start(hub, page):
    open_ready(page)
    start(page)
    passes(page, 20)
    page.clock.resume()
    page.goto("about:blank")
    page.goto("/brushing")
    page.get_by_role("button", name="Go on brushing").click()
    expect(heading(page)).to_have_text(re.compile("Upper (left|right)"))
    assert left(page) <= 10 or heading(page).text_content() == "Upper right"


def test_a_session_that_was_left_ends_where_it_was_last_seen(hub, page):
    open_ready(page)
    start(page)
    passes(page, 40)
    page.goto("about:blank")
    page.clock.fast_forward(45 * 60_000)
    page.goto("/brushing/session")
    brushed(page)
    expect(heading(page)).to_have_text("Stopped early, Tess")
    [stored] = is_delivered(hub, me(hub))
    assert stored["reason"] == "left" and 30 <= stored["brushSeconds"] <= 45


def test_a_tab_that_sleeps_for_a_minute_is_where_the_minute_led(hub, page):
    open_ready(page)
    start(page)
    page.clock.fast_forward(65_000)  # each timer fires once, as in a throttled tab
    expect(heading(page)).to_have_text("Lower left")
    assert 20 <= left(page) <= 25
    page.clock.fast_forward(PLANNED * 1000)
    brushed(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["isComplete"] and stored["brushSeconds"] == 120


def test_who_goes_back_finds_it_paused(hub, page):
    open_ready(page)
    start(page)
    passes(page, 12)
    page.clock.resume()
    page.go_back()
    expect(page.get_by_role("heading", name="Tess is brushing")).to_be_visible()
    expect(page.locator("html[data-session]")).to_have_count(0)
    passes(page, 60)
    page.get_by_role("button", name="Go on brushing").click()
    expect(heading(page)).to_have_text("Paused")
    assert 15 <= left(page) <= 18


def test_keys_are_enough(hub, page):
    open_ready(page)
    page.get_by_role("button", name="Start brushing").press("Enter")
    counted_down(page)
    expect(heading(page)).to_have_text("Upper left")
    passes(page, 8)
    page.keyboard.press("Space")
    expect(heading(page)).to_have_text("Paused")
    page.keyboard.press("Space")
    expect(heading(page)).to_have_text("Upper left")
    page.keyboard.press("ArrowRight")
    expect(heading(page)).to_have_text("Upper right")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Stop here?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Upper right")


def test_two_windows_do_not_run_the_same_session(hub, page):
    open_ready(page)
    start(page)
    passes(page, 10)
    page.clock.resume()
    second = page.context.new_page()
    second.goto("/brushing/session")
    expect(second.get_by_role("heading", name="Brushing is open in another window")).to_be_visible()
    second.get_by_role("button", name="Brush here").click()
    expect(second.get_by_role("timer")).to_be_visible()
    expect(page.get_by_role("heading", name="Brushing is open in another window")).to_be_visible()
    second.clock.run_for(PLANNED * 1000)
    brushed(second)
    [stored] = is_delivered(hub, me(hub))
    assert stored["isComplete"]
    page.clock.resume()
    page.get_by_role("button", name="Brush here").click()  # there is none any more
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()


# A browser that takes longer for its first lock than the page has patience.
SLOW_LOCKS = """const { request } = LockManager.prototype;
let isFirst = true;
LockManager.prototype.request = async function (name, options, work) {
    if (isFirst && options.signal) {
        isFirst = false;
        await new Promise((done) => { options.signal.addEventListener("abort", done); });
    }
    return request.call(this, name, options, work);
};"""


def test_a_slow_phone_is_no_other_window(page):
    page.add_init_script(SLOW_LOCKS)
    open_ready(page)
    start(page)


def test_several_children_brush_on_one_phone(hub, page):
    mila = add_child(hub, "Mila", "fox", isChildMode=False)
    theo = add_child(hub, "Theo", "bear", routine={"preset": "two"}, isChildMode=False)
    open_ready(page)
    who = page.get_by_role("group", name="Who brushes")
    for name, person in (("Mila", mila), ("Theo", theo)):
        who.get_by_role("button", name=name).click()
        expect(heading(page)).to_contain_text(name)
        start(page)
        expect(page.locator(".header-name")).to_have_text(name)
        passes(page, PLANNED + 60)
        brushed(page)
        expect(heading(page)).to_contain_text(name)
        is_delivered(hub, person)
        page.get_by_role("button", name="Close").click()
        page.reload()  # who brushed last is remembered on the device
        expect(who.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    assert len(sessions(hub, mila)) == len(sessions(hub, theo)) == 1 and sessions(hub, me(hub)) == []


def test_a_notification_leads_to_its_person_and_may_begin(hub, page):
    mila = add_child(hub, "Mila", "fox", isChildMode=False)
    open_ready(page, f"/brushing?person={mila}")
    expect(heading(page)).to_contain_text("Mila")
    page.goto(f"/brushing?person={mila}&start=1")
    counted_down(page)
    expect(heading(page)).to_have_text("Upper left")
    page.go_back()
    expect(page).to_have_url(re.compile(f"/brushing\\?person={mila}$"))  # a way back begins no other


def test_children_need_no_word_and_no_key(hub, page):
    theo = add_child(hub, "Theo", "bear", isChildMode=True)
    open_ready(page, f"/brushing?person={theo}")
    start(page)
    # What is written is for screen readers; they hear the same as everybody.
    shown = page.evaluate(
        "() => [...document.querySelectorAll('main *')].filter((node) => !node.closest('.unseen') && [...node.childNodes]"
        ".some((one) => one.nodeType === 3 && one.textContent.trim() !== '')).map((node) => node.textContent)"
    )
    assert shown == []
    assert page.locator(".tooth.clean").count() == 0
    passes(page, 16)
    assert 3 <= page.locator(".tooth.clean").count() <= 5
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("timer")).to_have_attribute("aria-label", re.compile("Upper right"))
    # A tap does not stop it, a hold does.
    stop = page.get_by_role("button", name="Stop: hold for a second")
    stop.click()
    expect(page.get_by_role("timer")).to_be_visible()
    box = stop.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    passes(page, 1.1)
    page.mouse.up()
    page.clock.resume()
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    assert "Theo has brushed" in page.locator("h1.unseen").text_content()
    expect(page.locator(".confetti")).to_have_count(0)  # reduced motion
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
    is_delivered(hub, theo)


@EACH_WAY
def test_the_child_s_session_fits_and_its_controls_are_large(hub, page, looks):
    theo = add_child(hub, "Theo", "rabbit", isChildMode=True)
    open_ready(page, f"/brushing?person={theo}")
    start(page)
    assert_nothing_overflows(page)
    for node in page.locator("main").get_by_role("button").all():
        box = node.bounding_box()
        assert box["width"] >= 60 and box["height"] >= 60
        assert box["y"] + box["height"] <= looks[0]["height"]


def test_who_may_see_the_house_sees_its_states(hub, page):
    """While it is asked, when it cannot be had, when it comes."""
    sign_in(page, "/plants")
    page.evaluate("() => localStorage.removeItem('tandem.cache.brushing')")
    page.route("**/api/brushing", lambda route: route.abort())
    page.goto("/brushing")
    expect(page.get_by_role("heading", name="Brushing cannot be shown right now")).to_be_visible()
    expect(page.get_by_text("The hub does not answer.").first).to_be_visible()
    page.unroute("**/api/brushing")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()


@pytest.mark.parametrize("where", ["/brushing/done/ffffffffffffffffffffffffffffffff", "/brushing/session"])
def test_addresses_of_nothing_say_so_or_lead_back(hub, page, where):
    sign_in(page, where)
    if "done" in where:
        expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    else:
        expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
    page.wrongs[:] = [one for one in page.wrongs if "404" not in one]


def test_who_signs_out_elsewhere_finds_the_session_paused(hub, page):
    open_ready(page)
    start(page)
    passes(page, 12)
    page.clock.resume()
    second = page.context.new_page()
    second.goto("/brushing")
    second.evaluate("() => new BroadcastChannel('tandem-session').postMessage('signed out')")  # what a sign-out tells
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    expect(page.locator("html[data-session]")).to_have_count(0)
    page.clock.fast_forward(60_000)
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    places = page.get_by_role("navigation", name="Places")
    expect(page.locator("html[data-session]")).to_have_count(0)
    places.get_by_role("link", name="Brushing").click()
    page.get_by_role("button", name="Go on brushing").click()
    expect(heading(page)).to_have_text("Paused")
    assert 14 <= left(page) <= 18


def test_the_session_of_another_is_not_gone_on_with_unasked(hub, page):
    mila = add_child(hub, "Mila", "fox", isChildMode=False)
    theo = add_child(hub, "Theo", "bear", isChildMode=False)
    open_ready(page, f"/brushing?person={mila}")
    start(page)
    passes(page, 20)
    page.clock.resume()
    page.goto("about:blank")
    page.goto(f"/brushing?person={theo}&start=1")
    expect(heading(page)).to_have_text("Mila is brushing")
    expect(page.get_by_role("timer")).to_have_count(0)
    expect(page.get_by_role("button", name="Go on with Mila’s")).to_be_visible()
    assert_nothing_overflows(page)
    page.get_by_role("button", name="End it, start Theo’s").click()
    counted_down(page)
    expect(page.locator(".header-name")).to_have_text("Theo")
    [stored] = is_delivered(hub, mila)
    assert stored["reason"] == "stopped" and stored["brushSeconds"] >= 18


def test_a_session_that_was_left_is_delivered_by_itself_and_is_in_nobody_s_way(hub, page):
    mila = add_child(hub, "Mila", "fox", isChildMode=False)
    theo = add_child(hub, "Theo", "bear", isChildMode=False)
    open_ready(page, f"/brushing?person={mila}")
    start(page)
    passes(page, 40)
    page.goto("about:blank")
    page.clock.fast_forward(3 * 3_600_000)
    page.clock.resume()
    page.goto(f"/brushing?person={theo}&start=1")
    counted_down(page)
    expect(page.locator(".header-name")).to_have_text("Theo")
    [stored] = is_delivered(hub, mila)
    assert stored["reason"] == "left"
    page.goto("about:blank")
    page.clock.fast_forward(3 * 3_600_000)
    page.goto("/")  # today is enough
    eventually(lambda: stored_session(page) is None, what="the end of what was left")


def test_a_count_down_can_be_called_off_and_begins_nothing(hub, page):
    open_ready(page)
    page.get_by_role("button", name="Start brushing").click()
    dialog = page.get_by_role("dialog", name="Get ready, Tess")
    expect(dialog).to_contain_text("3")
    page.clock.run_for(1_000)
    expect(dialog).to_contain_text("2")
    assert_nothing_overflows(page)
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    page.clock.run_for(5_000)
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
    assert stored_session(page) is None


def test_the_order_of_the_quarters_is_a_setting(hub, page):
    hub.request("PUT", f"/api/brushing/people/{me(hub)}/settings", {"quarters": "around"})
    open_ready(page)
    start(page)
    passes(page, 65)
    expect(heading(page)).to_have_text("Lower right")


def test_who_skips_to_the_end_has_not_stopped(hub, page):
    open_ready(page)
    start(page)
    passes(page, 10)
    for word in ["Skip Section"] * 3 + ["Skip Activity"] * 2 + ["Finish"]:
        page.get_by_role("button", name=word, exact=True).click()
    brushed(page)
    expect(heading(page)).to_have_text("Short this time, Tess")
    learnt = page.locator(".content h2").first  # no award: a tip, before everything else, and it is what is shared
    expect(learnt).to_have_text("Spit, don’t rinse")
    page.get_by_role("button", name="Share").click()
    card = page.get_by_role("dialog", name="Share").get_by_role("img")
    expect(card).to_have_attribute("aria-label", re.compile("^Brushed\\. .*Spit, don’t rinse: A film of toothpaste"))


def test_a_long_name_leaves_the_controls_their_size(hub, page):
    child = add_child(hub, "Maximiliane Wilhelmine Auguste von Hohenfels", "fox", isChildMode=False)
    open_ready(page, f"/brushing?person={child}")
    start(page)
    for name in ("Sound cues", "Stop"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44
    assert page.locator(".fullscreen .header-name").bounding_box()["height"] < 48
