"""axe-core (WCAG 2.2 A and AA) over each screen, and each sheet that a button of one opens."""

import importlib.resources
import re

import pytest

from hub import Hub, eventually
from pages import DESKTOP, PHONE, browser, new_page  # noqa: F401

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SCREENS = {
    "the house": ["/", "/settings", "/settings/reminders", "/wall", "/timeline", "/welcome", "/nowhere"],
    "plants": ["/plants", "/plants/PLANT"],
    "brushing": ["/brushing", "/brushing/tips", "/brushing/settings", "/brushing/history"],
    "drums": ["/drums", "/drums/settings", "/drums/data", "/drums/report", "/drums/goals"],
    "toy": [
        "/toy", "/toy/categories", "/toy/toys", "/toy/facts/1", "/toy/play", "/toy/rules", "/toy/week", "/toy/import",
        "/toy/messages", "/toy/set-up", "/toy/original",
    ],
    "lab": [
        "/lab", "/lab/gyroscope", "/lab/accelerometer", "/lab/haptics", "/lab/barometer", "/lab/recordings",
        "/lab/experiments", "/lab/experiment/pendulum", "/lab/phones",
    ],
}  # fmt: skip
# What opens no sheet: it begins something, leads elsewhere, or changes what others look at.
NOT_PRESSED = re.compile(
    r"Sign out|watered|Record|Zero| tap|Success|Warning|Error|Selection|Remove part|Start|Begin|Play|Snooze|Done|Silence|Pause|Download|Print|Copy|Share|Again|Retry|Try|Not now"
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory, web):
    """A household with weeks behind it."""
    hub = Hub(tmp_path_factory.mktemp("accessible") / "data", command="demo", web=web).start(within=180)
    yield hub
    hub.close()


def visit(page, path):
    page.goto(path)
    page.locator("main h1, dialog[open]").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => !document.querySelector('.skeleton, [aria-busy=true]')")


def findings(page, where):
    """What axe-core finds wrong with what is to be seen now."""
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(f"() => {{ {AXE} }}")
    found = page.evaluate(
        "async (values) => (await axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }))"
        ".violations.map(({ id, help, nodes }) => [id, help, nodes.slice(0, 3).map(({ html, any, all, none }) =>"
        " [html.slice(0, 160), [...any, ...all, ...none].map(({ message }) => message).join(' ').slice(0, 200)])])",
        RULES,
    )
    return [f"{where}: {rule}: {words}: {nodes}" for rule, words, nodes in found]


def sheets(page, path):
    """Opens the sheets of a screen one by one, and looks at each."""
    names = page.evaluate(
        "() => [...new Set([...document.querySelectorAll('main button, header button')].filter((one) => one.checkVisibility()"
        " && !one.disabled && !one.closest('[aria-pressed], .segmented, .chips')"
        " && !one.hasAttribute('aria-pressed') && !one.hasAttribute('aria-expanded'))"
        ".map((one) => one.getAttribute('aria-label') ?? one.innerText.trim()))]"
    )
    for name in names:
        if not name or NOT_PRESSED.search(name):
            continue
        button = page.locator("main, header").get_by_role("button", name=name, exact=True).first
        if not button.count() or not button.is_visible():
            continue
        button.click()
        opened = page.locator("dialog[open]")
        try:
            opened.first.wait_for(timeout=700)
        except Exception:  # a button that opens nothing
            if not page.url.endswith(path):
                visit(page, path)
            continue
        yield name
        page.keyboard.press("Escape")
        eventually(lambda: opened.count() == 0, what=f"the end of “{name}”")


# Each sheet of a dozen screens, with axe.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("place", SCREENS)
@pytest.mark.parametrize("looks", [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone-light", "desktop-dark"])
def test_every_screen_and_every_sheet_is_accessible(demo, browser, looks, place):  # noqa: F811
    page = new_page(demo, browser, looks, has_haste=True)
    visit(page, "/")
    found = findings(page, "sign-in")
    page.get_by_label("Email").fill("demo@tandem.local")
    page.get_by_label("Password", exact=True).fill("tandem-demo")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Places").wait_for()
    [plant, *_] = page.evaluate("async () => (await (await fetch('/api/plants')).json()).plants.map(({ id }) => id)")
    for path in SCREENS[place]:
        path = path.replace("PLANT", plant)
        visit(page, path)
        found += findings(page, path)
        if looks[0] == PHONE:
            for name in sheets(page, path):
                found += findings(page, f"{path}, {name}")
    page.context.close()
    assert found == [], "\n".join(found)
