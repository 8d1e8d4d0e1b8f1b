"""Makes pictures from the running app: pictures.py FOLDER [--all | NAME ...].

Those that README.md and the site show (`make pictures`), or with --all each screen as a phone and a desktop, by day and by
night. A picture is called after its screen, device and theme: toy-play-phone-dark. The browser comes as phones do, to the hub's
name and its usual ports of the local network, 8443 and 8883, and the hub's clock says early evening of today, in Berlin.
"""

import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zoneinfo

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))

import chromium  # noqa: E402
import hub as tandem_hub  # noqa: E402
from hub import code_of  # noqa: E402

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
HOST = "linden.local"
ORIGIN = f"https://{HOST}:8443"
LAN = ("--lan", "--name", "linden", "--origin", ORIGIN)

SHOWN = {
    "trust-phone-light", "add-phone-desktop-light", "first-run-phone-light", "first-run-companions-desktop-light",
    "today-desktop-light", "wall-desktop-dark", "add-device-phone-light",
    "plants-desktop-light", "plant-desktop-light", "plant-phone-dark",
    "brushing-session-phone-dark", "brushing-children-phone-light", "brushing-history-desktop-light",
    "drums-play-phone-light", "drums-data-phone-dark", "drums-session-desktop-light", "drums-report-desktop-light",
    "toy-desktop-light", "toy-play-phone-dark", "toy-rules-phone-light",
    "lab-phone-light", "lab-spectrum-phone-light", "lab-recording-desktop-light", "lab-compare-desktop-light", "class-desktop-light",
    "class-guest-phone-light",
}  # fmt: skip

# What an iPhone calls itself: the wizard then shows its steps.
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.1 Mobile/15E148 Safari/604.1"
)


class Studio:
    """A browser, the folder of the pictures, and which of them are wanted."""

    def __init__(self, browser, folder, wanted):
        self.browser, self.folder, self.wanted = browser, folder, wanted

    def wants(self, screen, look):
        return self.wanted is None or f"{screen}-{look[0]}-{look[1]}" in self.wanted

    def page(self, look, **more):
        device, theme = look
        return self.browser.new_context(
            viewport=SIZES[device], color_scheme=theme, base_url=ORIGIN, reduced_motion="reduce", locale="en-GB",
            timezone_id=str(ZONE), ignore_https_errors=True, **more,
        ).new_page()  # fmt: skip

    def shoot(self, page, screen, look, asks_on=False, **how):
        """asks_on: the page goes on asking the hub for news."""
        if not self.wants(screen, look):
            return
        # What the page has asked for is there, its fonts too, and no chart or bar moves any more.
        if not asks_on:
            page.wait_for_load_state("networkidle")
        page.evaluate("() => document.fonts.ready")
        page.wait_for_function(
            "() => document.getAnimations().every((one) => one.playState === 'finished'"
            " || one.effect.getComputedTiming().iterations === Infinity)"
        )
        page.screenshot(path=self.folder / f"{screen}-{look[0]}-{look[1]}.png", **how)


def looks():
    return [(device, theme) for device in SIZES for theme in ("light", "dark")]


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


# Places: how to get there, signed in, and what is waited for.


def place(path, role, name):
    """A place whose element of that role and name shows that it is there."""

    def open_it(page):
        page.goto(path)
        page.get_by_role(role, name=name).first.wait_for()

    return open_it


def place_with(path, selector):
    def open_it(page):
        page.goto(path)
        page.locator(selector).first.wait_for()

    return open_it


def first_of(path, link, selector):
    """The first of a list."""

    def open_it(page):
        page.goto(path)
        page.locator(f"main a[href^='{link}']").first.click()
        page.locator(selector).first.wait_for()

    return open_it


def plant(page):
    first_of("/plants", "/plants/", "canvas")(page)
    page.get_by_text("Month", exact=True).click()


def add_device(page):
    page.goto("/plants")
    press(page, "More")
    page.get_by_role("button", name="Add device").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("The basil’s sensor")
    sheet.get_by_role("button", name="Add device").click()
    sheet.get_by_text("This turns green by itself.").wait_for()


def drums_links(page):
    page.goto("/drums")
    page.get_by_role("button", name="Choose drums").first.click()
    page.get_by_role("dialog").get_by_text("Electronic drums on a cable").wait_for()


def invitation(page):
    page.goto("/settings")
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("img", name="QR code").last.wait_for()


