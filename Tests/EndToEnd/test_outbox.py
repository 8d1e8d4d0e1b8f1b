"""The outbox in a real browser: what was noted reaches the hub once, in its order, and can be taken back."""

import re

import pytest
from playwright.sync_api import expect

from hub import EMAIL, PASSWORD, eventually
from mqtt import Client
from outbox_page import MODULE, WATERINGS, are_stored, away, is_empty, outbox, page, plant, times, waterings  # noqa: F401
from pages import add_plant, assert_nothing_overflows, browser, has_worker, is_back, sign_in  # noqa: F401
from shared_hub import shared_hub
from single_modules import web  # noqa: F401

hub = shared_hub(web=True)


def lose_answers(page):
    """The hub stores what is noted, and the page never hears of it."""

    def lose(route):
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route(WATERINGS, lose)


def dry_plant(hub):
    plant, device = add_plant(hub)
    with Client.of(device) as client:
        client.publish(device.topic(), "12.5")
    return plant


def test_a_watering_noted_without_the_hub_is_shown_hollow_and_stored_with_its_own_time(hub, page, plant):
    sign_in(page, "/plants")
    page.get_by_role("link", name=re.compile("Fern")).click()
    log = page.get_by_role("region", name="Watering log")
    expect(log.get_by_text("No watering yet.")).to_be_visible()
    has_worker(page)
    away(hub, page)
    before = page.evaluate("Date.now()")
    page.get_by_role("button", name="I watered it").click()
    expect(log.get_by_role("listitem")).to_have_count(1)
    expect(log.get_by_role("listitem")).to_contain_text("Waiting to be sent")
    after = page.evaluate("Date.now()")
    assert_nothing_overflows(page)
    page.reload()
    expect(log.get_by_role("listitem")).to_contain_text("Waiting to be sent")
    hub.start()
    is_back(page)
    [at] = eventually(lambda: waterings(hub, plant), 30, "the delivery")
    assert before <= at <= after
    expect(log.get_by_text("Waiting to be sent")).to_have_count(0)
    expect(log.get_by_role("listitem")).to_have_count(1)
    [stored] = hub.get(f"/api/plants/{plant}/waterings")
    assert stored["by"] == "hand" and stored["person"] == "Tess"


@pytest.mark.own_hub
def test_a_watering_noted_without_the_hub_is_believed_on_every_screen_and_noted_once(hub, page):
    plant = dry_plant(hub)
    headline = page.get_by_role("heading", level=1)
    sign_in(page, "/")
    expect(headline).to_have_text("The fern wants water.")
    page.goto("/plants")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=re.compile("Fern")))
    expect(row).to_contain_text("Water today")
    page.goto(f"/plants/{plant['id']}")
    watered = page.get_by_role("button", name="I watered it")
    expect(headline).to_have_text("Water today")
    has_worker(page)
    away(hub, page)
    watered.click()
    expect(headline).to_have_text("Just watered")
    expect(page.locator(".lead").first).to_contain_text("on its way to the hub")
    expect(watered).to_be_disabled()
    page.reload()
    expect(headline).to_have_text("Just watered")
    expect(watered).to_be_disabled()
    page.goto("/plants")
    expect(headline).to_have_text("Watering noted: Fern.")
    expect(row).to_contain_text("Just watered")
    expect(row.get_by_role("button", name="I watered Fern")).to_have_count(0)
    page.goto("/")
    expect(headline).to_have_text("Watering noted: Fern.")
    expect(page.locator(".card[data-companion=plants]")).to_contain_text("The hub does not know it yet")
    page.goto(f"/plants/{plant['id']}")
    hub.start()
    is_back(page)
    eventually(lambda: page.evaluate("() => true") and len(waterings(hub, plant["id"])) == 1, 30, "the delivery")
    expect(watered).to_be_enabled()
    expect(headline).to_have_text("Just watered")
    expect(page.locator(".lead").first).to_contain_text("its sensor said 13%")


