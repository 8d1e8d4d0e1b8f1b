"""Every screen that there is, in the household of the demo grown to twelve people, as paths to go to.

The list is made of what the shell and the companions register, so that a screen that is added is looked at too.
"""

import re

from hub import ROOT, Hub

EMAIL, PASSWORD = "demo@tandem.local", "tandem-demo"
# Nine more than the demo's three, long and short.
NAMES = ["Bartholomew-Alexander", "Ada", "Ben", "Cleo", "Emil", "Frieda", "Gustav", "Hanna", "Lea"]


def household(folder, web, names=NAMES):
    """A hub with weeks behind it, and with twelve people, or with as many as are named on top of the demo's three."""
    hub = Hub(folder, command="demo", web=web).start(within=180).sign_in(EMAIL, PASSWORD)
    for name in names:
        hub.post("/api/people", {"name": name, "role": "child"})
    return hub


def patterns():
    """The paths that the shell and the companions register, `:id` and all, but for those of what nobody has."""
    own = (ROOT / "Web/pages/own-screens.js").read_text()
    found = re.findall(r'path: "(/[^"]*)"', own)
    for screens in sorted((ROOT / "Companions").glob("*/Web/screens.js")):
        found += re.findall(r'(?:later\(|path: )"(/[^"]+)"', screens.read_text())
    assert len(found) > 40, found
    return found


def paths(hub):
    """The paths of `patterns`, each with what the hub has for it, and the unknown page."""
    child = next(one["id"] for one in hub.get("/api/people") if one["name"] == "Mila")
    month = hub.get(f"/api/brushing/people/{child}/history")
    brushed = [one["id"] for day in month["days"] for one in day["sessions"]]
    if not brushed:
        earlier = hub.get(f"/api/brushing/people/{child}/history?month={month['previous']}")
        brushed = [one["id"] for day in earlier["days"] for one in day["sessions"]]
    days = hub.get(f"/api/drums/days?person={child}")["days"]
    played = hub.get(f"/api/drums/sessions?person={child}&from={days[0]['day']}")["sessions"]
    recordings = [one["id"] for one in hub.get("/api/lab/recordings")["recordings"]]
    pendulum = hub.get("/api/lab/experiments")["experiments"][0]["slug"]
    if not hub.get("/api/lab/classes")["classes"]:
        hub.post("/api/lab/classes", {"name": "Class 8b", "sensors": ["accelerometer"], "hertz": 100})
    lesson = hub.get("/api/lab/classes")["classes"][0]["id"]
    known = {
        "/plants/:id": [hub.get("/api/plants")["plants"][0]["id"]],
        "/brushing/done/:id": [brushed[-1]],
        "/brushing/hooray/:id": [brushed[-1]],
        "/drums/play/:song": [hub.get("/api/drums/songs")["songs"][0]["id"]],
        "/drums/done/:id": [played[0]["id"]],
        "/drums/session/:id": [played[0]["id"]],
        "/drums/day/:date": [days[0]["day"]],
        "/toy/facts/:id": ["1"],
        "/lab/recordings/:id": [recordings[0]],
        "/lab/experiment/:slug": [pendulum],
        "/lab/classes/:id": [lesson],
    }
    found = []
    for pattern in patterns():
        if ":" not in pattern:
            found.append(pattern)
            continue
        assert pattern in known, f"{pattern} is a new screen: every_screen.py wants to know what to open it with"
        found += [re.sub(r":\w+", one, pattern) for one in known[pattern]]
    found += [f"/lab/compare?of={recordings[0]},{recordings[-1]}", "/nowhere"]
    return found


def visit(page, path):
    """Opens a place and waits until it shows what it has."""
    page.goto(path)
    page.locator("main h1, main [role=timer], main .stage, dialog[open]").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => !document.querySelector('.skeleton, [aria-busy=true]')")
