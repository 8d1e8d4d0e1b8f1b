"""How long a device takes, found by tapping: half a minute of flashes, tapped by a script as a finger would."""

import pytest
from playwright.sync_api import expect

from drums_links import SCREEN, chooser, row
from drums_page import browser, looks, open_songs, page  # noqa: F401
from hub import eventually
from pages import hub  # noqa: F401

pytestmark = pytest.mark.by_the_clock

# A finger that comes down so many milliseconds after each flash.
FINGER = """(after) => {
    const target = document.querySelector('.calibration-target');
    new MutationObserver(() => {
        if (target.dataset.flash !== 'on') return;
        setTimeout(() => target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })), after());
    }).observe(target, { attributeFilter: ['data-flash'] });
}"""


def tapped(page, after):  # noqa: F811
    open_songs(page)
    chooser(page)
    row(page, SCREEN).get_by_role("button", name="Measure the delay").click()
    page.get_by_role("button", name="Start with flashes").click()
    expect(page.get_by_role("button", name="Tap here")).to_be_visible()
    page.evaluate(FINGER.replace("after()", after))


@pytest.mark.timeout(120)
def test_what_the_screen_takes_is_the_median_of_taps_kept_on_this_device(hub, page):  # noqa: F811
    tapped(page, "80")
    sheet = page.get_by_role("dialog", name="Measure the delay")
    expect(sheet).to_contain_text("From light to hit:", timeout=45_000)
    expect(sheet).to_contain_text("median of 20 taps")
    sheet.get_by_role("button", name="Keep only this").click()
    expect(row(page, SCREEN)).to_contain_text("median of 20 taps")
    tenths = page.evaluate("() => JSON.parse(localStorage.getItem('tandem.drums.links')).latency[0].median")
    assert tenths >= 800, "the finger's own time, and what the machine added"
    (kept,) = eventually(lambda: hub.get("/api/drums")["people"][0]["settings"]["latency"], what="that the hub is told")
    assert kept["link"] == "screen" and kept["tenths"] == tenths and kept["taps"] == 20


@pytest.mark.timeout(120)
def test_taps_that_are_all_over_the_place_are_not_taken(hub, page):  # noqa: F811
    tapped(page, "(globalThis.turn = (globalThis.turn ?? 0) + 1) % 2 * 300")
    expect(page.get_by_role("dialog", name="Measure the delay")).to_contain_text("Too far apart", timeout=45_000)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