def test_a_watering_whose_answer_was_lost_is_known_once_it_is_sent_again(hub, page):
    """The hub had it already, and so tells no page of it a second time."""
    plant = dry_plant(hub)
    sign_in(page, f"/plants/{plant['id']}")
    lead = page.locator(".lead").first
    expect(page.get_by_role("heading", level=1)).to_have_text("Water today")
    lose_answers(page)
    page.get_by_role("button", name="I watered it").click()
    expect(lead).to_contain_text("on its way to the hub")
    page.unroute(WATERINGS)
    page.reload()
    expect(lead).to_contain_text("its sensor said 13%")
    expect(page.get_by_role("button", name="I watered it")).to_be_enabled()


def test_a_watering_that_is_taken_back_before_the_hub_heard_it_is_believed_no_longer(hub, page):
    plant = dry_plant(hub)
    sign_in(page, f"/plants/{plant['id']}")
    headline = page.get_by_role("heading", level=1)
    expect(headline).to_have_text("Water today")
    away(hub, page)
    page.get_by_role("button", name="I watered it").click()
    expect(headline).to_have_text("Just watered")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(headline).to_have_text("Water today")
    expect(page.get_by_role("button", name="I watered it")).to_be_enabled()
    hub.start()
    is_back(page)


def test_a_watering_that_waits_can_be_taken_back(hub, page, plant):
    sign_in(page, f"/plants/{plant}")
    expect(page.get_by_role("button", name="I watered it")).to_be_visible()
    away(hub, page)
    page.get_by_role("button", name="I watered it").click()
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Waiting to be sent")).to_have_count(0)
    eventually(is_empty(page))
    hub.start()
    is_back(page)
    expect(page.get_by_text(re.compile("No hub since"))).to_be_hidden()
    assert waterings(hub, plant) == []


def test_a_watering_whose_answer_was_lost_is_taken_back_at_the_hub(hub, page, plant):
    """The hub has it, and the page does not know: undone here alone, it would stay there."""
    sign_in(page, f"/plants/{plant}")
    lose_answers(page)
    page.get_by_role("button", name="I watered it").click()
    expect(page.get_by_text("saved on this device, and sent when")).to_be_visible()
    [at] = waterings(hub, plant)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The hub may have it already")).to_be_visible()
    expect(page.get_by_text("Waiting to be sent")).to_have_count(0)
    page.reload()  # what the person wants is on the disk
    [entry] = outbox(page, "entries")
    assert entry["isTakenBack"]
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(is_empty(page))
    [stored] = hub.get(f"/api/plants/{plant}/waterings")
    assert stored["at"] == at and stored["undone"]


def test_what_is_taken_back_keeps_its_place_and_is_restored_by_no_late_repetition(hub, page, plant):
    sign_in(page, "/settings")
    first, second = times(hub, 2)
    sent = []
    page.route(WATERINGS, lambda route: route.abort())
    ids = outbox(page, "addAll", [{"plant": plant, "at": at} for at in (first, second)])
    eventually(lambda: outbox(page, "entries")[0]["sent"], what="the first try")
    assert outbox(page, "takeBack", ids[0]) == "asked" and outbox(page, "takeBack", ids[0]) == "asked"
    assert outbox(page, "takeBack", "gone") == "gone"
    # Answered ones: the outbox tries by itself too, at any moment.
    page.on("response", lambda one: "waterings" in one.url and sent.append(one.request.method))
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(is_empty(page))
    assert [one for one in sent if one != "GET"] == ["POST", "DELETE", "POST"]
    assert {one["at"]: one["undone"] for one in hub.get(f"/api/plants/{plant}/waterings")} == {first: True, second: False}


def test_what_was_sent_five_times_is_stored_once(hub, page, plant):
    """Four times the hub stores it, or has stored it, and its answer is lost on the way back."""
    sign_in(page, "/settings")
    lost, replayed = [], []

    def lose(route):
        answer = route.fetch()
        replayed.append(answer.headers.get("idempotent-replayed"))
        if len(lost) < 4:
            lost.append(route.request.headers["idempotency-key"])
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route(WATERINGS, lose)
    [at] = times(hub, 1)
    identifier = outbox(page, "add", {"plant": plant, "at": at})
    for _ in range(6):
        outbox(page, "deliver")
    eventually(is_empty(page))
    assert lost == [identifier] * 4
    assert replayed == [None, "true", "true", "true", "true"]  # known by its key, not by its likeness
    assert waterings(hub, plant) == [at]