def who(page):
    page.goto("/settings")
    page.get_by_role("button", name="uses this device. Change").first.click()
    page.get_by_role("dialog").wait_for()


def spectrum(page):
    """A phone that lies flat and is shaken along x by 0.31 g · sin(2π · 2 Hz · t)."""
    page.goto("/lab/accelerometer")
    press(page, "Start")
    page.evaluate(
        "() => setInterval(() => { const x = 0.31 * 9.80665 * Math.sin(4 * Math.PI * performance.now() / 1000);"
        " dispatchEvent(new DeviceMotionEvent('devicemotion', { accelerationIncludingGravity: { x, y: 0, z: 9.80665 },"
        " rotationRate: { alpha: 0, beta: 0, gamma: 0 }, interval: 16 })); }, 16)"
    )
    section = page.locator("section", has=page.get_by_role("heading", name="Spectrum"))
    section.locator(".lead", has_text=re.compile(r"Strongest along x: 2 Hz.* 0\.3(?:09|1|11) g")).wait_for()
    section.evaluate("(node) => node.scrollIntoView()")


def toy(page):
    """The facts that a child has heard: who is signed in has heard none."""
    page.goto("/toy")
    page.get_by_role("button", name="Mila").click()
    page.locator("main li:visible").first.wait_for()


PLACES = {
    "today": place_with("/", ".card"),
    "plants": place("/plants", "meter", re.compile("")),
    "plant": plant,
    "add-device": add_device,
    "brushing-history": place("/brushing/history", "region", re.compile("")),
    "brushing-tips": place("/brushing/tips", "region", re.compile("")),
    "brushing-settings": place("/brushing/settings", "region", re.compile("")),
    "drums": place_with("/drums", ".rhythm rect"),
    "drums-links": drums_links,
    "drums-settings": place("/drums/settings", "switch", re.compile("")),
    "drums-data": place_with("/drums/data", "svg.plot"),
    "drums-session": first_of("/drums/data", "/drums/session/", "svg.score"),
    "drums-report": place("/drums/report", "heading", "What this does not show"),
    "toy": toy,
    "toy-play": place("/toy/play", "button", "Next fact"),
    "toy-rules": place("/toy/rules", "switch", re.compile("")),
    "lab": place_with("/lab", "main li:visible"),
    "lab-spectrum": spectrum,
    "lab-recording": first_of("/lab/recordings", "/lab/recordings/", "main svg.plot"),
    "wall": place_with("/wall", ".wall-time"),
    "settings": place("/settings", "heading", "Add a phone"),
    "invitation": invitation,
    "who": who,
    "welcome": place_with("/welcome", "#can-bluetooth"),
}


def sign_in(page, hub, then=lambda: None):
    password = re.search(r"with the password (\S+)", hub.log)[1]
    page.goto("/")
    # The steps by which a device learns to trust the hub come first, as nobody has told this browser to.
    press(page, "Skip for now")
    page.get_by_label("Email").wait_for()
    then()
    page.get_by_label("Email").fill("demo@tandem.local")
    page.get_by_label("Password", exact=True).fill(password)
    press(page, "Sign in")
    page.get_by_role("navigation", name="Places").wait_for()


def visit(studio, hub, look):
    """The places of the sample household."""
    screens = [screen for screen in PLACES if studio.wants(screen, look)]
    if not screens:
        return
    page = studio.page(look)
    sign_in(page, hub, lambda: studio.shoot(page, "sign-in", look))
    for screen in screens:
        PLACES[screen](page)
        studio.shoot(page, screen, look)
    page.context.close()


def brush(studio, hub, look, name, screen):
    """A session that is a third through its first quarter."""
    if not studio.wants(screen, look):
        return
    page = studio.page(look)
    sign_in(page, hub)
    page.goto("/brushing")
    page.get_by_role("button", name=name).click()
    press(page, "Start brushing")
    page.get_by_role("timer").wait_for()
    page.wait_for_function(
        "() => +/(\\d+) seconds left/.exec(document.querySelector('[role=timer]').getAttribute('aria-label'))[1] <= 19"
    )
    studio.shoot(page, screen, look)
    page.context.close()


def drum(studio, hub, look):
    """A song that waits for a drum, some beats after it began."""
    if not studio.wants("drums-play", look):
        return
    page = studio.page(look)
    sign_in(page, hub)
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
    studio.shoot(page, "drums-play", look)
    page.context.close()


