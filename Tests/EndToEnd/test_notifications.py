"""Reminders on a phone: pushed to its service worker, shown with actions that work, and as a bar over the open page."""

import json
import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from pages import PHONE, has_worker, sign_in, watched, whole_browser as browser  # noqa: F401
from shared_hub import child, shared_hub

hub = shared_hub(web=True)

# A subscription as a browser would give it, from a push service that nobody asks anything here.
SUBSCRIBE = """
const keys = async () => {
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    return {
        p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)),
        auth: text(crypto.getRandomValues(new Uint8Array(16))),
    };
};
const subscription = async (endpoint, options) => {
    const told = { endpoint, keys: await keys() };
    return { endpoint, options, toJSON: () => told, unsubscribe: async () => { mine = null; return true; } };
};
let mine = null;
"""
IN_PAGE = (
    SUBSCRIBE
    + """
PushManager.prototype.getSubscription = async () => mine;
PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = new Uint8Array(options.applicationServerKey).length;
    return mine = await subscription(%s, options);
};
"""
)
CLICK = """async ([action, index]) => {
    const notification = (await registration.getNotifications())[index ?? 0];
    const event = new NotificationEvent("notificationclick", { notification, action });
    let work = null;
    event.waitUntil = (promise) => { work = promise; }; // of an event that a script made nobody waits
    self.dispatchEvent(event);
    await work;
}"""
SHOWN = """async () => (await registration.getNotifications()).map(({ title, body, tag, data, actions }) =>
    ({ title, body, tag, data, actions: actions.map(({ action, title }) => [action, title]) }))"""
# How often the worker has shown a notification to the end. Chromium forgets a notification that somebody asks for while
# it is on its way to the screen, so nobody asks before this number has grown.
COUNT_SHOWN = """() => {
    if (self.shownCount === undefined) {
        self.shownCount = 0;
        const show = registration.showNotification.bind(registration);
        registration.showNotification = async (...what) => { await show(...what); self.shownCount += 1; };
    }
    return self.shownCount;
}"""


@pytest.fixture
def page(hub, browser):  # noqa: F811
    """A phone whose owner allows notifications."""
    for page in watched(hub, browser, (PHONE, "light")):
        page.context.grant_permissions(["notifications"], origin=hub.url)
        yield page


@pytest.fixture
def mila(hub):  # noqa: F811
    return child(hub, "Mila", "fox")


def worker(page):
    has_worker(page)
    [found] = page.context.service_workers
    return found


def push(page, hub, payload):  # noqa: F811
    """Has the browser hand a message to the worker, as if its push service had brought it."""
    client = page.context.new_cdp_session(page)
    found = []
    client.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(
            one["registrationId"]
            for one in event["registrations"]
            if one["scopeURL"] == hub.url + "/" and not one["isDeleted"]
        ),
    )
    before = worker(page).evaluate(COUNT_SHOWN)
    client.send("ServiceWorker.enable")
    eventually(lambda: page.evaluate("() => true") and found, what="the registration")
    data = payload if isinstance(payload, str) else json.dumps(payload)
    client.send("ServiceWorker.deliverPushMessage", {"origin": hub.url, "registrationId": found[-1], "data": data})
    eventually(lambda: worker(page).evaluate(COUNT_SHOWN) > before, what="the worker's notification")
    client.detach()


def shown(page, count=1):
    def find():
        now = worker(page).evaluate(SHOWN)
        return len(now) == count and now

    return eventually(find, what="the notification")


def due(hub, one, name="evening"):  # noqa: F811
    """Has a reminder come now, and returns it as the hub tells it."""
    hub.request("PUT", f"/api/reminders/brushing/{name}/{one['id']}", {"isOn": True})
    return hub.post(f"/api/reminders/brushing/{name}/{one['id']}/try")