def test_a_queue_keeps_its_order_over_a_reload_and_another_queue_passes_by(hub, page, plant):
    other = add_plant(hub, "Basil")[0]["id"]
    sign_in(page, "/settings")
    first, *rest = times(hub, 6)
    page.route(f"**/api/plants/{plant}/waterings", lambda route: route.fulfill(status=500))
    outbox(page, "addAll", [{"plant": plant, "at": at} for at in (first, *rest)])
    outbox(page, "add", {"plant": other, "at": first})
    eventually(are_stored(hub, page, other, [first]), what="the other queue's delivery")
    assert waterings(hub, plant) == []
    # Stored by the hub, and a moment later gone from the outbox.
    eventually(lambda: len(outbox(page, "entries")) == 6, what="the other queue's end")
    head, *behind = outbox(page, "entries")
    assert head["tries"] > 0 and head["notBefore"] > head["lastTry"]
    assert [one["tries"] for one in behind] == [0] * 5  # none overtakes
    page.reload()
    sent = []
    page.unroute(f"**/api/plants/{plant}/waterings")
    page.on("request", lambda one: one.method == "POST" and "waterings" in one.url and sent.append(one.post_data_json["at"]))
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    outbox(page, "deliver")
    eventually(is_empty(page))
    assert sent == [first, *rest] == waterings(hub, plant)
    page.wrongs.clear()  # the 500 was ours


@pytest.mark.own_hub
def test_the_outbox_waits_through_a_sign_out_for_its_own_household(hub, page, plant):
    sign_in(page, "/settings")
    [at, later] = times(hub, 2)
    page.route(WATERINGS, lambda route: route.abort())
    outbox(page, "addAll", [{"plant": plant, "at": at}, {"plant": plant, "at": later, "queue": "another house"}])
    page.evaluate(  # the second is of people who do not live here
        "() => new Promise((done) => { indexedDB.open('tandem').onsuccess = ({ target }) => {"
        " const store = target.result.transaction('outbox', 'readwrite').objectStore('outbox');"
        " store.openCursor(null, 'prev').onsuccess = ({ target: { result: cursor } }) => cursor.update("
        " { ...cursor.value, household: 'another', householdName: 'Elm Street' }).onsuccess = done; }; }).then(() => 1)"
    )
    # What still loads above the button would move it between press and release.
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name=re.compile("Sign out")).first.click()
    expect(page.get_by_label("Email")).to_be_visible()
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    assert len(outbox(page, "entries")) == 2 and waterings(hub, plant) == []
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    eventually(are_stored(hub, page, plant, [at]), what="the delivery after the sign-in")
    outbox(page, "deliver")
    [left] = outbox(page, "entries")
    assert left["household"] == "another" and left["tries"] == 0


def test_a_hub_killed_while_it_stores_gets_each_once(hub, page, plant):
    sign_in(page, "/settings")
    all_times = times(hub, 40)
    away(hub, page)
    outbox(page, "addAll", [{"plant": plant, "at": at} for at in all_times])
    for least in (5, 15):
        hub.start()
        is_back(page)
        eventually(lambda: len(waterings(hub, plant)) > least, 30, "some deliveries")
        hub.kill()
    hub.start()
    is_back(page)
    outbox(page, "deliver")
    eventually(is_empty(page), 30)
    assert waterings(hub, plant) == all_times


def test_two_tabs_send_each_entry_once(hub, page, plant):
    sign_in(page, "/settings")
    second = page.context.new_page()
    second.goto("/settings")
    expect(second.get_by_role("navigation", name="Places")).to_be_visible()
    sent = []
    for tab in (page, second):
        tab.on("request", lambda one: one.method == "POST" and "waterings" in one.url and sent.append(one.headers["idempotency-key"]))
    all_times = times(hub, 20)
    away(hub, page)
    ids = outbox(page, "addAll", [{"plant": plant, "at": at} for at in all_times])
    hub.start()
    for tab in (page, second):
        is_back(tab)
        tab.evaluate(MODULE.replace("=> outbox.deliver(", "=> void outbox.deliver("), ["deliver", None])
    eventually(is_empty(page), 30)
    assert sent == ids and waterings(hub, plant) == all_times
    eventually(lambda: outbox(second, "state") == {"waiting": 0, "failed": 0, "bytes": 0, "lost": None}, what="the other tab's count")
