"""The outbox in a real browser: what was noted reaches the hub once, whatever happens on the way."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from hub import EMAIL, PASSWORD, Hub, eventually
from test_offline import has_worker, is_back
from test_page import PHONE, add_plant, assert_nothing_overflows, browser, sign_in, watched  # noqa: F401

HOUR = 3_600_000
WATERINGS = "**/api/plants/*/waterings"

# The page's own outbox, as `outbox`, and how a watering is put into it.
MODULE = """async ([name, value]) => {
    const build = document.querySelector('script[type=module]').src.split('/')[4];
    const { outbox } = await import(`/app/${build}/offline/outbox.js`);
    const bytesOf = (watering, size) => new TextEncoder().encode(JSON.stringify(watering).padEnd(size ?? 0, ' '));
    const add = ({ plant, at, size, lane }) => outbox.add({
        lane: lane ?? plant, path: `/api/plants/${plant}/waterings`, title: `Watered ${plant}`,
        bytes: bytesOf({ at }, size),
    });
    const work = { %s };
    return work[name](value);
}""" % ", ".join(
    (
        "add",
        "addAll: async (all) => { const ids = []; for (const one of all) ids.push(await add(one)); return ids; }",
        "entries: () => outbox.entries()",
        "deliver: () => outbox.deliver({ force: true })",
        "problem: (one) => add(one).then(() => null, ({ status, title, message }) => ({ status, title, message }))",
        "state: () => outbox.state",
        "drop: (id) => outbox.drop(id)",
        "exported: async () => (await outbox.export()).text()",
    )
)


@pytest.fixture
def hub(data, web):
    hub = Hub(data, web=web).start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def page(hub, browser):  # noqa: F811
    for page in watched(hub, browser, (PHONE, "light")):
        page.is_offline_expected = True
        yield page


@pytest.fixture
def plant(hub):
    return add_plant(hub)[0]["id"]


def outbox(page, name, value=None):
    return page.evaluate(MODULE, [name, value])


def waterings(hub, plant):
    """The times that the hub has stored, oldest first."""
    return sorted(one["at"] for one in hub.get(f"/api/plants/{plant}/waterings"))


def is_empty(page):
    return lambda: outbox(page, "entries") == []


def times(hub, count):
    """So many hours of the past, oldest first: far enough apart to be waterings of their own."""
    now = hub.get("/api/hub")["now"]
    return [now - (count - i) * 3 * HOUR for i in range(count)]


def away(hub, page):
    hub.kill()
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()


def test_a_watering_noted_without_the_hub_is_shown_hollow_and_stored_with_its_own_time(hub, page, plant):
    sign_in(page, "/plants")
    page.get_by_role("link", name=re.compile("Fern")).click()
    log = page.get_by_role("region", name="Watering log")
    expect(log.get_by_text("None yet.")).to_be_visible()
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


def test_a_watering_that_waits_can_be_taken_back(hub, page, plant):
    sign_in(page, f"/plants/{plant}")
    away(hub, page)
    page.get_by_role("button", name="I watered it").click()
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Waiting to be sent")).to_have_count(0)
    eventually(is_empty(page))
    hub.start()
    is_back(page)
    expect(page.get_by_text(re.compile("No hub since"))).to_be_hidden()
    assert waterings(hub, plant) == []


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


def test_a_lane_keeps_its_order_over_a_reload_and_another_lane_passes_by(hub, page, plant):
    other = add_plant(hub, "Basil")[0]["id"]
    sign_in(page, "/settings")
    first, *rest = times(hub, 6)
    page.route(f"**/api/plants/{plant}/waterings", lambda route: route.fulfill(status=500))
    outbox(page, "addAll", [{"plant": plant, "at": at} for at in (first, *rest)])
    outbox(page, "add", {"plant": other, "at": first})
    eventually(lambda: waterings(hub, other) == [first], what="the other lane's delivery")
    assert waterings(hub, plant) == []
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


def test_the_outbox_waits_through_a_sign_out_for_its_own_household(hub, page, plant):
    sign_in(page, "/settings")
    [at, later] = times(hub, 2)
    page.route(WATERINGS, lambda route: route.abort())
    outbox(page, "addAll", [{"plant": plant, "at": at}, {"plant": plant, "at": later, "lane": "another house"}])
    page.evaluate(  # the second is of people who do not live here
        "() => new Promise((done) => { indexedDB.open('tandem').onsuccess = ({ target }) => {"
        " const store = target.result.transaction('outbox', 'readwrite').objectStore('outbox');"
        " store.openCursor(null, 'prev').onsuccess = ({ target: { result: cursor } }) => cursor.update("
        " { ...cursor.value, household: 'another', householdName: 'Elm Street' }).onsuccess = done; }; }).then(() => 1)"
    )
    page.get_by_role("button", name=re.compile("Sign out")).first.click()
    expect(page.get_by_label("Email")).to_be_visible()
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    assert len(outbox(page, "entries")) == 2 and waterings(hub, plant) == []
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    eventually(lambda: waterings(hub, plant) == [at], what="the delivery after the sign-in")
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


def test_what_is_refused_for_good_is_parked_shown_exported_and_discarded_by_the_person(hub, page, plant):
    sign_in(page, "/settings")
    [at] = times(hub, 1)
    page.route(WATERINGS, lambda route: route.abort())
    outbox(page, "addAll", [{"plant": "gone", "at": at, "lane": "one"}, {"plant": plant, "at": at, "lane": "one"}])
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(lambda: waterings(hub, plant) == [at], what="the next of the lane")
    [parked] = outbox(page, "entries")
    assert parked["parked"]["status"] == 404 and "plant" in parked["parked"]["detail"]
    outbox(page, "deliver")
    page.wrongs[:] = [one for one in page.wrongs if "Not Found" not in one]
    page.reload()
    [parked] = outbox(page, "entries")
    assert parked["tries"] == 1

    section = page.get_by_role("region", name="Waiting to be sent")
    expect(section.get_by_text(parked["parked"]["detail"])).to_be_visible()
    expect(section.get_by_text("not encrypted")).to_be_visible()
    expect(section.get_by_text(re.compile("may take"))).to_be_visible()  # the quota
    assert_nothing_overflows(page)
    with page.expect_download() as download:
        section.get_by_role("button", name="Export").first.click()
    file = json.loads(download.value.path().read_text())
    [entry] = file["entries"]
    assert file["format"] == "tandem-outbox" and entry["id"] == parked["id"]
    assert json.loads(base64.b64decode(entry["bytes"])) == {"at": at}
    section.get_by_role("button", name="Discard").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard it").click()
    eventually(is_empty(page))
    expect(section.get_by_text("Nothing waits.")).to_be_visible()


@pytest.mark.parametrize(
    "status, headers, wait", [(503, {"Retry-After": "120"}, 120_000), (429, {"Retry-After": "7"}, 7000), (500, {}, None)]
)
def test_a_hub_that_cannot_now_is_asked_again_when_it_says(hub, page, plant, status, headers, wait):
    sign_in(page, "/settings")
    page.route(WATERINGS, lambda route: route.fulfill(status=status, headers=headers))
    [at] = times(hub, 1)
    outbox(page, "add", {"plant": plant, "at": at})
    entry = eventually(lambda: next((one for one in outbox(page, "entries") if one["tries"] == 1), None))
    asked = entry["notBefore"] - entry["lastTry"]
    assert asked == wait if wait else 500 < asked < 2000
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(lambda: waterings(hub, plant) == [at])
    page.wrongs.clear()  # the statuses were ours


def test_a_page_of_some_other_machine_is_no_answer_of_the_hub(hub, page, plant):
    """As in a hotel, where every address answers with 200 and a page to sign in."""
    sign_in(page, "/settings")
    portal = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"}
    page.route("**/api/**", lambda route: route.fulfill(**portal))
    outbox(page, "add", {"plant": plant, "at": 1})
    outbox(page, "deliver")
    assert len(outbox(page, "entries")) == 1


def test_two_tabs_send_each_entry_once(hub, page, plant):
    sign_in(page, "/settings")
    second = page.context.new_page()
    second.goto("/settings")
    expect(second.get_by_role("navigation", name="Places")).to_be_visible()
    sent = []
    for tab in (page, second):
        tab.on("request", lambda one: one.method == "POST" and "waterings" in one.url and sent.append(one.headers["idempotency-key"]))
        tab.route(WATERINGS, lambda route: route.abort())
    all_times = times(hub, 20)
    ids = outbox(page, "addAll", [{"plant": plant, "at": at} for at in all_times])
    for tab in (page, second):
        tab.unroute(WATERINGS)
    sent.clear()
    force = MODULE.replace("=> outbox.deliver(", "=> void outbox.deliver(")
    for tab in (page, second):
        tab.evaluate(force, ["deliver", None])
    eventually(is_empty(page), 30)
    assert sent == ids and waterings(hub, plant) == all_times
    eventually(lambda: outbox(second, "state") == {"waiting": 0, "parked": 0, "bytes": 0}, what="the other tab's count")


def test_what_add_has_promised_survives_the_browser_being_killed(hub, browser, plant, tmp_path):  # noqa: F811
    [at] = times(hub, 1)

    def opened():
        return browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path="/usr/bin/chromium", args=["--no-sandbox"], base_url=hub.url,
            locale="en-GB",
        )  # fmt: skip

    context = opened()
    page = context.pages[0]
    sign_in(page, "/settings")
    has_worker(page)
    away(hub, page)
    outbox(page, "add", {"plant": plant, "at": at})
    cookies = context.cookies()
    with pytest.raises(Exception, match="closed"):
        context.new_cdp_session(page).send("Browser.crash")
    context = opened()
    context.add_cookies(cookies)  # which Chromium writes to its disk every half minute only
    page = context.pages[0]
    page.goto("/settings")
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()
    hub.start()
    is_back(page)
    eventually(lambda: waterings(hub, plant) == [at], 30, "the delivery after the crash")
    context.close()


def test_fifty_megabytes_are_delivered_once_while_the_page_answers(hub, page, plant):
    sign_in(page, "/settings")
    page.route(WATERINGS, lambda route: route.abort())
    all_times = times(hub, 100)
    for at in all_times:
        outbox(page, "add", {"plant": plant, "at": at, "size": 512 * 1024})
    eventually(lambda: outbox(page, "state") == {"waiting": 100, "parked": 0, "bytes": 100 * 512 * 1024})
    page.unroute(WATERINGS)
    page.evaluate(MODULE.replace("=> outbox.deliver(", "=> void outbox.deliver("), ["deliver", None])
    seen = set()
    while left := outbox(page, "state")["waiting"]:
        # Each round goes through the page's own event loop, and the page is used meanwhile.
        seen.add(left)
        page.get_by_role("link", name="Plants" if len(seen) % 2 else "Settings").first.click()
        expect(page.locator("h1")).not_to_be_empty()
    assert len(seen) > 2
    assert waterings(hub, plant) == all_times


def test_an_outbox_without_room_says_so_and_loses_nothing(hub, page, plant):
    session = page.context.new_cdp_session(page)
    # From the start: the browser reckons with what it was told first.
    session.send("Storage.overrideQuotaForOrigin", {"origin": hub.url, "quotaSize": 5_000_000})
    sign_in(page, f"/plants/{plant}")
    [at, later] = times(hub, 2)
    away(hub, page)
    outbox(page, "add", {"plant": plant, "at": at, "size": 512_000})
    problem = outbox(page, "problem", {"plant": plant, "at": later, "size": 6_000_000})
    assert problem["status"] == 507 and "no room for another 6000 kB" in problem["message"]
    assert len(outbox(page, "entries")) == 1
    outbox(page, "add", {"plant": plant, "at": later})  # there is room for this one
    hub.start()
    is_back(page)
    eventually(lambda: waterings(hub, plant) == [at, later], 30, "the delivery of what was kept")
