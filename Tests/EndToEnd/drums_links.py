"""What tests of drums do with links: the sheet, a kit that is joined, a song to its end."""

from playwright.sync_api import expect

from drums_page import played
from single_modules import module

SCREEN, BLUETOOTH, WIFI, MIDI, BLUETOOTH_MIDI = 0, 2, 3, 4, 5


def chooser(page):
    """The sheet about drums, opened from the songs."""
    page.get_by_role("button", name="Choose drums").click()
    sheet = page.get_by_role("dialog", name="Drums to play with")
    expect(row(page, BLUETOOTH_MIDI).first).to_be_visible()  # drums at the hub’s radio are of the same kind
    return sheet


def row(page, kind):
    return page.locator(f".link-row[data-kind='{kind}']")


def current(expression):
    """Script with the page's own `links` in reach."""
    return (
        f"async () => {{ const {{ links }} = await {module('drums/links/links.js')};"
        f" return await ({expression}); }}"
    )


def state(page):
    return page.evaluate(current("links.current?.state ?? null"))


def connect(page, kit, kind):
    """Joins what is emulated, in the sheet that is open, and closes that."""
    row(page, kind).get_by_role("button", name="Connect").click()
    kit.until(lambda: state(page) == "on", 15, "that the kit is on")
    expect(row(page, kind)).to_contain_text("In use")
    page.get_by_role("button", name="Done").click()


def song_ends(page, kit, within=90):
    """The kit plays it to its end; the session's id."""
    kit.until(lambda: "/drums/done/" in page.url, within, f"the end of the song, after {kit.cues},")
    return played(page)
