"""The first beats of somebody who has never played, in a real browser with a real hub."""

from playwright.sync_api import expect

from drums_page import KEYS, browser  # noqa: F401
from drums_screens import (  # noqa: F401
    looks, mila, opened, page, sessions,
)  # fmt: skip
from pages import hub  # noqa: F401

# The drum that the hand is on, unless a hit is still to be seen.
ASKED = "() => document.querySelector('.pad[data-state=cue]:not([data-hit]) .tap-hand')?.closest('.pad').dataset.pad"
OVER = "() => Boolean(document.querySelector('.first-award'))"


def test_who_has_never_played_is_led_through_the_first_beats_once_and_nothing_is_kept(hub, page, mila):  # noqa: F811
    opened(page, "/drums", mila)
    page.get_by_role("button", name="Show me how it goes").click()
    page.wait_for_url("**/drums/first?*")
    hits = []
    # A child has no word to read: what a screen reader hears is out of sight.
    expect(page.locator(".first-song[data-wordless] .say")).to_have_css("position", "absolute")
    while not page.evaluate(OVER) and len(hits) < 40:
        page.wait_for_function(f"() => ({ASKED})() || ({OVER})()")
        drum = page.evaluate(ASKED)
        if drum is None:
            continue
        if not hits:
            other = next(one for one in KEYS if one != drum)
            page.keyboard.press(KEYS[other])
            expect(page.locator(f".pad[data-pad={drum}] .tap-hand[data-state=wrong]")).to_be_visible()
        page.keyboard.press(KEYS[drum])
        hits.append(drum)
        page.wait_for_function(f"() => ({ASKED})() !== {drum!r} || ({OVER})()")
    assert list(dict.fromkeys(hits))[:4] == list(KEYS), "each drum once, in its order"
    expect(page.get_by_role("button", name="Play a song")).to_be_focused()
    page.get_by_role("button", name="Play a song").click()
    page.wait_for_url("**/drums?person=*")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Show me how it goes")).to_have_count(0)
    assert sessions(hub, mila) == []
    assert hub.get("/api/drums")["active"] == []
    page.goto(f"/drums/settings?person={mila['id']}")
    page.get_by_role("button", name="Show me").click()
    page.get_by_role("button", name="Skip").click()
    page.wait_for_url("**/drums?person=*")
