"""A household of fourteen on phones that are small, or held across: who is chosen, and what they press, stay in sight."""

import re

import pytest
from playwright.sync_api import expect

from hub import Hub, copy_of
from pages import assert_nothing_overflows, browser, kept_open, sign_in  # noqa: F401

NAMES = [
    "Bartholomew-Alexander", "Ada", "Ben", "Cleo", "Dora", "Emil", "Frieda", "Gustav", "Hanna", "Ivo", "Jo", "Kim", "Lea",
]  # fmt: skip
SIZES = [{"width": 390, "height": 844}, {"width": 844, "height": 390}, {"width": 320, "height": 568}]


@pytest.fixture(scope="module")
def page_of(prepared, web, browser, tmp_path_factory):  # noqa: F811
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("family") / "data"), web=web).start().signed_in()
    for name in NAMES:
        hub.post("/api/people", {"name": name, "role": "child"})
    with kept_open(hub, browser) as pages:
        yield pages
    hub.close()


# The names of which a word stands in two lines, each with what it stands in.
BROKEN = """(names) => {
    const words = new Set(names.flatMap((name) => name.split(/[\\s-]/)));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.parentElement.checkVisibility() || node.parentElement.closest(".unseen")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[^\\s,.:;’-]+/g)) {
            if (!words.has(word)) continue;
            const range = new Range();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (lines.size > 1) broken.push(`${word} in ${node.parentElement.outerHTML.slice(0, 120)}`);
        }
    }
    return broken;
}"""


@pytest.mark.parametrize("letters", ["100%", "200%"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']} x {size['height']}")
def test_no_name_breaks_inside_a_word(page_of, size, letters):
    page = page_of((size, "light"))
    broken = {}
    for path in ["/", "/brushing", "/brushing/settings", "/settings"]:
        sign_in(page, path)
        expect(page.locator("main h1").first).not_to_be_empty()
        page.wait_for_load_state("networkidle")
        page.evaluate(
            "(letters) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(`html { font-size: ${letters}; }`);"
            " document.adoptedStyleSheets = [sheet]; }",
            letters,
        )
        broken[path] = page.evaluate(BROKEN, NAMES)
        assert_nothing_overflows(page)
    page.get_by_role("button", name=re.compile("uses this device")).first.click()
    expect(page.get_by_role("dialog").get_by_role("button").last).to_be_visible()
    broken["who"] = page.evaluate(BROKEN, NAMES)
    assert not any(broken.values()), broken


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']} x {size['height']}")
@pytest.mark.parametrize(
    "path, chips, button", [("/brushing", "Who brushes", "Start brushing"), ("/drums", "Who plays", "Play")]
)
def test_the_last_of_fourteen_is_chosen_and_begins_without_scrolling(page_of, size, path, chips, button):
    page = page_of((size, "light"))
    sign_in(page, path)
    family = page.get_by_role("group", name=chips)
    expect(family.get_by_role("button")).to_have_count(len(NAMES) + 1)
    last = family.get_by_role("button", name="Lea")
    last.click()
    expect(last).to_have_attribute("aria-pressed", "true")
    page.evaluate("scrollTo(0, 0)")
    # But for a part of a pixel, which is how far a row is scrolled.
    expect(last).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_role("main").get_by_role("button", name=button, exact=True).first).to_be_in_viewport(ratio=1)
    assert_nothing_overflows(page)
    # And again after the page was left.
    page.goto("/timeline")
    page.goto(path)
    chosen = page.get_by_role("group", name=chips).get_by_role("button", name="Lea")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_in_viewport(ratio=0.99)
