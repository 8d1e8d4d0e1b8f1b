"""What `make companion` and its tutorial made, in a real hub and a real browser: run by scripts/test-companion.sh, where they are."""

import re

from playwright.sync_api import expect

from hub import Device
from mqtt import mosquitto_pub
from pages import DESKTOP, browser, hub, sign_in, watched  # noqa: F401

SLUG, TITLE = "kettle", "Tea kettle"


def test_it_is_in_the_navigation_and_a_level_of_its_device_is_shown(hub, browser):  # noqa: F811
    assert SLUG in [one["slug"] for one in hub.get("/api/session")["companions"]]
    assert {"kind": SLUG, "title": TITLE, "companion": SLUG} in hub.get("/api/device-kinds")
    made = hub.post("/api/devices", {"kind": SLUG, "name": "Kitchen"})
    device = Device(made["id"], made["token"], hub)
    for page in watched(hub, browser, (DESKTOP, "light")):
        sign_in(page)
        page.get_by_role("navigation", name="Places").get_by_role("link", name=TITLE).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("All is well")
        expect(page.get_by_role("listitem").filter(has_text="Kitchen")).to_contain_text("not heard yet")
        mosquitto_pub(device, "-q", "1", "-t", device.topic("level"), "-m", "90.5")
        expect(page.get_by_role("listitem").filter(has_text="Kitchen")).to_contain_text(re.compile(r"91|90"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Kitchen is high")
        page.get_by_role("navigation", name="Places").get_by_role("link", name="Today").first.click()
        expect(page.locator(f".card[data-companion={SLUG}]")).to_contain_text("Kitchen is high")


def test_what_the_tutorial_makes_notes_a_feeding_and_then_does_not_ask_for_another(hub, browser):  # noqa: F811
    hub.post("/api/devices", {"kind": "fish", "name": "Guppies"})
    for page in watched(hub, browser, (DESKTOP, "light")):
        sign_in(page)
        page.get_by_role("navigation", name="Places").get_by_role("link", name="Fish tank").click()
        row = page.get_by_role("listitem").filter(has_text="Guppies")
        row.get_by_role("button", name="Feed").click()
        expect(row).to_contain_text("fed")
        expect(row.get_by_role("button", name="Feed")).to_have_count(0)