def payload(loaded):
    """What the hub's push says of a reminder, before it is encrypted."""
    return {
        "type": "reminder", "id": loaded["id"], "person": loaded["person"], "title": loaded["title"], "body": loaded["body"],
        "path": loaded["path"], "tag": loaded["id"], "at": loaded["at"],
        "actions": [{"action": "start", "title": "Start"}, {"action": "snooze", "title": "Snooze"}],
    }  # fmt: skip


def test_a_push_is_shown_with_its_actions_and_snooze_puts_it_off_on_the_hub(hub, page, mila):  # noqa: F811
    sign_in(page, "/brushing/tips")
    worker(page)
    loaded = due(hub, mila)
    push(page, hub, payload(loaded))
    [notification] = shown(page)
    assert notification["title"] == loaded["title"] and notification["body"] == loaded["body"]
    assert notification["actions"] == [["start", "Start"], ["snooze", "Snooze"]]
    assert [one["id"] for one in hub.get("/api/reminders")["due"]] == [loaded["id"]]
    worker(page).evaluate(CLICK, ["snooze"])
    assert worker(page).evaluate(SHOWN) == []
    answer = hub.get("/api/reminders")
    assert answer["due"] == []
    [evening] = [one for one in answer["reminders"] if one["id"] == loaded["id"]]
    minutes = (evening["snoozedUntil"] - hub.get("/api/hub")["now"]) / 60_000
    assert answer["snoozeMinutes"] - 1 < minutes <= answer["snoozeMinutes"]


def test_a_second_push_of_the_same_reminder_takes_the_place_of_the_first(hub, page, mila):  # noqa: F811
    sign_in(page, "/brushing/tips")
    worker(page)
    loaded = due(hub, mila)
    push(page, hub, payload(loaded))
    shown(page)
    push(page, hub, payload({**loaded, "body": "Again."}))
    eventually(lambda: [one["body"] for one in worker(page).evaluate(SHOWN)] == ["Again."], what="the second")


def test_a_push_that_cannot_be_read_is_shown_as_one_all_the_same(hub, page):  # noqa: F811
    sign_in(page, "/brushing/tips")
    worker(page)
    push(page, hub, "not JSON")
    [notification] = shown(page)
    assert notification["title"] == "Tandem" and "cannot read" in notification["body"]


def test_start_opens_the_page_that_begins_and_the_body_opens_the_page(hub, page, mila):  # noqa: F811
    sign_in(page, "/brushing/tips")
    worker(page)
    loaded = due(hub, mila)
    page.evaluate(  # The page that begins may take the word out of its address at once.
        "() => { window.went = []; const push = history.pushState.bind(history);"
        " history.pushState = (state, title, path) => { went.push(path); push(state, title, path); }; }"
    )
    push(page, hub, payload(loaded))
    shown(page)
    worker(page).evaluate(CLICK, [""])
    page.wait_for_function(f"() => went.includes({json.dumps(loaded['path'])})")
    assert page.evaluate("() => went") == [loaded["path"]]
    # The second has the first one's tag: it may come only when the browser has closed that.
    eventually(lambda: worker(page).evaluate(SHOWN) == [], what="the end of the first")
    push(page, hub, payload(loaded))
    shown(page)
    worker(page).evaluate(CLICK, ["start"])
    page.wait_for_function(f"() => went.includes({json.dumps(loaded['path'] + '&start=1')})")


def test_a_page_that_runs_a_session_is_not_taken_away_by_a_notification(hub, page, mila):  # noqa: F811
    sign_in(page, "/brushing/tips")
    worker(page)
    loaded = due(hub, mila)
    page.evaluate("() => { document.documentElement.dataset.session = ''; }")
    push(page, hub, payload(loaded))
    shown(page)
    worker(page).evaluate(CLICK, ["start"])
    assert page.url.endswith("/brushing/tips")


