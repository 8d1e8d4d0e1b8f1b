"""The outbox when all goes wrong: what is refused, other machines' answers, a browser killed, a disk that is full."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

import chromium
from hub import eventually
from outbox_page import MODULE, WATERINGS, are_stored, away, is_empty, outbox, page, plant, times, waterings  # noqa: F401
from pages import assert_nothing_overflows, browser, has_worker, is_back, sign_in  # noqa: F401
from shared_hub import shared_hub
from single_modules import modules, web  # noqa: F401

hub = shared_hub(web=True)


def test_what_is_refused_for_good_has_failed_is_shown_exported_and_discarded_by_the_person(hub, page, plant):
    sign_in(page, "/settings")
    [at] = times(hub, 1)
    page.route(WATERINGS, lambda route: route.abort())
    outbox(page, "addAll", [{"plant": "gone", "at": at, "queue": "one"}, {"plant": plant, "at": at, "queue": "one"}])
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(are_stored(hub, page, plant, [at]), what="the next of the queue")
    [failed] = outbox(page, "entries")
    assert failed["failed"]["status"] == 404 and "plant" in failed["failed"]["detail"]
    outbox(page, "deliver")
    page.wrongs[:] = [one for one in page.wrongs if "Not Found" not in one]
    page.reload()
    [failed] = outbox(page, "entries")
    assert failed["tries"] == 1

    section = page.get_by_role("region", name="Waiting to be sent")
    expect(section.get_by_text(failed["failed"]["detail"])).to_be_visible()
    expect(section.get_by_text("not encrypted")).to_be_visible()
    expect(section.get_by_text(re.compile("may take"))).to_be_visible()  # the quota
    assert_nothing_overflows(page)
    with page.expect_download() as download:
        section.get_by_role("button", name="Export").first.click()
    file = json.loads(download.value.path().read_text())
    [entry] = file["entries"]
    assert file["format"] == "tandem-outbox" and entry["id"] == failed["id"]
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
    eventually(are_stored(hub, page, plant, [at]))
    page.wrongs.clear()  # the statuses were ours


def test_a_page_of_some_other_machine_is_no_answer_of_the_hub(hub, page, plant):
    """As in a hotel, where every address answers with 200 and a page to sign in."""
    sign_in(page, "/settings")
    portal = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"}
    page.route("**/api/**", lambda route: route.fulfill(**portal))
    outbox(page, "add", {"plant": plant, "at": 1})
    outbox(page, "deliver")
    assert len(outbox(page, "entries")) == 1


def test_a_portal_that_says_yes_to_everything_that_is_sent_empties_nothing(hub, page, plant):
    """What is asked comes from the hub; what is sent is answered with 200 on the way, and the hub never has it."""
    sign_in(page, "/settings")
    portal = {"status": 200, "content_type": "application/json", "body": "{}"}
    page.route(WATERINGS, lambda route: route.fulfill(**portal) if route.request.method == "POST" else route.continue_())
    [at] = times(hub, 1)
    outbox(page, "add", {"plant": plant, "at": at})
    outbox(page, "deliver")
    [entry] = outbox(page, "entries")
    assert entry["tries"] > 0 and "not the hub" in entry["trouble"]
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    eventually(is_empty(page))
    assert waterings(hub, plant) == [at]


def test_what_add_has_promised_survives_the_browser_being_killed(hub, browser, plant, tmp_path):  # noqa: F811
    [at] = times(hub, 1)

    def opened():
        return browser.browser_type.launch_persistent_context(
            tmp_path / "profile", **chromium.options(), base_url=hub.url,
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
    eventually(are_stored(hub, page, plant, [at]), 30, "the delivery after the crash")
    context.close()


def test_fifty_megabytes_are_delivered_once_while_the_page_answers(hub, page, plant):
    sign_in(page, "/settings")
    page.route(WATERINGS, lambda route: route.abort())
    all_times = times(hub, 100)
    for at in all_times:
        outbox(page, "add", {"plant": plant, "at": at, "size": 512 * 1024})
    eventually(lambda: outbox(page, "state") == {"waiting": 100, "failed": 0, "bytes": 100 * 512 * 1024, "lost": None})
    page.unroute(WATERINGS)
    page.evaluate(MODULE.replace("=> outbox.deliver(", "=> void outbox.deliver("), ["deliver", None])
    seen = set()
    while left := outbox(page, "state")["waiting"]:
        # Each round goes through the page's own event loop, and the page is used meanwhile.
        seen.add(left)
        page.get_by_role("link", name="Plants" if len(seen) % 2 else "Brushing").first.click()
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
    assert problem["status"] == 507 and "no room for another 6,000 kB" in problem["message"]
    assert len(outbox(page, "entries")) == 1
    outbox(page, "add", {"plant": plant, "at": later})  # there is room for this one
    hub.start()
    is_back(page)
    eventually(are_stored(hub, page, plant, [at, later]), 30, "the delivery of what was kept")


def test_a_session_that_ends_twice_at_once_is_put_into_the_outbox_once(modules):  # noqa: F811
    """As by two ticks, of which the second comes while what the first recorded is being written."""
    count = modules.evaluate(
        """async () => {
            const { ActiveSession } = await import("/sessions/active-session.js");
            const { outbox } = await import("/offline/outbox.js");
            const person = { id: "tess", name: "Tess" };
            const kept = {
                id: "one", person, by: { profile: person, household: { id: "home", name: "Home" } }, startedAt: 0,
            };
            const run = new ActiveSession({ slug: "any", hasLeft() {} }, kept, { taken: new Promise(() => {}), release() {} });
            const delivery = { path: "/api/any", title: "Tess", bytes: new Uint8Array(8), noted: async () => {} };
            await Promise.all([run.deliver(delivery), run.deliver(delivery)]);
            return (await outbox.entries()).filter(({ queue }) => queue === "one").length;
        }"""
    )
    assert count == 1