# A phone that lies flat and is swung along x, from its first moment on: all have one clock.
SWING = """
    setInterval(() => {
        const t = (performance.timeOrigin + performance.now()) / 1000;
        const x = AMPLITUDE * Math.sin(2 * Math.PI * HERTZ * (t - LAG));
        dispatchEvent(new DeviceMotionEvent("devicemotion", {
            accelerationIncludingGravity: { x, y: 0, z: 9.80665 }, acceleration: { x, y: 0, z: 0 },
            rotationRate: { alpha: 0, beta: 0, gamma: 0 }, interval: 16,
        }));
    }, 16);
"""
HERTZ, RUN = 0.7, 13
# m/s², and seconds behind the first.
SWINGS = {"Noor": (3, 0), "Emil": (1.5, 0.25), "Jo": (2, 0.5)}
IN_CLASS = ("class", "class-guest", "lab-compare")


def holds_class(studio, theme):
    return any(studio.wants(screen, (device, theme)) for screen in IN_CLASS for device in SIZES)


def humps(page, curve):
    """How often a drawn curve goes up through the middle of where it goes."""
    path = page.locator(curve).first.get_attribute("d")
    heights = [-float(y) for y in re.findall(r"[ML][\d.-]+ ([\d.-]+)", path)]
    middle = (max(heights) + min(heights)) / 2
    room = (max(heights) - min(heights)) / 10
    is_up, count = None, 0
    for height in heights:
        if abs(height - middle) > room:
            count += height > middle and is_up is False
            is_up = height > middle
    return count


def hold_class(studio, page, theme):
    """A class that swings its phones 0.7 times a second, on the page of whoever leads it, and its run laid over each other."""
    page.goto("/lab/classes")
    press(page, "Start a class")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name of the class").fill("Class 8b")
    sheet.get_by_label("How long each run takes").fill(str(RUN))
    sheet.get_by_role("button", name="Start a class").click()
    page.get_by_role("img", name="QR code that leads into the class").wait_for()
    link = f"/lab/class#{page.locator('.class-code').text_content()}"
    guests = []
    for name, (amplitude, lag) in SWINGS.items():
        guest = studio.page(("phone", theme))
        guest.add_init_script(
            SWING.replace("AMPLITUDE", str(amplitude)).replace("HERTZ", str(HERTZ)).replace("LAG", str(lag))
        )
        guest.goto(link)
        guest.get_by_label("What shall we call you?").fill(name)
        press(guest, "Join in")
        press(guest, "Get ready")
        guest.get_by_role("heading", name="Ready: wait for the start").wait_for()
        guests.append(guest)
    studio.shoot(guests[0], "class-guest", ("phone", theme), asks_on=True)
    page.get_by_role("heading", name="3 phones are in, and ready").wait_for()
    press(page, "Start all phones")
    for guest in guests:
        guest.get_by_role("heading", name="It has arrived").wait_for()
    page.get_by_role("link", name="Lay the last run over each other").wait_for()
    # By the formula HERTZ · RUN swings, which is 9.1.
    tandem_hub.eventually(
        lambda: all(8 <= humps(page, f".class-curve:nth-child({number}) path.line") <= 10 for number in (1, 2, 3)),
        what="nine humps of each phone",
    )
    for device in SIZES:
        page.set_viewport_size({**SIZES[device], "height": 1250})
        studio.shoot(page, "class", (device, theme), asks_on=True)
    # Two of them, a quarter of a second and half of the strength apart.
    recordings = page.evaluate("async () => (await (await fetch('/api/lab/recordings')).json()).recordings")
    ids = {one["guest"]["name"]: one["id"] for one in recordings}
    page.goto(f"/lab/compare?of={ids['Noor']},{ids['Emil']}")
    page.locator(".recording-chart path.line").nth(1).wait_for()
    for device in SIZES:
        page.set_viewport_size(SIZES[device])
        studio.shoot(page, "lab-compare", (device, theme))
    for guest in guests:
        guest.context.close()


FOUND = ("trust", "first-run", "first-run-companions", "add-phone")


