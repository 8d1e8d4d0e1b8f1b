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

import chromium  # noqa: E402
import hub as tandem_hub  # noqa: E402
from hub import code_of  # noqa: E402

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


README = {
    "plants-desktop-light", "plant-desktop-light", "plant-phone-dark", "today-phone-light",
    "brushing-session-phone-dark", "brushing-children-phone-light", "brushing-history-desktop-light",
    "drums-play-phone-light", "drums-data-phone-dark", "drums-session-desktop-light",
    "toy-desktop-light", "toy-play-phone-dark", "lab-phone-light", "lab-recording-desktop-light", "wall-desktop-dark",
}  # fmt: skip


def brush(page, shoot, name, scene):
    """A session that has just begun."""
    sign_in(page)
    page.goto("/brushing")
    page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Start brushing").wait_for()
    if scene == "brushing-session":
        shoot("brushing")
    page.get_by_role("button", name="Start brushing").click()
    page.get_by_role("timer").wait_for()
    # What is to be seen: a third of a quarter.
    page.wait_for_function(
        "() => +/(\\d+) seconds left/.exec(document.querySelector('[role=timer]').getAttribute('aria-label'))[1] <= 19"
    )
    shoot(scene)


def drum(page, shoot):
    """A song that waits for a drum, some beats after it began."""
    sign_in(page)
    page.goto("/drums")
    page.get_by_role("button", name="Play Ode to Joy").first.click()
    for _ in range(6):
        cue = page.locator(".pad[data-state=cue]")
        cue.wait_for()
        page.get_by_text("The music waits for you.", exact=True).wait_for()
        shown = cue.get_attribute("data-pad")
        page.keyboard.press({"red": "f", "orange": "g", "blue": "h", "yellow": "j"}[shown])
        page.locator(".lead", has_text="Yes").wait_for()
    page.get_by_text("The music waits for you.", exact=True).wait_for()
    shoot("drums-play")


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
    for room in ("tips", "settings", "history"):
        page.goto(f"/brushing/{room}")
        page.get_by_role("region").first.wait_for()
        shoot(f"brushing-{room}")
    page.goto("/drums")
    page.locator(".rhythm rect").first.wait_for()
    shoot("drums")
    page.goto("/drums/settings")
    page.get_by_role("switch").first.wait_for()
    shoot("drums-settings")
    page.goto("/drums/data")
    page.locator("svg.plot").first.wait_for()
    shoot("drums-data")
    page.locator("main a[href^='/drums/session/']").first.click()
    page.locator("svg.score").first.wait_for()
    shoot("drums-session")
    page.goto("/drums/report")
    page.get_by_role("heading", name="What this does not show").wait_for()
    shoot("drums-report")
    page.goto("/toy")
    page.get_by_text("Hear a fact").first.wait_for()
    shoot("toy")
    page.goto("/toy/play")
    page.get_by_text("Next fact").wait_for()
    shoot("toy-play")
    page.goto("/lab")
    page.get_by_text("Gyroscope").first.wait_for()
    shoot("lab")
    page.goto("/lab/recordings")
    page.locator("main a[href^='/lab/recordings/']").first.click()
    page.locator("main svg.plot").first.wait_for()
    shoot("lab-recording")
    page.goto("/wall")
    page.locator(".wall-time").wait_for()
    shoot("wall")
    page.goto("/settings")
    page.get_by_role("heading", name="Add a phone").wait_for()
    shoot("settings")
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("img", name="QR code").last.wait_for()
    shoot("invitation")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="uses this device. Change").first.click()
    page.get_by_role("dialog").wait_for()
    shoot("who")
    page.goto("/welcome")
    page.get_by_text("Bluetooth", exact=True).wait_for()
    shoot("welcome")


# What an iPhone calls itself: the wizard then shows its steps.
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.1 Mobile/15E148 Safari/604.1"
)


def found(page, shoot, hub):
    """The wizard on a phone that does not trust the hub yet, and the first run of a new hub."""
    page.add_init_script(
        "navigator.serviceWorker.register = async () => { throw new Error('An SSL certificate error occurred'); }"
    )
    page.goto(f"https://127.0.0.1:{hub.https_port}/welcome")
    page.get_by_text("Bluetooth", exact=True).wait_for()
    shoot("wizard", full_page=True)
    page.goto(hub.url)
    page.get_by_label("Household").wait_for()
    shoot("first-run-1")
    page.get_by_label("Household").fill("Linden Street 5")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Code").fill(code_of(hub))
    page.get_by_label("Your name").fill("Johanna")
    page.get_by_label("Email").fill("johanna@example.org")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    shoot("first-run-2")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("Step 3 of 5").wait_for()
    page.get_by_label("Name", exact=True).fill("Mila")
    page.get_by_role("button", name="Add child").click()
    page.get_by_role("button", name="Remove Mila").wait_for()
    shoot("first-run-3")
    page.get_by_role("button", name="go on").click()
    page.get_by_text("Step 4 of 5").wait_for()
    shoot("first-run-4")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("Step 5 of 5").wait_for()
    shoot("first-run-5")


def main(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        hub = tandem_hub.Hub(pathlib.Path(data) / "data", command="demo", web=ROOT / "web-build").start(within=120)
        browser = playwright.chromium.launch(**chromium.options())
        try:
            for device, size in (("phone", PHONE), ("desktop", DESKTOP)):
                for theme in ("light", "dark"):

                    def shoot(screen, **how):
                        name = f"{screen}-{device}-{theme}"
                        if wanted is None or name in wanted:
                            settled(page)
                            page.screenshot(path=folder / f"{name}.png", **how)

                    looks = dict(viewport=size, color_scheme=theme, reduced_motion="reduce", locale="en-GB")
                    context = browser.new_context(base_url=hub.url, **looks)
                    page = context.new_page()
                    visit(page, shoot)
                    context.close()
                    for name, scene in (("Mila", "brushing-session"), ("Theo", "brushing-children")):
                        if wanted is None or any(one.startswith(scene) and f"{device}-{theme}" in one for one in wanted):
                            context = browser.new_context(base_url=hub.url, **looks)
                            page = context.new_page()
                            brush(page, shoot, name, scene)
                            context.close()
                    if wanted is None or f"drums-play-{device}-{theme}" in wanted:
                        context = browser.new_context(base_url=hub.url, **looks)
                        page = context.new_page()
                        drum(page, shoot)
                        context.close()
                    if wanted is None:
                        agent = IPHONE if device == "phone" else None
                        context = browser.new_context(user_agent=agent, ignore_https_errors=True, **looks)
                        page = context.new_page()
                        fresh = tandem_hub.Hub(
                            pathlib.Path(data) / f"{device}-{theme}", web=ROOT / "web-build", lan="linden"
                        ).start(within=60)
                        try:
                            found(page, shoot, fresh)
                        finally:
                            context.close()
                            fresh.close()
        finally:
            browser.close()
            hub.close()
    for picture in sorted(folder.glob("*.png")):
        print(f"{picture}  {picture.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), None if "--all" in sys.argv else README)
