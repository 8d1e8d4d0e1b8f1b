"""The page of settings: its search, what it keeps from children, and large letters on a small phone."""

import re

import pytest
from playwright.sync_api import expect

from pages import PHONE, assert_nothing_overflows, browser, hub, sign_in, watched  # noqa: F401

SMALL = {"width": 320, "height": 640}
# Whether each of some elements is whole in the window, and its words in it.
WHOLE = """(nodes) => nodes.filter((node) => {
    const { left, right } = node.getBoundingClientRect();
    return left < -0.5 || right > innerWidth + 0.5 || node.scrollWidth > node.clientWidth + 1;
}).map((node) => node.outerHTML.slice(0, 160))"""
# Names whose words have more lines than they have words: one of them is broken.
BROKEN = """(nodes) => nodes.filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > node.textContent.trim().split(/[\\s-]+/).length;
}).map((node) => node.textContent)"""


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    yield from watched(hub, browser, looks)


def test_a_search_leaves_the_sections_that_have_its_words(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    search = page.get_by_role("searchbox", name="Search the settings")
    sections = page.get_by_role("main").get_by_role("heading", level=2)
    # What the hub answers comes later, and is searched as well.
    search.fill("MQTT port")
    expect(sections).to_have_text(["Hub"])
    search.fill("DARK")
    expect(sections).to_have_text(["This device"])
    search.fill("household rename")
    expect(sections).to_have_text(["Household"])
    search.fill("xyzzy")
    expect(sections).to_have_count(0)
    expect(page.get_by_text("No setting has these words.")).to_be_visible()
    search.fill("")
    expect(page.get_by_text("No setting has these words.")).to_be_hidden()
    expect(sections.first).to_have_text("This device")
    expect(sections.last).to_have_text("Sign out")


def test_a_child_sees_no_emails_and_no_mqtt_and_does_not_sign_the_tablet_out(hub, page):  # noqa: F811
    mila = hub.post("/api/people", {"name": "Mila", "face": "fox"})
    sign_in(page, "/settings")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.evaluate(
        """async (id) => {
            const put = (path, body) => fetch(path, { method: "PUT", headers: { "Content-Type": "application/json" },
                body: JSON.stringify(body) });
            await put("/api/session/shared", { isShared: true });
            await put("/api/session/profile", { personID: id });
        }""",
        mila["id"],
    )
    page.reload()
    expect(page.get_by_text("The family shares this device: an adult can sign it out.")).to_be_visible()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    expect(page.get_by_role("heading", name="Devices")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text(re.compile("@|MQTT"))
    refused = page.evaluate("async () => (await fetch('/api/session', { method: 'DELETE' })).status")
    assert refused == 403
    page.wrongs.clear()  # the browser writes that to its console


@pytest.mark.parametrize("looks", [(SMALL, "light")], ids=["320 px"])
def test_large_letters_leave_the_bar_and_the_buttons_whole_and_break_no_name(hub, page):  # noqa: F811
    for name in ["Mila", "Theo", "Ines", "Charlotte", "Alexandrina", "Christopherson", "Finn", "Greta", "Hannah", "Ida", "Jonas",
                 "Karl", "Bo"]:  # fmt: skip
        hub.post("/api/people", {"name": name, "face": "fox"})
    for path in ("/settings", "/"):
        sign_in(page, path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for size in ("100%", "200%"):
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
            assert_nothing_overflows(page)
            assert not page.locator(".places > .place, .header-bar, .header-bar button, .content .button").evaluate_all(WHOLE)
            assert not page.locator(".settings .name, .ruler text").evaluate_all(BROKEN)
