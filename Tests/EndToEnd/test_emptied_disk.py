"""A browser that empties a page's disk, and what an adult leaves on a device that a child picks up."""

import re
import time

from playwright.sync_api import expect

from hub import eventually
from outbox_page import WATERINGS, outbox, page, plant, times  # noqa: F401
from pages import browser, sign_in  # noqa: F401
from shared_hub import shared_hub
from single_modules import web  # noqa: F401

hub = shared_hub(web=True)

DELETED = """() => new Promise((done, failed) => {
    const request = indexedDB.deleteDatabase("tandem");
    request.onsuccess = () => done(true);
    request.onerror = () => failed(request.error);
})"""

# Whatever localStorage and IndexedDB hold of what was cached, as one text.
CACHED = """async () => {
    const stored = Object.entries({ ...localStorage }).filter(([name]) => name.startsWith("tandem.cache."));
    const db = await new Promise((done) => { const open = indexedDB.open("tandem"); open.onsuccess = () => done(open.result); });
    const all = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
    const store = db.transaction("cache").objectStore("cache");
    const [names, values] = await Promise.all([all(store.getAllKeys()), all(store.getAll())]);
    db.close();
    return JSON.stringify([stored, names, values]);
}"""


def emptied(page, way):
    """Empties the disk, cookies excepted, as the browser does where room is short, or as a page or a person can."""
    if way == "deleted":
        assert page.evaluate(DELETED)
        return
    cdp = page.context.new_cdp_session(page)
    types = "indexeddb" if way == "evicted" else "indexeddb,local_storage,cache_storage,service_workers,file_systems"
    cdp.send("Storage.clearDataForOrigin", {"origin": page.evaluate("location.origin"), "storageTypes": types})


def open_with_nothing_sent(page, path):
    """Opens a place from which no watering goes out. The way is barred before: a page that is open already may still send one."""
    page.route(WATERINGS, lambda route: route.abort())
    sign_in(page, path)


def waiting(hub, page, plant, count):
    """So many waterings wait on the page."""
    outbox(page, "addAll", [{"plant": plant, "at": at} for at in times(hub, count)])
    mark = page.get_by_role("complementary").get_by_role("link")
    expect(mark).to_have_text(f"{count} waiting")
    return mark


def test_an_open_page_whose_disk_was_emptied_says_what_is_lost_until_it_was_read(hub, page, plant):
    open_with_nothing_sent(page, "/settings")
    for number, way in enumerate(("deleted", "evicted", "all but cookies")):
        mark = waiting(hub, page, plant, 2 + number)
        emptied(page, way)
        expect(mark).to_have_text(f"{2 + number} lost")
        notice = page.get_by_text(f"{2 + number} things that waited here are lost")
        expect(notice).to_be_visible()
        page.get_by_role("button", name="I have read it").click()
        expect(notice).to_be_hidden()
        expect(page.get_by_role("complementary").get_by_role("link")).to_be_hidden()


def test_a_page_that_opens_after_its_disk_was_emptied_says_so_on_every_visit_until_it_was_read(hub, page, plant):
    open_with_nothing_sent(page, "/settings")
    waiting(hub, page, plant, 2)
    address = page.url
    page.goto("about:blank")
    page.context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": address.rsplit("/", 1)[0], "storageTypes": "indexeddb,cache_storage"}
    )
    for _ in range(2):
        page.goto(address)
        expect(page.get_by_role("complementary").get_by_role("link")).to_have_text("2 lost")
    # What is noted from now on waits beside it.
    outbox(page, "add", {"plant": plant, "at": times(hub, 1)[0]})
    expect(page.get_by_text("2 things that waited here are lost")).to_be_visible()
    eventually(lambda: len(outbox(page, "entries")) == 1, what="the new entry")


def test_the_hub_has_the_browser_remember_how_many_wait_and_nothing_of_what(hub, page, plant):
    open_with_nothing_sent(page, "/settings")
    waiting(hub, page, plant, 2)

    def told():
        return next((one for one in page.context.cookies() if one["name"].startswith("tandem-waiting-")), None)

    cookie = eventually(told, what="the hub's cookie")
    assert re.fullmatch(r"2\.\d+", cookie["value"]) and cookie["sameSite"] == "Strict"
    # Longer than the year that the page itself writes: it is the hub's, which WebKit does not cut to seven days.
    assert cookie["expires"] - time.time() > 390 * 86_400
    # What the page noted by itself is told then.
    eventually(
        lambda: not any(one["name"].startswith("tandem-noted-") for one in page.context.cookies()), what="what was told"
    )
    emptied(page, "evicted")
    expect(page.get_by_text("2 things that waited here are lost")).to_be_visible()
    assert told() is None


def test_what_was_delivered_or_discarded_is_not_said_to_be_lost(hub, page, plant):
    open_with_nothing_sent(page, "/settings")
    waiting(hub, page, plant, 2)
    page.unroute(WATERINGS)
    outbox(page, "deliver")
    mark = page.get_by_role("complementary").get_by_role("link")
    expect(mark).to_be_hidden()
    emptied(page, "deleted")
    page.reload()
    eventually(lambda: outbox(page, "state"), what="the count")
    assert outbox(page, "state")["lost"] is None
    expect(mark).to_be_hidden()


def test_what_an_adult_has_seen_leaves_the_browser_when_a_childs_face_comes(hub, page):
    hub.post("/api/people", {"name": "Mila", "face": "fox"})
    sign_in(page, "/")
    adult = hub.get("/api/session")["profile"]["id"]
    for path in ("/plants", "/brushing", "/drums", "/toy", "/lab"):
        page.goto(path)
        expect(page.locator("main h1").first).to_be_visible()
    eventually(lambda: adult in page.evaluate(CACHED), what="what the adult has seen")
    page.goto("/")
    page.get_by_role("button", name="Tess uses this device. Change").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Mila")).click()
    expect(page.get_by_role("button", name="Mila uses this device. Change")).to_be_visible()
    of_the_adult = f"/{adult}"
    eventually(lambda: of_the_adult not in page.evaluate(CACHED), what="nothing of the adult's")
    page.reload()
    expect(page.locator("main h1").first).to_be_visible()
    assert of_the_adult not in page.evaluate(CACHED)