def test_a_snooze_without_the_hub_says_that_it_did_not_work(hub, page, mila):  # noqa: F811
    page.is_offline_expected = True
    sign_in(page, "/brushing/tips")
    worker(page)
    loaded = due(hub, mila)
    push(page, hub, payload(loaded))
    shown(page)
    hub.kill()
    worker(page).evaluate(CLICK, ["snooze"])
    [again] = shown(page)
    assert again["title"] == loaded["title"] and "Not snoozed: the hub did not answer" in again["body"]
    hub.start()
    worker(page).evaluate(CLICK, ["snooze"])
    assert worker(page).evaluate(SHOWN) == []


def subscribing(page, endpoint):
    page.add_init_script(IN_PAGE % json.dumps(endpoint))


def notifications(page):
    part = page.get_by_role("region", name="Reminders", exact=True)
    found = part.get_by_role("switch", name="Notifications on this device")
    expect(found).to_be_visible()
    # Out from under the bar of places, which a press would reach instead.
    found.evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    return found


@pytest.mark.own_hub
def test_this_device_subscribes_says_for_whom_and_ends_it(hub, page, mila):  # noqa: F811
    subscribing(page, "https://fcm.googleapis.com/fcm/send/a-phone")
    sign_in(page, "/settings")
    worker(page)
    page.reload()
    notifications(page).click(force=True)
    part = page.get_by_role("region", name="Reminders", exact=True)
    expect(part.get_by_text("by way of fcm.googleapis.com")).to_be_visible()
    assert page.evaluate("() => subscribedWith") == 65  # an uncompressed point of P-256
    loaded = page.evaluate("async () => (await fetch('/api/push')).json()")
    assert mila["id"] in loaded["subscription"]["people"]
    part.get_by_role("button", name="Mila", exact=True).click()
    expect(part.get_by_role("button", name="Mila", exact=True)).to_have_attribute("aria-pressed", "false")
    # A switch shows what was chosen before the hub has stored it.
    asked = "async () => (await fetch('/api/push')).json()"
    eventually(lambda: mila["id"] not in page.evaluate(asked)["subscription"]["people"], what="Mila left out")
    notifications(page).click(force=True)
    expect(notifications(page)).not_to_be_checked()
    eventually(lambda: "subscription" not in page.evaluate(asked), what="the subscription's end")


@pytest.mark.own_hub
@pytest.mark.parametrize(
    "endpoint", ["https://192.168.1.1/push", "http://fcm.googleapis.com/fcm/send/x", "https://router.local/push"]
)
def test_a_forged_endpoint_is_refused_and_the_page_says_why(hub, page, endpoint):  # noqa: F811
    subscribing(page, endpoint)
    sign_in(page, "/settings")
    worker(page)
    page.reload()
    expect(notifications(page)).to_be_visible()
    notifications(page).click(force=True)
    alert = page.get_by_role("region", name="Reminders", exact=True).get_by_role("alert")
    expect(alert).to_be_visible()
    expect(alert).not_to_be_empty()
    expect(notifications(page)).not_to_be_checked()
    assert "subscription" not in page.evaluate("async () => (await fetch('/api/push')).json()")
    assert hub.get("/api/outbound")["calls"] == []
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong and "403" not in wrong]


@pytest.mark.own_hub
def test_a_subscription_that_the_browser_changed_is_told_to_the_hub_by_the_worker(hub, page, mila):  # noqa: F811
    subscribing(page, "https://fcm.googleapis.com/fcm/send/the-old-one")
    sign_in(page, "/settings")
    worker(page)
    page.reload()
    notifications(page).click(force=True)
    expect(page.get_by_text("by way of fcm.googleapis.com")).to_be_visible()
    before = page.evaluate("async () => (await fetch('/api/push')).json()")
    worker(page).evaluate(
        "async () => { " + SUBSCRIBE + """
        const fresh = await subscription("https://updates.push.services.mozilla.com/wpush/v2/the-new-one", {});
        const event = new Event("pushsubscriptionchange");
        let work = null;
        Object.assign(event, { newSubscription: fresh, waitUntil: (promise) => { work = promise; } });
        self.dispatchEvent(event);
        await work;
        }"""
    )
    after = page.evaluate("async () => (await fetch('/api/push')).json()")
    assert after["endpointHost"] == "updates.push.services.mozilla.com"
    assert sorted(after["subscription"]["people"]) == sorted(before["subscription"]["people"])


