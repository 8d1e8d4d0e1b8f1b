"""What is touched in settings stays as it is until it is stored, whatever is told meanwhile; and what cannot be stored
is put back and said. Answers of the hub are held up here, and let go in the order that a slow network may bring.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from drums_screens import looks, page  # noqa: F401
from hub import eventually
from pages import browser, is_back, sign_in  # noqa: F401
from shared_hub import child, shared_hub

hub = shared_hub(web=True)
from single_modules import modules  # noqa: F401

hub = shared_hub(web=True)

REFUSED = {"title": "Not stored", "status": 422, "detail": "The hub has something against it."}


@pytest.fixture
def mila(hub):  # noqa: F811
    return child(hub, "Mila", "fox")


@pytest.fixture
def ben(hub):  # noqa: F811
    return child(hub, "Ben", "owl")


class Held:
    """Answers of the hub to some requests: asked for at once, and brought to the page when they are let go."""

    def __init__(self, page, pattern, method="GET", first=0):  # noqa: F811
        """first: so many are not held."""
        self.page, self.method, self.first = page, method, first
        self.waiting, self.is_over = [], False
        page.route(pattern, self.hold)

    def hold(self, route):
        if self.is_over or route.request.method != self.method:
            return route.fallback()
        if self.first > 0:
            self.first -= 1
            return route.fallback()
        # What the hub says now is what comes later; what is to be stored gets there later.
        answer = route.fetch() if self.method == "GET" else None
        if self.is_over:
            return route.fulfill(response=answer or route.fetch())
        self.waiting.append((route, answer))

    def come(self, count=1):
        """Waits until so many are held."""
        eventually(lambda: self.page.evaluate("() => true") and len(self.waiting) >= count, what="the request")

    def let_go(self, refused=False):
        route, answer = self.waiting.pop(0)
        if refused:
            return route.fulfill(status=422, content_type="application/problem+json", body=json.dumps(REFUSED))
        route.fulfill(response=answer or route.fetch())

    def end(self):
        self.is_over = True
        while self.waiting:
            self.let_go()


# Whether a control was ever seen otherwise than it was left, frame by frame.
SEEN = """(control) => {
    const seen = new Set();
    const look = () => {
        seen.add(String(control.checked ?? control.value));
        window.watching = requestAnimationFrame(look);
    };
    look();
    window.seen = () => [...seen];
}"""


def seen(page):  # noqa: F811
    return page.evaluate("() => window.seen()")


def person(hub, one, companion="brushing"):  # noqa: F811
    return next(each for each in hub.get(f"/api/{companion}")["people"] if each["id"] == one["id"])


def region(page, name):  # noqa: F811
    return page.get_by_role("region", name=name, exact=True)


def is_saved(page, name):  # noqa: F811
    expect(region(page, name).get_by_role("status")).to_contain_text("Saved")


def opened(page, companion, one, heading):  # noqa: F811
    sign_in(page, f"/{companion}/settings?person={one['id']}")
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")


CASES = [("brushing", "At each change", "Sound"), ("drums", "Sounds", re.compile("^Drums"))]


@pytest.mark.parametrize(("companion", "section", "name"), CASES, ids=["brushing", "drums"])
def test_a_switch_that_is_touched_before_the_first_answer_stays(hub, page, mila, companion, section, name):  # noqa: F811
    opened(page, companion, mila, section)
    answers = Held(page, f"**/api/{companion}")
    stores = Held(page, f"**/api/{companion}/people/*/settings", "PUT")
    page.reload()  # what the last visit knew is drawn, and the hub asked
    switch = region(page, section).get_by_role("switch", name=name)
    expect(switch).to_be_checked()
    answers.come()
    switch.evaluate(SEEN)
    switch.click(force=True)
    stores.come()
    answers.let_go()  # from before: on
    expect(switch).not_to_be_checked()
    answers.end()
    stores.end()
    is_saved(page, section)
    page.wait_for_load_state("networkidle")
    expect(switch).not_to_be_checked()
    assert seen(page) == ["true", "false"]  # and never back
    data = person(hub, mila, companion)
    assert (data["cues"]["sound"] if companion == "brushing" else data["settings"]["sounds"]["hits"]) is False


@pytest.mark.parametrize(("companion", "section", "name"), CASES, ids=["brushing", "drums"])
def test_an_answer_that_was_asked_for_before_changes_nothing_after_it(hub, page, mila, companion, section, name):  # noqa: F811
    opened(page, companion, mila, section)
    answers = Held(page, f"**/api/{companion}")
    page.reload()
    switch = region(page, section).get_by_role("switch", name=name)
    expect(switch).to_be_checked()
    answers.come()
    switch.click(force=True)
    is_saved(page, section)
    switch.evaluate(SEEN)
    with page.expect_response(f"**/api/{companion}"):
        answers.let_go()  # from before: on
    answers.come()  # and it is asked anew
    assert seen(page) == ["false"]
    answers.end()
    page.wait_for_load_state("networkidle")
    assert seen(page) == ["false"]


def test_a_slider_that_is_held_is_not_moved_by_what_is_told(hub, page, mila):  # noqa: F811
    opened(page, "drums", mila, "How songs go")
    slider = region(page, "How songs go").get_by_role("slider", name="Count-in, beats")
    slider.scroll_into_view_if_needed()
    before = slider.input_value()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=4)
    most = slider.input_value()
    assert most != before
    path = f"/api/drums/people/{mila['id']}/settings"
    hub.request("PUT", path, {"sounds": {"song": True, "metronome": True, "hits": True}})
    expect(region(page, "Sounds").get_by_role("switch", name=re.compile("^Metronome"))).to_be_checked()  # it was told
    assert slider.input_value() == most
    page.mouse.up()
    is_saved(page, "How songs go")
    page.wait_for_load_state("networkidle")
    assert slider.input_value() == most == str(person(hub, mila, "drums")["settings"]["countIn"])


def test_a_slider_that_is_put_back_shows_again_what_is_told(hub, page, mila):  # noqa: F811
    opened(page, "drums", mila, "How songs go")
    slider = region(page, "How songs go").get_by_role("slider", name="Count-in, beats")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    limits = hub.get("/api/drums")["limits"]["countIn"]
    share = (int(slider.input_value()) - limits["least"]) / (limits["most"] - limits["least"])
    at = box["x"] + 12 + share * (box["width"] - 24), box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, at[1], steps=4)
    page.mouse.move(*at, steps=4)
    page.mouse.up()
    hub.request("PUT", f"/api/drums/people/{mila['id']}/settings", {"countIn": limits["least"]})
    expect(slider).to_have_js_property("value", str(limits["least"]))


@pytest.mark.parametrize(("companion", "section", "name"), CASES, ids=["brushing", "drums"])
def test_what_could_not_be_stored_is_said_and_what_is_stored_is_shown(hub, page, mila, companion, section, name):  # noqa: F811
    opened(page, companion, mila, section)
    switch = region(page, section).get_by_role("switch", name=name)
    stores = Held(page, f"**/api/{companion}/people/*/settings", "PUT")
    switch.click(force=True)
    stores.come()
    expect(switch).not_to_be_checked()
    stores.let_go(refused=True)
    alert = region(page, section).get_by_role("alert")
    expect(alert).to_contain_text(REFUSED["detail"])
    expect(switch).to_be_checked()
    expect(switch).to_have_attribute("aria-invalid", "true")
    expect(region(page, section).get_by_role("status")).to_be_empty()
    stores.end()
    switch.click(force=True)
    is_saved(page, section)
    expect(alert).to_have_count(0)
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_of_two_that_are_touched_at_once_the_one_that_was_refused_stays_said(hub, page, mila):  # noqa: F811
    opened(page, "brushing", mila, "At each change")
    part = region(page, "At each change")
    sound, flash = part.get_by_role("switch", name="Sound"), part.get_by_role("switch", name="Flash of colour")
    before = person(hub, mila)["cues"]
    stores = Held(page, "**/api/brushing/people/*/settings", "PUT")
    sound.click(force=True)
    flash.click(force=True)
    stores.come()
    stores.let_go(refused=True)
    stores.come()
    expect(flash).to_be_checked(checked=not before["colour"])
    stores.end()
    expect(flash).to_be_checked(checked=not before["colour"])
    expect(sound).to_be_checked(checked=before["sound"])
    expect(part.get_by_role("alert")).to_contain_text(REFUSED["detail"])
    expect(part.get_by_role("status")).to_be_empty()
    assert person(hub, mila)["cues"] == {**before, "colour": not before["colour"]}
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


def test_what_is_touched_is_stored_for_who_was_shown_though_another_is_chosen(hub, page, mila, ben):  # noqa: F811
    opened(page, "brushing", mila, "At each change")
    part = region(page, "At each change")
    before = person(hub, ben)["cues"]
    stores = Held(page, "**/api/brushing/people/*/settings", "PUT")
    part.get_by_role("switch", name="Sound").click(force=True)
    part.get_by_role("switch", name="Flash of colour").click(force=True)
    stores.come()
    page.get_by_role("group", name="Whose settings").get_by_role("button", name="Ben").click()
    expect(part.get_by_role("switch", name="Sound")).to_be_checked(checked=before["sound"])  # Ben's, at once
    stores.end()
    eventually(lambda: page.evaluate("() => true") and not person(hub, mila)["cues"]["colour"] == before["colour"],
               what="the second change")  # fmt: skip
    assert person(hub, mila)["cues"]["sound"] is not before["sound"]
    assert person(hub, ben)["cues"] == before


def test_days_that_are_touched_one_after_the_other_are_all_stored(hub, page, mila):  # noqa: F811
    opened(page, "brushing", mila, "When")
    page.get_by_role("switch", name="Remind in the evening").check(force=True)
    is_saved(page, "When")
    page.wait_for_load_state("networkidle")
    stores = Held(page, "**/api/reminders/**", "PUT")
    days = page.get_by_role("group", name="Evening, on which days")
    for day in ("Saturday", "Sunday"):
        days.get_by_role("button", name=day).click()
        expect(days.get_by_role("button", name=day)).to_have_attribute("aria-pressed", "false")
    stores.come()
    stores.end()
    is_saved(page, "When")
    page.wait_for_load_state("networkidle")
    [evening] = [one for one in hub.get("/api/reminders")["reminders"]
                 if one["name"] == "evening" and one["person"] == mila["id"]]  # fmt: skip
    assert evening["weekdays"] == [1, 2, 3, 4, 5]


def test_a_reminder_is_not_put_back_by_an_answer_from_before(hub, page, mila, ben):  # noqa: F811
    sign_in(page, f"/brushing/settings?person={mila['id']}")
    evening = page.get_by_role("switch", name="Remind in the evening")
    expect(evening).not_to_be_checked()
    page.wait_for_load_state("networkidle")
    answers = Held(page, "**/api/reminders")
    hub.request("PUT", f"/api/reminders/brushing/evening/{ben['id']}", {"isOn": True})
    hub.post(f"/api/reminders/brushing/evening/{ben['id']}/try")  # a reminder comes, and the page asks again
    answers.come()
    evening.click(force=True)
    is_saved(page, "When")
    evening.evaluate(SEEN)
    answers.let_go()
    answers.end()
    page.wait_for_load_state("networkidle")
    assert seen(page) == ["true"]


@pytest.mark.own_hub
def test_the_house_s_own_switches_stay_as_they_were_left(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    family = page.get_by_role("switch", name=re.compile("^Family device"))
    expect(family).not_to_be_checked()
    page.wait_for_load_state("networkidle")
    answers = Held(page, "**/api/session")
    page.reload()
    expect(family).not_to_be_checked()
    answers.come()
    with page.expect_response("**/api/session/shared"):
        family.click(force=True)
    family.evaluate(SEEN)
    with page.expect_response("**/api/session"):
        answers.let_go()  # from before: not shared
    answers.end()
    is_back(page)
    page.wait_for_load_state("networkidle")
    assert seen(page) == ["true"]


def test_a_response_is_stale_once_something_was_stored_or_a_later_request_was_answered(modules):  # noqa: F811
    current = modules.evaluate(
        """async () => {
            const { ResponseOrder } = await import("/app/response-order.js");
            const order = new ResponseOrder();
            const [first, second] = [order.sent(), order.sent()];
            const answered = [second(), first()];
            const third = order.sent();
            order.stored();
            return [...answered, third(), order.sent()()];
        }"""
    )
    assert current == [True, False, False, True]
