"""What the pages of a song show when the hub has taken it: its score without a reload, and one's own where two devices
went on with the same song.
"""

import base64
import secrets
import struct
import time

import pytest
from playwright.sync_api import expect

from drums_blobs import OPENED, RESUME, STOP, beat, session
from drums_page import browser, looks, me, open_songs, page, sessions  # noqa: F401
from hub import eventually
from outbox_page import outbox
from pages import hub, is_back  # noqa: F401
from single_modules import module, web  # noqa: F401

YESTERDAY = int(time.time() * 1000) - 86_400_000
SESSIONS = "**/api/drums/sessions"
BYTES = {"Content-Type": "application/octet-stream"}
# What a page does with a song that was just played.
PLAYED = """async ([id, person, bytes]) => {
    const { outbox } = await %s;
    const { noteDone, PATH } = await %s;
    const blob = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
    const song = { id: "ode-to-joy", title: "Ode to Joy" };
    await noteDone({ id, person: { id: person, name: "Tess", timeZone: "UTC" }, song, startedAt: Date.now(), bytes: blob });
    await outbox.add({ queue: id, path: PATH, type: "application/octet-stream", bytes: blob, title: "Tess played" });
}""" % (module("offline/outbox.js"), module("drums/play/done.js"))


@pytest.fixture
def identifier():
    return secrets.token_bytes(16)


@pytest.fixture
def waiting(hub, page, identifier):  # noqa: F811
    """A page that has played a song of eight beats, and cannot deliver it yet."""
    open_songs(page)
    page.route(SESSIONS, lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    played = session(me(hub), YESTERDAY, identifier=identifier)
    page.evaluate(PLAYED, [identifier.hex(), me(hub), base64.b64encode(played).decode()])
    yield page
    page.wrongs[:] = [wrong for wrong in page.wrongs if "404" not in wrong]


def go(page, path):  # noqa: F811
    """As a link does, without a reload."""
    page.evaluate("(href) => { const a = Object.assign(document.createElement('a'), { href }); document.body.append(a);"
                  " a.click(); a.remove(); window.isSame = true; }", path)  # fmt: skip


def is_same(page):  # noqa: F811
    return page.evaluate("() => window.isSame === true")


def deliver(page):  # noqa: F811
    page.unroute(SESSIONS)
    outbox(page, "deliver")


def test_the_score_of_a_song_that_waited_is_the_hub_s_as_soon_as_it_was_delivered(hub, waiting, identifier):  # noqa: F811
    page = waiting
    go(page, f"/drums/session/{identifier.hex()}")
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    expect(page.get_by_text("Saved and checked")).to_have_count(0)
    deliver(page)
    expect(page.get_by_text("Saved and checked")).to_be_visible()
    expect(page.get_by_text("Kept on this device")).to_have_count(0)
    assert is_same(page)


def test_the_score_of_a_song_that_the_hub_refuses_says_why(hub, waiting, identifier):  # noqa: F811
    page = waiting
    go(page, f"/drums/session/{identifier.hex()}")
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    # Over the route of before, so that no try gets through between the two.
    refused = {"title": "Not stored", "status": 422, "detail": "The hub has something against it."}
    page.route(SESSIONS, lambda route: route.fulfill(
        status=422, content_type="application/problem+json", json=refused))  # fmt: skip
    outbox(page, "deliver")
    expect(page.get_by_text(refused["detail"])).to_be_visible()
    expect(page.get_by_role("heading", name="Every beat")).to_be_visible()
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]


@pytest.mark.parametrize("place", ["done", "session"])
def test_who_lost_a_song_to_another_device_is_led_to_the_score_of_their_own(hub, waiting, identifier, place):  # noqa: F811
    page = waiting
    last = beat(5)[-1][1]
    # Taken up there after six beats, and stopped.
    there = [(OPENED, last, struct.pack("<q", YESTERDAY + 60_000)), (RESUME, last + 1_000_000, b""),
             (STOP, last + 2_000_000, b"")]  # fmt: skip
    others = session(me(hub), YESTERDAY, 6, identifier=identifier, more=there)
    status, other, _ = hub.request("POST", "/api/drums/sessions", others, BYTES)
    assert status == 201 and other["id"] == identifier.hex()
    go(page, f"/drums/{place}/{identifier.hex()}")
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    deliver(page)
    expect(page.get_by_text("Kept on this device")).to_have_count(0)
    own = next(one for one in sessions(hub) if one["id"] != identifier.hex())
    if place == "done":
        every = page.get_by_role("link", name="Every beat of it")
        expect(every).to_have_attribute("href", f"/drums/session/{own['id']}")
        page.reload()
        expect(every).to_have_attribute("href", f"/drums/session/{own['id']}")
        every.click()
    page.wait_for_url(f"**/drums/session/{own['id']}")
    expect(page.get_by_text("Saved and checked")).to_be_visible()
    page.get_by_role("link", name="The other’s score").click()
    page.wait_for_url(f"**/drums/session/{identifier.hex()}")


def test_a_level_that_is_chosen_without_the_hub_holds_and_is_told_when_it_is_back(hub, page):  # noqa: F811
    open_songs(page)
    page.wait_for_load_state("networkidle")
    hub.kill()
    third = page.get_by_role("group", name="Level").get_by_role("button", name="Hard")
    third.click()
    expect(page.locator(".next-song")).to_contain_text(", Hard")
    hub.start()
    is_back(page)
    level = lambda: hub.get("/api/drums")["people"][0]["settings"]["level"]  # noqa: E731
    eventually(lambda: page.evaluate("() => true") and level() == 3, within=20, what="that the hub is told")
    expect(third).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(third).to_have_attribute("aria-pressed", "true")