@pytest.mark.own_hub
def test_the_wizard_subscribes_whom_it_has_asked(hub, page, mila):  # noqa: F811
    subscribing(page, "https://fcm.googleapis.com/fcm/send/a-phone")
    page.add_init_script(
        "Object.defineProperty(Notification, 'permission', { get: () => window.isAllowed ? 'granted' : 'default' });"
        " Notification.requestPermission = async () => { window.isAllowed = true; return 'granted'; };"
    )
    sign_in(page, "/brushing/tips")
    worker(page)
    page.goto("/welcome")
    page.get_by_role("button", name="Try: Notifications").click()
    expect(page.locator("#can-push")).to_contain_text("Reminders come here from now on")
    loaded = page.evaluate("async () => (await fetch('/api/push')).json()")
    assert loaded["endpointHost"] == "fcm.googleapis.com" and mila["id"] in loaded["subscription"]["people"]


@pytest.mark.own_hub
def test_a_subscription_of_another_key_is_made_anew_by_the_next_page(hub, page, mila):  # noqa: F811
    page.add_init_script(
        (IN_PAGE % '"https://updates.push.services.mozilla.com/wpush/v2/of-this-key"')
        + "mine = { options: { applicationServerKey: new Uint8Array(65).buffer }, unsubscribe: async () => true };"
    )
    sign_in(page, "/brushing/tips")
    worker(page)
    page.evaluate(
        "async (person) => { " + SUBSCRIBE + """
        const old = await subscription("https://fcm.googleapis.com/fcm/send/of-another-key", {});
        await fetch("/api/push/subscriptions", {
            method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ people: [person], ...old.toJSON() }),
        });
        }""",
        mila["id"],
    )
    page.reload()
    page.wait_for_function(
        "async () => (await (await fetch('/api/push')).json()).endpointHost === 'updates.push.services.mozilla.com'"
    )
    loaded = page.evaluate("async () => (await fetch('/api/push')).json()")
    assert loaded["subscription"]["people"] == [mila["id"]]  # as it was


@pytest.mark.own_hub
def test_a_changed_subscription_that_the_hub_refused_is_told_again_at_each_opening(hub, page, mila):  # noqa: F811
    subscribing(page, "https://updates.push.services.mozilla.com/wpush/v2/the-new-one")
    page.add_init_script("mine = { endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/the-new-one' };")
    page.add_init_script("(async () => { mine = await PushManager.prototype.subscribe({"
                         " applicationServerKey: new ArrayBuffer(65) }); delete mine.options; })();")
    sign_in(page, "/brushing/tips")
    worker(page)
    page.evaluate(
        "async (person) => { " + SUBSCRIBE + """
        const old = await subscription("https://fcm.googleapis.com/fcm/send/the-old-one", {});
        await fetch("/api/push/subscriptions", {
            method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ people: [person], ...old.toJSON() }),
        });
        }""",
        mila["id"],
    )
    refused = {"status": 403, "content_type": "application/problem+json", "json": {"detail": "Not for Mila."}}
    page.route("**/api/push/subscriptions", lambda route: route.fulfill(**refused))
    page.goto("/settings")
    part = page.get_by_role("region", name="Reminders", exact=True)
    expect(part).to_contain_text("the hub did not take the new one. Not for Mila.")
    page.unroute("**/api/push/subscriptions")
    page.reload()
    page.wait_for_function(
        "async () => (await (await fetch('/api/push')).json()).endpointHost === 'updates.push.services.mozilla.com'"
    )
    expect(part).not_to_contain_text("did not take")
    page.wrongs[:] = [wrong for wrong in page.wrongs if "403" not in wrong]


