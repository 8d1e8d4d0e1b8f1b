"""Sharing a brushing: as a picture, by the browser's own way, a copy or a file."""

import re

from playwright.sync_api import expect

from brushing_page import PLANNED, brushed, looks, open_ready, page, passes, start  # noqa: F401
from hub import eventually
from pages import browser, hub  # noqa: F401


def share_sheet(page):
    """Brushes, and opens what can be shared of it."""
    open_ready(page)
    start(page)
    passes(page, PLANNED)
    brushed(page)
    page.get_by_role("button", name="Share").click()
    return page.get_by_role("dialog", name="Share")


def test_sharing_shows_what_will_be_seen_and_the_name_only_where_it_is_wanted(hub, page):
    page.add_init_script(
        "window.shared = []; navigator.canShare = () => true;"
        "navigator.share = async (what) => { window.shared.push([what.text, what.files[0].type, what.files[0].size]); };"
    )
    dialog = share_sheet(page)
    card = dialog.get_by_role("img")
    expect(card).to_have_attribute("aria-label", re.compile("^The first one\\. "))
    dialog.get_by_role("switch", name="With the name").check()
    expect(card).to_have_attribute("aria-label", re.compile("^The first one, Tess\\. "))
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download picture").click()
    assert download.value.suggested_filename == "well-brushed.png"
    assert open(download.value.path(), "rb").read(8) == b"\x89PNG\r\n\x1a\n"
    dialog.get_by_role("button", name="Share picture").click()
    expect(dialog).to_have_count(0)
    [[text, kind, size]] = page.evaluate("window.shared")
    assert text.startswith("The first one, Tess.") and kind == "image/png" and size > 5000


def test_where_nothing_can_be_shared_it_is_copied_or_saved(hub, page):
    page.add_init_script("delete Navigator.prototype.share;")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog = share_sheet(page)
    expect(dialog.get_by_role("button", name="Share picture")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Download picture")).to_have_attribute("data-kind", "primary")
    dialog.get_by_role("button", name="Copy picture").click()
    types = "() => navigator.clipboard.read().then((items) => items.flatMap((item) => item.types))"
    eventually(lambda: page.evaluate(types) == ["image/png"], what="the copy of the picture")
    dialog.get_by_role("button", name="Copy the words").click()
    eventually(lambda: page.evaluate("() => navigator.clipboard.readText()").startswith("The first one."))
