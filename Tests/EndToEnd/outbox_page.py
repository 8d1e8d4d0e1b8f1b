"""The outbox of a page, as tests reach it from outside."""

import re

import pytest
from playwright.sync_api import expect

from pages import add_plant, hub  # noqa: F401
from pages import offline_page as page  # noqa: F401
from single_modules import module

HOUR = 3_600_000
WATERINGS = "**/api/plants/*/waterings"

# The page's own outbox, as `outbox`, and how a watering is put into it.
MODULE = """async ([name, value]) => {
    const { outbox } = await %s;
    const bytesOf = (watering, size) => new TextEncoder().encode(JSON.stringify(watering).padEnd(size ?? 0, ' '));
    const add = ({ plant, at, size, queue }) => outbox.add({
        queue: queue ?? plant, path: `/api/plants/${plant}/waterings`, title: `Watered ${plant}`,
        bytes: bytesOf({ at }, size),
    });
    const work = { %s };
    return work[name](value);
}""" % (module("offline/outbox.js"), ", ".join(
    (
        "add",
        "addAll: async (all) => { const ids = []; for (const one of all) ids.push(await add(one)); return ids; }",
        "entries: () => outbox.entries()",
        "deliver: () => outbox.deliver({ force: true })",
        "problem: (one) => add(one).then(() => null, ({ status, title, message }) => ({ status, title, message }))",
        "state: () => outbox.state",
        "takeBack: (id) => outbox.takeBack(id)",
        "exported: async () => (await outbox.export()).text()",
    )
))  # fmt: skip


@pytest.fixture
def plant(hub):
    return add_plant(hub)[0]["id"]


def outbox(page, name, value=None):
    return page.evaluate(MODULE, [name, value])


def waterings(hub, plant):
    """The times that the hub has stored, oldest first."""
    return sorted(one["at"] for one in hub.get(f"/api/plants/{plant}/waterings"))


def are_stored(hub, page, plant, expected):
    """To be asked again: each time what the page's routes wait for is done too, by this very thread."""
    return lambda: page.evaluate("() => true") and waterings(hub, plant) == expected


def is_empty(page):
    return lambda: outbox(page, "entries") == []


def times(hub, count):
    """So many hours of the past, oldest first: far enough apart to be waterings of their own."""
    now = hub.get("/api/hub")["now"]
    return [now - (count - i) * 3 * HOUR for i in range(count)]


def away(hub, page):
    """The hub goes away under a page that has been open for a while: it has loaded its outbox."""
    outbox(page, "state")
    hub.kill()
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()
