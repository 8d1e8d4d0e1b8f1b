"""Makes pictures from the running app: pictures.py FOLDER [--all].

Those that README.md shows (`make pictures`), or with --all each screen as a phone and a desktop, by day and by night.
"""

import os
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))

import hub as tandem_hub  # noqa: E402

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


def sign_in(page):
    page.goto("/")
    page.get_by_label("Email").fill("demo@tandem.local")
    page.get_by_label("Password", exact=True).fill("tandem-demo")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Places").wait_for()


def settled(page):
    """Waits until the page has what it asked for, its fonts, and no chart or bar that still moves."""
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready")
    page.wait_for_function("() => document.getAnimations().every((animation) => animation.playState === 'finished')")


README = {"plants-desktop-light", "plant-desktop-light", "plant-phone-dark", "today-phone-light"}


def visit(page, shoot):
    page.goto("/")
    page.get_by_label("Email").wait_for()
    shoot("sign-in")
    sign_in(page)
    shoot("today")
    page.goto("/plants")
    page.get_by_role("meter").first.wait_for()
    shoot("plants")
    page.locator("main a[href^='/plants/']").first.click()
    page.locator("canvas").wait_for()
    page.get_by_text("Month", exact=True).click()
    shoot("plant")
    page.goto("/settings")
    page.locator("h1").wait_for()
    shoot("settings")


def main(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        hub = tandem_hub.Hub(pathlib.Path(data) / "data", command="demo", web=ROOT / "web-build").start(within=120)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            for device, size in (("phone", PHONE), ("desktop", DESKTOP)):
                for theme in ("light", "dark"):
                    context = browser.new_context(
                        viewport=size, color_scheme=theme, base_url=hub.url, reduced_motion="reduce", locale="en-GB"
                    )
                    page = context.new_page()

                    def shoot(screen):
                        name = f"{screen}-{device}-{theme}"
                        if wanted is None or name in wanted:
                            settled(page)
                            page.screenshot(path=folder / f"{name}.png")

                    visit(page, shoot)
                    context.close()
        finally:
            browser.close()
            hub.close()
    for picture in sorted(folder.glob("*.png")):
        print(f"{picture}  {picture.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), None if "--all" in sys.argv else README)
