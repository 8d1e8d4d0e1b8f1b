"""Two children in front of one tablet: one clock and one guide, a session and a result of their own for each."""

import re

import pytest
from playwright.sync_api import expect

from brushing_page import (  # noqa: F401
    PLANNED, add_child, brushed, counted_down, is_delivered, left, looks, open_ready, page, passes, sessions,
)  # fmt: skip
from pages import DESKTOP, EACH_WAY, PHONE, assert_nothing_overflows, browser, stands_still  # noqa: F401
from shared_hub import shared_hub

hub = shared_hub(web=True)

LANDSCAPE = {"width": 844, "height": 390}

@pytest.fixture
def family(hub):
    """Makes two who brush, beside the adult, and returns their ids."""
    made = []

    def make(**settings):
        for name, face in (("Mila", "fox"), ("Theo", "bear")):
            made.append(add_child(hub, name, face, **{"isChildMode": False, **settings}))
        return made

    return make


def start_together(page, mila):
    open_ready(page, f"/brushing?person={mila}")
    page.get_by_role("button", name="Brush together").click()
    page.get_by_role("group", name="Who brushes").get_by_role("button", name="Theo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Mila and Theo$"))
    page.get_by_role("button", name="Start brushing").click()
    counted_down(page)
    expect(page.get_by_role("timer")).to_have_count(2)
    expect(page.locator("html[data-session]")).to_have_count(1)
    stands_still(page)


def seconds_left(page):
    """What the ring of each shows."""
    labels = [ring.get_attribute("aria-label") for ring in page.get_by_role("timer").all()]
    return [int(re.search(r"(\d+) seconds left", label).group(1)) for label in labels]


def stored_headers(page):
    return page.evaluate(
        "() => new Promise((done) => { indexedDB.open('tandem').onsuccess = ({ target: { result: db } }) => {"
        " db.transaction('active-sessions').objectStore('active-sessions').getAll().onsuccess = (event) => {"
        " db.close(); done(event.target.result); }; }; })"
    )


