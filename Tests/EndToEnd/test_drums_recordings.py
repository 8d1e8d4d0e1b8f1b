"""The family's own recordings on a device: kept once they were played there, so that they are heard without the hub; not
more of them than a limit, and none for who signs out.
"""

import re

import pytest
from playwright.sync_api import expect

from drums_page import answer, browser, looks, open_songs, page, play, settings  # noqa: F401
from hub import eventually
from outbox_page import away
from pages import has_worker, hub  # noqa: F401
from recordings import add_recording
from single_modules import module, web  # noqa: F401

# Whether something of a file was given to the audio clock.
HEARD = """window.isHeard = false;
const begin = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (when, place, ...more) {
    if (place !== undefined) window.isHeard = true;
    return begin.call(this, when, place, ...more);
};"""
# What the page keeps files with, and its cache as it is.
FILES = """async ([name, value]) => {
    const { cachedFile, MOST } = await %s;
    const cache = await caches.open("cached-files");
    const work = {
        kept: async () => (await cache.keys()).map(({ url }) => new URL(url).pathname).sort(),
        take: async (path) => (await cachedFile(path)).status,
        // As if it were so long: what counts is what was noted of it.
        fill: async ([path, share, used]) => cache.put(path, new Response("x", {
            headers: { "X-Cached-Used": String(used), "Content-Length": String(Math.round(MOST * share)) },
        })),
    };
    return work[name](value);
}""" % module("offline/file-cache.js")


def files(page, name, value=None):  # noqa: F811
    return page.evaluate(FILES, [name, value])


@pytest.fixture
def ours(hub):  # noqa: F811
    settings(hub, drums=[True] * 4, level=2, countIn=1, sounds={"song": True, "metronome": False, "hits": False})
    return add_recording(hub)


def is_heard(page):  # noqa: F811
    eventually(lambda: page.evaluate("window.isHeard"), within=20, what="the recording")


def test_a_recording_that_was_played_here_is_heard_without_the_hub(hub, page, ours):  # noqa: F811
    page.add_init_script(HEARD)
    open_songs(page)
    has_worker(page)
    page.reload()
    play(page, "Ours")
    answer(page)
    is_heard(page)
    assert files(page, "kept") == [ours["audio"]["path"]]
    hub.kill()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Paused")
    page.get_by_role("button", name="Go on", exact=True).first.click()
    answer(page)
    is_heard(page)


def test_a_recording_that_is_not_here_yet_says_so_without_the_hub(hub, page, ours):  # noqa: F811
    open_songs(page)
    has_worker(page)
    page.reload()
    page.locator(".song-about").filter(has_text="Ours").click()
    expect(page.get_by_role("dialog")).to_contain_text("Once it was played here, this device keeps it")
    page.keyboard.press("Escape")
    away(hub, page)
    play(page, "Ours")
    expect(page.get_by_text("this device has not kept this recording yet: the metronome plays instead")).to_be_visible()


def test_what_was_heard_longest_ago_makes_room(hub, page, ours):  # noqa: F811
    open_songs(page)
    files(page, "fill", ["/api/drums/songs/old/audio", 0.5, 1])
    files(page, "fill", ["/api/drums/songs/older/audio", 0.5, 0])
    path = ours["audio"]["path"]
    assert files(page, "take", path) == 200
    assert files(page, "kept") == sorted([path, "/api/drums/songs/old/audio"])
    files(page, "fill", ["/api/drums/songs/new/audio", 0.6, 2])
    assert files(page, "take", path) == 200  # heard again, it is the newest
    assert files(page, "kept") == sorted([path, "/api/drums/songs/new/audio"])
    assert files(page, "take", "/api/drums/songs/nobody/audio") == 404
    assert files(page, "kept") == sorted([path, "/api/drums/songs/new/audio"])
    page.wrongs[:] = [wrong for wrong in page.wrongs if "404" not in wrong]


def test_who_signs_out_leaves_no_recording(hub, page, ours):  # noqa: F811
    open_songs(page, "/settings")
    assert files(page, "take", ours["audio"]["path"]) == 200
    page.get_by_role("button", name=re.compile("^Sign out")).click()
    expect(page.get_by_label("Email")).to_be_visible()
    assert page.evaluate("() => caches.has('cached-files')") is False
