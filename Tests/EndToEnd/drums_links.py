"""What tests of drums do with links: the sheet, a kit that is joined, a song that is played on it."""

from playwright.sync_api import expect

SCREEN, BLUETOOTH, WIFI, MIDI, BLUETOOTH_MIDI = 0, 2, 3, 4, 5


def chooser(page):
    """The sheet about drums, opened from the songs."""
    page.get_by_role("button", name="Choose link").click()
    sheet = page.get_by_role("dialog", name="Drums to play with")
    expect(row(page, BLUETOOTH_MIDI)).to_be_visible()
    return sheet


def row(page, kind):
    return page.locator(f".link-row[data-kind='{kind}']")


def current(expression):
    """Script with the page's own `links` in reach."""
    return (
        "async () => { const at = document.querySelector('link[rel=modulepreload]').getAttribute('href');"
        " const { links } = await import(at.match(/^\\/app\\/[^/]+\\//)[0] + 'drums/links/links.js');"
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


def play(page, song=None):
    """Plays a song, the first in the list unless one is named."""
    if song:
        page.get_by_role("listitem").filter(has_text=song).get_by_role("button", name="Play").click()
    else:
        page.get_by_role("button", name="Play").first.click()
    expect(page.get_by_role("button", name="Stop the song")).to_be_visible()


def song_ends(page, kit, within):
    kit.until(lambda: "/drums/done/" in page.url, within, "the end of the song")


def sessions(hub):
    """What the hub has stored of the one person of the house."""
    person = hub.get("/api/session")["person"]["id"]
    return hub.get(f"/api/drums/sessions?person={person}")["sessions"]