def test_two_who_begin_together_have_a_session_and_a_result_each_also_after_a_reload(hub, page, family):
    mila, theo = family()
    start_together(page, mila)
    passes(page, 35)
    assert {one["person"]["id"] for one in stored_headers(page)} == {mila, theo}
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Upper right")
    expect(page.get_by_role("timer")).to_have_count(2)
    ones, others = seconds_left(page)
    assert ones == others and 15 <= ones <= 25
    page.get_by_role("button", name="Pause").click()  # for both
    expect(page.get_by_role("heading", level=1)).to_have_text("Paused")
    rest = seconds_left(page)
    passes(page, 10)
    assert seconds_left(page) == rest
    page.get_by_role("button", name="Go on").click()
    passes(page, PLANNED)
    brushed(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("The first one, Mila")
    whose = page.get_by_role("group", name="Whose result")
    whose.get_by_role("button", name="Theo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The first one, Theo")
    results = [is_delivered(hub, person)[0] for person in (mila, theo)]
    assert all(one["isComplete"] and one["brushSeconds"] == 120 and "claim" not in one for one in results)
    assert results[0]["id"] != results[1]["id"]
    assert results[0]["startedAt"] == results[1]["startedAt"]
    assert stored_headers(page) == []


def test_one_who_stops_does_not_end_the_session_of_the_other(hub, page, family):
    mila, theo = family()
    start_together(page, mila)
    passes(page, 40)
    page.get_by_role("button", name="Stop", exact=True).click()
    passes(page, 15)  # the question takes no time of anybody's session
    page.get_by_role("dialog").get_by_role("button", name="Theo stops").click()
    expect(page.get_by_text("Theo has stopped.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(1)
    expect(page.locator(".header-name")).to_have_text("Mila")
    expect(page.get_by_role("heading", level=1)).to_have_text("Upper right")
    rest = left(page)
    page.reload()  # also without him
    expect(page.get_by_role("timer")).to_have_count(1)
    assert rest - 6 <= left(page) <= rest
    passes(page, PLANNED)
    brushed(page)
    whose = page.get_by_role("group", name="Whose result")
    expect(whose.get_by_role("button", name="Mila")).to_have_attribute("aria-pressed", "true")
    whose.get_by_role("button", name="Theo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Stopped early, Theo")
    [stopped], [whole] = is_delivered(hub, theo), is_delivered(hub, mila)
    assert stopped["reason"] == "stopped" and 39 <= stopped["brushSeconds"] <= 42 and not stopped["counts"]
    assert whole["isComplete"] and whole["brushSeconds"] == 120


def test_each_child_who_does_not_read_stops_at_their_own_animal(hub, page, family):
    mila, theo = family(isChildMode=True)
    start_together(page, mila)
    expect(page.locator(".animal")).to_have_count(2)
    stop = page.get_by_role("region", name="Theo").get_by_role("button", name="Stop for Theo: hold for a second")
    box = stop.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    passes(page, 1.1)
    page.mouse.up()
    expect(page.locator(".animal")).to_have_count(1)
    passes(page, PLANNED)
    page.clock.resume()
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    assert "Mila has brushed" in page.locator("h1.unseen").text_content()
    assert is_delivered(hub, mila)[0]["isComplete"]
    assert sessions(hub, theo) == []  # a second is too short to be kept


@pytest.mark.parametrize("looks", [(PHONE, "light"), (LANDSCAPE, "light")], ids=["upright", "on its side"])
def test_two_who_do_not_read_see_both_of_their_animals_glad(hub, page, family):
    family_of_two = family(isChildMode=True)
    start_together(page, family_of_two[0])
    passes(page, PLANNED)
    page.clock.resume()
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    expect(page.locator(".hooray .animal")).to_have_count(2)
    said = page.locator("h1.unseen").text_content()
    assert "Mila has brushed" in said and "Theo has brushed" in said
    assert_nothing_overflows(page)
    page.get_by_role("link", name="Summary in words").click(trial=True, timeout=5_000)  # nothing lies over it
    page.get_by_role("button", name="Close").click(trial=True, timeout=5_000)
    for one in family_of_two:
        assert is_delivered(hub, one)[0]["isComplete"]


@pytest.mark.parametrize(
    "looks", [(PHONE, "light"), (DESKTOP, "dark"), (LANDSCAPE, "light")], ids=["phone", "desktop", "on its side"]
)
def test_one_who_does_not_read_sees_the_face_the_week_and_the_way_on(hub, page, family, looks):
    mila, _ = family(isChildMode=True)
    open_ready(page, f"/brushing?person={mila}")
    page.get_by_role("button", name="Start brushing").click()
    counted_down(page)
    expect(page.locator(".animal")).to_have_count(1)
    expect(page.locator("html[data-session]")).to_have_count(1)
    stands_still(page)
    passes(page, PLANNED)
    page.clock.resume()
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    parts = [page.locator(one).bounding_box() for one in (".hooray .ring", ".glad-week", ".hooray .controls button")]
    for box in parts:
        assert box["y"] >= 0 and box["y"] + box["height"] <= looks[0]["height"], parts
        assert box["x"] >= 0 and box["x"] + box["width"] <= looks[0]["width"], parts
    for one, other in [(parts[0], parts[1]), (parts[0], parts[2]), (parts[1], parts[2])]:
        is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert is_beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"], parts


@EACH_WAY
@pytest.mark.parametrize("is_child_mode", [False, True], ids=["with words", "without words"])
def test_two_fit_on_the_screen_with_all_that_they_press(hub, page, family, looks, is_child_mode):
    mila, _ = family(isChildMode=is_child_mode)
    start_together(page, mila)
    assert_nothing_overflows(page)
    for node in page.locator("main").get_by_role("button").all():
        box = node.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= looks[0]["height"], node.get_attribute("aria-label")
    rings = [ring.bounding_box() for ring in page.get_by_role("timer").all()]
    assert all(ring["width"] >= 150 for ring in rings)
