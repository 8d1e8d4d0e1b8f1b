"""A household of fourteen on phones that are small, or held across: who is chosen, and what they press, stay in sight."""

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
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("main").get_by_role("button", name=button, exact=True).first).to_be_in_viewport(ratio=1)
    assert_nothing_overflows(page)
    # And again after the page was left.
    page.goto("/timeline")
    page.goto(path)
    chosen = page.get_by_role("group", name=chips).get_by_role("button", name="Lea")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_in_viewport(ratio=1)