def find(studio, hub, look):
    """A phone that does not trust the hub yet, the first run of a new hub, and a class, since phones and hub have one clock."""
    page = studio.page(look, user_agent=IPHONE if look[0] == "phone" else None)
    page.add_init_script(
        "navigator.serviceWorker.register = async () => { throw new Error('An SSL certificate error occurred'); }"
    )
    page.goto("/welcome")
    page.locator("#can-bluetooth").wait_for()
    studio.shoot(page, "trust", look, full_page=True, clip={"x": 0, "y": 0, **SIZES[look[0]], "height": 966})
    press(page, "Set up this house")
    page.get_by_label("Household").fill("Linden Street 5")
    press(page, "Go on")
    page.get_by_label("Code").fill(code_of(hub))
    page.get_by_label("Your name").fill("Johanna")
    page.get_by_label("Email").fill("johanna@example.org")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    press(page, "Create account")
    page.get_by_text("Step 3 of 5").wait_for()
    for name, year in (("Mila", "2017"), ("Theo", "2020")):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Year of birth").fill(year)
        press(page, "Add child")
        page.get_by_role("button", name=f"Remove {name}").wait_for()
    studio.shoot(page, "first-run", look)
    page.get_by_role("button", name="go on").click()
    page.get_by_text("Step 4 of 5").wait_for()
    studio.shoot(page, "first-run-companions", look)
    press(page, "Go on")
    press(page, "Skip for now")
    page.get_by_role("navigation", name="Places").wait_for()
    page.goto("/settings")
    heading = page.get_by_role("heading", name="Add a phone")
    heading.wait_for()
    page.get_by_role("img", name="QR code").wait_for()
    heading.evaluate("(node) => node.scrollIntoView({ block: 'start' })")
    # Below it the page says whether this machine's network knows the name.
    part = {"x": 480, "y": 0, "width": 800, "height": 545} if look[0] == "desktop" else None
    studio.shoot(page, "add-phone", look, clip=part)
    if look[0] == "desktop" and holds_class(studio, look[1]):
        hold_class(studio, page, look[1])
    page.context.close()


def evening(folder):
    """A wrapper under which a hub has an early evening."""
    library = folder / "wall_clock.so"
    compiler = shutil.which("cc") or shutil.which("clang")
    source = pathlib.Path(__file__).parent / "wall_clock.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    moment = datetime.datetime.now(ZONE).replace(hour=17, minute=40)
    return ["env", f"TZ={ZONE}", f"WALL_CLOCK={int(moment.timestamp())}", f"LD_PRELOAD={library}"]


def main(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    before = {picture: picture.stat().st_mtime_ns for picture in folder.glob("*.png")}
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        data = pathlib.Path(data)
        # The hub is on this machine, and fields have dates as the pages do: Chromium goes by its environment there.
        browser = playwright.chromium.launch(
            **chromium.options(f"--host-resolver-rules=MAP {HOST} 127.0.0.1"), env={**os.environ, "LANGUAGE": "en_GB"}
        )
        studio = Studio(browser, folder, wanted)
        try:
            for look in looks():
                is_wanted = any(studio.wants(screen, look) for screen in FOUND)
                if not is_wanted and not (look[0] == "desktop" and holds_class(studio, look[1])):
                    continue
                # A hub has a first run once.
                hub = tandem_hub.Hub(data / "-".join(look), *LAN, web=ROOT / "web-build").start()
                try:
                    find(studio, hub, look)
                finally:
                    hub.close()
            hub = tandem_hub.Hub(data / "sample", *LAN, command="demo", web=ROOT / "web-build")
            hub.wrapper = evening(data)
            hub.start(within=300)
            tandem_hub.eventually(lambda: "with the password" in hub.log, what="the sample’s password")
            try:
                for look in looks():
                    visit(studio, hub, look)
                    brush(studio, hub, look, "Mila", "brushing-session")
                    brush(studio, hub, look, "Theo", "brushing-children")
                    drum(studio, hub, look)
            finally:
                hub.close()
        finally:
            browser.close()
    made = [picture for picture in sorted(folder.glob("*.png")) if picture.stat().st_mtime_ns != before.get(picture)]
    # To a third of its size, and to the eye the same: flat colours are what these pictures are of.
    quantised = ["pngquant", "--force", "--skip-if-larger", "--strip", "--quality=80-100", "--ext=.png", "--", *made]
    subprocess.run(quantised, check=False)
    for picture in made:
        print(f"{picture}  {picture.stat().st_size // 1024} KB")
    missing = sorted((wanted or set()) - {picture.stem for picture in made})
    if missing:
        sys.exit(f"Not made: {', '.join(missing)}")


if __name__ == "__main__":
    names = set(sys.argv[2:])
    main(pathlib.Path(sys.argv[1]), None if "--all" in names else names or SHOWN)