def test_what_is_missing_for_notifications_is_said_in_words(hub, browser):  # noqa: F811
    iphone = (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
        " Version/18.1 Mobile/15E148 Safari/604.1"
    )
    context = browser.new_context(viewport=PHONE, base_url=hub.url, user_agent=iphone, locale="en-GB")
    page = context.new_page()
    sign_in(page, "/settings")
    part = page.get_by_role("region", name="Reminders", exact=True)
    expect(part).to_contain_text("No notifications on this device")
    expect(part).to_contain_text("Only from the home screen")
    expect(part.get_by_role("link", name="What to do")).to_have_attribute("href", "/welcome")
    context.close()
    for answer, words in (("denied", "You said no"),):
        context = browser.new_context(viewport=PHONE, base_url=hub.url, locale="en-GB")
        page = context.new_page()
        page.add_init_script(f"Object.defineProperty(Notification, 'permission', {{ get: () => '{answer}' }})")
        sign_in(page, "/settings")
        expect(page.get_by_role("region", name="Reminders", exact=True)).to_contain_text(words)
        context.close()


def bar(page):
    return page.get_by_role("region", name="Reminders", exact=True).locator(".reminder-bar")


def test_a_reminder_comes_over_the_open_page_and_is_snoozed_or_dismissed_there(hub, page, mila):  # noqa: F811
    sign_in(page, "/plants")
    loaded = due(hub, mila)
    expect(bar(page)).to_contain_text(loaded["title"])
    bar(page).get_by_role("button", name="Snooze").click()
    expect(bar(page)).to_have_count(0)
    expect(page.get_by_text(re.compile(r"Again in \d+ minutes"))).to_be_visible()
    assert hub.get("/api/reminders")["due"] == []
    loaded = due(hub, mila, "morning")
    expect(bar(page)).to_contain_text(loaded["title"])
    bar(page).get_by_role("button", name="Dismiss").click()
    expect(bar(page)).to_have_count(0)
    eventually(lambda: page.evaluate("() => true") and hub.get("/api/reminders")["due"] == [], what="the dismissal")


def test_start_on_the_bar_begins_and_no_bar_lies_over_a_session(hub, page, mila):  # noqa: F811
    sign_in(page, "/plants")
    page.evaluate("() => { document.documentElement.dataset.session = ''; }")
    due(hub, mila)
    page.wait_for_function("async () => (await (await fetch('/api/reminders')).json()).due.length === 1")
    expect(bar(page)).to_have_count(0)
    page.evaluate("() => { delete document.documentElement.dataset.session; }")
    expect(bar(page)).to_be_visible()
    bar(page).get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/brushing"))
    expect(bar(page)).to_have_count(0)


def test_a_reminder_comes_again_over_a_page_that_began_the_one_before(hub, page, mila):  # noqa: F811
    sign_in(page, "/plants")
    due(hub, mila)
    bar(page).get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/brushing"))
    page.go_back()
    page.wait_for_url(re.compile(r"/plants"))
    expect(bar(page)).to_have_count(0)
    due(hub, mila)
    expect(bar(page)).to_be_visible()


def test_a_device_that_wants_no_bar_gets_none(hub, page, mila):  # noqa: F811
    sign_in(page, "/settings")
    page.get_by_role("switch", name="On the open page").uncheck(force=True)
    due(hub, mila)
    page.wait_for_function("async () => (await (await fetch('/api/reminders')).json()).due.length === 1")
    expect(bar(page)).to_have_count(0)
    page.get_by_role("switch", name="On the open page").check(force=True)
    expect(bar(page)).to_be_visible()


@pytest.mark.own_hub
def test_what_leaves_the_house_is_told(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    expect(page.get_by_role("region", name="What leaves the house")).to_contain_text("Nothing has left this house")
