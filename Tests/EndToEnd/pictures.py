"""Makes the pictures of README.md from the running app: pictures.py FOLDER (see `make pictures`)."""

import os
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

from hub import ROOT

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


def main(folder):
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
                    page.goto("/")
                    page.get_by_label("Email").wait_for()
                    settled(page)
                    page.screenshot(path=folder / f"sign-in-{device}-{theme}.png")
                    sign_in(page)
                    settled(page)
                    page.screenshot(path=folder / f"today-{device}-{theme}.png")
                    page.goto("/plants")
                    page.get_by_role("meter").first.wait_for()
                    settled(page)
                    page.screenshot(path=folder / f"plants-{device}-{theme}.png")
                    page.locator("main a[href^='/plants/']").first.click()
                    page.locator("canvas").wait_for()
                    page.get_by_text("Month", exact=True).click()
                    settled(page)
                    page.screenshot(path=folder / f"plant-{device}-{theme}.png")
                    page.goto("/settings")
                    page.locator("h1").wait_for()
                    settled(page)
                    page.screenshot(path=folder / f"settings-{device}-{theme}.png")
                    context.close()
        finally:
            browser.close()
            hub.close()
    for picture in sorted(folder.glob("*.png")):
        print(f"{picture}  {picture.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
