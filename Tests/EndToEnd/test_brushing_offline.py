"""Brushing without the hub: nothing is lost, and nothing is counted twice."""

import base64
import json
import re
import zlib

from playwright.sync_api import expect

from brushing_page import (  # noqa: F401
    PLANNED, add_child, brushed, is_delivered, stored_session, left, looks, me, open_ready, page, passes, sessions, start,
)  # fmt: skip
from hub import eventually
from outbox_page import away
from outbox_page import outbox as exported
from pages import browser, has_worker, hub, is_back  # noqa: F401
from single_modules import web  # noqa: F401

# What waits in the page's outbox, with the content of its session as hexadecimal digits; and that replaced by another, of which
# the entry says the checksum or does not.
OUTBOX = """([replace, checksum]) => new Promise((done) => { indexedDB.open('tandem').onsuccess = ({ target }) => {
    const db = target.result;
    const work = db.transaction(['outbox', 'session-chunks'], 'readwrite');
    const chunks = work.objectStore('session-chunks');
    const found = [];
    work.objectStore('outbox').openCursor().onsuccess = ({ target }) => {
        const cursor = target.result;
        if (!cursor) return;
        const { upload } = cursor.value;
        const all = IDBKeyRange.bound([upload.id, 0], [upload.id, Infinity]);
        chunks.getAll(all).onsuccess = ({ target: { result } }) => {
            const bytes = result.flatMap((chunk) => [...chunk.bytes]);
            found.push({ ...cursor.value, hex: bytes.map((one) => one.toString(16).padStart(2, '0')).join('') });
            if (replace) {
                chunks.delete(all);
                const bytes = Uint8Array.from(replace.match(/../g), (two) => parseInt(two, 16));
                chunks.put({ checksum: 0, bytes }, [upload.id, 0]);
            }
            if (checksum !== null) cursor.update({ ...cursor.value, upload: { ...upload, checksum } });
            cursor.continue();
        };
    };
    work.oncomplete = () => { db.close(); done(found); };
}; })"""


def outbox(page, replace=None, *, isDamaged=False):
    """What waits; or another session in the place of what does, by the page itself or where the disk is damaged."""
    return page.evaluate(OUTBOX, [replace and replace.hex(), zlib.crc32(replace) if replace and not isDamaged else None])


def brush_offline(hub, page, seconds=PLANNED):
    """A session while the hub is killed, from the page as the worker opens it."""
    open_ready(page)
    has_worker(page)
    page.reload()
    expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
    away(hub, page)
    page.reload()
    start(page)
    passes(page, seconds)
    return brushed(page)


def test_a_session_without_the_hub_is_stored_shown_and_delivered_once(hub, page):
    session = brush_offline(hub, page)
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("The first one, Tess")  # the phone's own engine says so
    expect(page.get_by_role("definition").filter(has_text="1of 14")).to_be_visible()
    [entry] = outbox(page)
    assert entry["queue"] == session and entry["title"].startswith("Tess brushed, ") and entry["hex"].startswith("544252")
    page.reload()  # the summary too
    expect(page.get_by_text("Kept on this device")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("1 of 14")).to_be_visible()
    page.get_by_role("link", name=re.compile("^History")).click()  # counts it too, and says where it is
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Tess has brushed"))
    expect(page.get_by_text("1 session is still on this device")).to_be_visible()
    hub.start()
    is_back(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["id"] == session and stored["isComplete"] and "claim" not in stored
    eventually(lambda: outbox(page) == [], what="the empty outbox")
    # The same bytes once more, as after an answer that was lost: the hub has them already.
    status, again, _ = hub.request(
        "POST", "/api/brushing/sessions", bytes.fromhex(entry["hex"]), {"Content-Type": "application/octet-stream"}
    )
    assert status == 200 and again["id"] == session
    assert len(sessions(hub, me(hub))) == 1


def test_a_session_goes_on_while_the_hub_comes_and_goes(hub, page):
    open_ready(page)
    has_worker(page)
    page.reload()
    start(page)
    passes(page, 20)
    hub.kill()
    passes(page, 20)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Upper right")
    hub.start()
    passes(page, 15)
    expect(page.get_by_role("heading", level=1)).to_have_text("Upper right")
    passes(page, PLANNED)
    brushed(page)
    is_back(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["isComplete"] and stored["brushSeconds"] == 120


def test_two_sessions_that_wait_count_both(hub, page):
    mila = add_child(hub, "Mila", "fox", isChildMode=False)
    brush_offline(hub, page)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("group", name="Who brushes").get_by_role("button", name="Mila").click()
    start(page)
    passes(page, PLANNED)
    brushed(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("The first one, Mila")
    page.get_by_role("button", name="Close").click()
    hub.start()
    is_back(page)
    assert len(is_delivered(hub, me(hub))) == 1 and len(is_delivered(hub, mila)) == 1


def is_refused_and_can_be_saved(hub, page, session, bad):
    hub.start()
    is_back(page)
    expect(page.get_by_text("The hub did not take it")).to_be_visible()
    expect(page.get_by_text("It is still only on this device.")).to_be_visible()
    assert sessions(hub, me(hub)) == []
    page.get_by_role("link", name="What waits here").click()
    expect(page.get_by_role("heading", name="Waiting to be sent")).to_be_visible()
    [entry] = outbox(page)
    expect(page.get_by_text(entry["failed"]["detail"]).first).to_be_visible()
    assert entry["hex"] == bad.hex()
    [saved] = json.loads(exported(page, "exported"))["entries"]
    assert base64.b64decode(saved["bytes"]) == bad and saved["queue"] == session
    return entry["failed"]


def test_what_is_no_session_is_refused_in_words_and_can_still_be_saved(hub, page):
    """What the hub makes of bytes, whichever they are, the engine's vectors have; here it is what the page does then."""
    session = brush_offline(hub, page)
    [entry] = outbox(page)
    good = bytes.fromhex(entry["hex"])
    bad = good[:-30] + b"\x63" + good[-29:]  # the last event is of a kind that nobody knows
    outbox(page, bad)
    assert is_refused_and_can_be_saved(hub, page, session, bad)["status"] == 422
    page.wrongs[:] = [one for one in page.wrongs if "422" not in one and "404" not in one]


def test_a_session_that_this_device_s_disk_has_damaged_is_not_sent_and_can_still_be_saved(hub, page):
    session = brush_offline(hub, page)
    [entry] = outbox(page)
    good = bytes.fromhex(entry["hex"])
    bad = bytes([*good[:80], good[80] ^ 1, *good[81:]])
    outbox(page, bad, isDamaged=True)
    failed = is_refused_and_can_be_saved(hub, page, session, bad)
    assert "or its disk is damaged" in failed["detail"]
    assert hub.request("GET", "/api/brushing/active")[1]["active"] == []
    page.wrongs[:] = [one for one in page.wrongs if "404" not in one]


def test_a_claim_that_differs_is_no_reason_to_lose_a_session_and_is_shown(hub, page):
    """As an old cached page would send it: whole, with another sum below."""
    brush_offline(hub, page)
    [entry] = outbox(page)
    content = bytearray.fromhex(entry["hex"])
    claim = len(content) - 13  # three durations and the flags
    assert int.from_bytes(content[claim : claim + 4], "little") == 120_000
    content[claim : claim + 4] = (90_000).to_bytes(4, "little")
    outbox(page, bytes(content))
    hub.start()
    is_back(page)
    [stored] = is_delivered(hub, me(hub))
    assert stored["brushSeconds"] == 120 and stored["claim"]["brushSeconds"] == 90
    expect(page.get_by_text("The hub counted differently")).to_be_visible()
    expect(page.get_by_text(re.compile(r"2\smin of brushing, this page 1\smin 30\ss"))).to_be_visible()
    page.reload()
    expect(page.get_by_text("The hub counted differently")).to_be_visible()


def test_what_a_session_has_recorded_is_on_the_disk_before_the_page_goes_on(hub, page):
    open_ready(page)
    start(page)
    begun = stored_session(page)
    passes(page, 10)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Paused")
    paused = stored_session(page)
    assert begun is not None and len(paused) > len(begun)
    page.goto("about:blank")
    page.goto("/brushing/session")
    expect(page.get_by_role("heading", level=1)).to_have_text("Paused")
    assert left(page) == 20


def test_what_this_device_cannot_keep_is_said(hub, page):
    page.add_init_script(
        "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (value, ...more) {"
        " if (this.name === 'active-sessions') throw new DOMException('full', 'QuotaExceededError');"
        " return put.call(this, value, ...more); };"
    )
    open_ready(page)
    start(page)
    expect(page.get_by_text("cannot save while you brush")).to_be_visible()
    passes(page, PLANNED)  # the session goes on, and is delivered all the same
    brushed(page)
    assert is_delivered(hub, me(hub))[0]["isComplete"]
    page.wrongs[:] = [one for one in page.wrongs if "QuotaExceededError" not in one]
