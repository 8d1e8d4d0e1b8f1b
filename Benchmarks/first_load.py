"""
What it takes until the page can be used: bytes on the wire and time, as a phone on a slow network would have it.

    first_load.py [--rounds 5] [--fast] [--plain] [--only house-again] [--web FOLDER [--web FOLDER]]

Slow 4G as Lighthouse has it (562.5 ms and 1.44 Mbit/s for a request, 150 ms a round trip) and a processor four times
slower, both by Chromium's own throttling. `--fast` leaves both out. Over HTTPS with HTTP/2, as phones come, or with
`--plain` over HTTP/1.1; the certificate is not what is measured, and not looked at. "Usable" is the house with its places, its
sentence and the plants' band; Brushing with its button "Start brushing", which a finger would meet, and Drums with its
songs; the wizard of a new device with its list of what the device can do. What is loaded again comes from the service
worker, in a profile on disk, so that compiled code is kept as phones keep it: there the processor is slowed and the
network as it is, and the wizard is unthrottled, from the address that was typed. Chart.js is not among the bytes: no
page asks for it before a chart is to be drawn.

With two web folders each load is made of one and then of the other, so that what else the machine does counts for
both, and their medians are set in proportion.
"""

import argparse
import os
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from playwright.sync_api import expect, sync_playwright  # noqa: E402

import chromium  # noqa: E402
from hub import EMAIL, PASSWORD, Hub, copy_of, prepare  # noqa: E402
from results import Results  # noqa: E402

SLOW_4G = {
    "offline": False, "latency": 562.5, "downloadThroughput": 1_474_560 / 8, "uploadThroughput": 675_000 / 8,
}  # fmt: skip
PHONE = {"width": 390, "height": 844}
NAMES = ["linden", "alder"]  # of hubs: cookies know no ports
WARM = 3  # visits until Chromium keeps what it compiled
# Marked by the page itself, at the frame in which it is there.
WATCH = """
    const isThere = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    };
    const look = () => {
        const isDoor = document.querySelector('form [type=email]');
        const isHouse = document.querySelector('nav.places') && document.querySelector('.card-figure > *');
        const isWizard = document.querySelector('.capabilities > *');
        const isReady = [...document.querySelectorAll('.start')].some((one) => !one.disabled && isThere(one));
        const isListed = document.querySelector('.songs .song');
        if (document.querySelector('nav.places')) performance.mark('house');
        if (isDoor || isHouse || isWizard || isReady || isListed) performance.mark('usable');
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


class Load:
    """One load of a page: its bytes by path, and when it could be used, milliseconds."""

    def __init__(self, page, url, is_slow, network=None):
        page.add_init_script(WATCH)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Performance.enable")
        paths, self.bytes = {}, {}
        session.on("Network.requestWillBeSent", lambda one: paths.__setitem__(one["requestId"], one["request"]["url"]))
        session.on("Network.loadingFinished", lambda one: self.note(paths.get(one["requestId"], ""), one))
        if network:
            session.send("Network.emulateNetworkConditions", network)
        if is_slow:
            session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(url, wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('usable').length > 0", timeout=60_000)
        self.usable = page.evaluate("() => performance.getEntriesByName('usable')[0].startTime")
        self.painted = page.evaluate("() => performance.getEntriesByType('paint')[0]?.startTime ?? 0")
        page.wait_for_load_state("load")
        page.wait_for_timeout(1000)  # what comes after it, such as the icons of the browser's own bar
        self.requests = len(paths)
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        self.busy = metrics["TaskDuration"] * 1000
        session.detach()

    def note(self, url, finished):
        path = re.sub(r"^https?://[^/]+(/app/[^/]+(?=/))?", "", url)
        self.bytes[path] = self.bytes.get(path, 0) + finished["encodedDataLength"]

    @property
    def total(self):
        return sum(count for path, count in self.bytes.items() if "chart" not in path)


class HubApp:
    """A hub that serves one web folder, a browser that has been there before, and what its loads took."""

    def __init__(self, folder, prepared, web, name, playwright, is_slow, is_plain):
        self.web, self.is_slow = web, is_slow
        self.hub = Hub(copy_of(prepared, folder / name), web=web, lan=None if is_plain else name).start().signed_in()
        plant = {"name": "Fern", "place": "Shelf", "art": "fern", "limits": {"low": 30, "high": 75}, "virtual": True}
        self.hub.post("/api/plants", plant)
        origin = self.hub.url if is_plain else self.hub.origin
        self.look = {"viewport": PHONE, "base_url": origin, "locale": "en-GB"}
        options = chromium.options("--ignore-certificate-errors", f"--host-resolver-rules=MAP {self.hub.name} 127.0.0.1")
        self.browser = playwright.chromium.launch(**options)
        self.known = playwright.chromium.launch_persistent_context(folder / f"{name}-profile", **self.look, **options)
        self.known.add_init_script("localStorage.setItem('tandem.welcomed', '1')")
        page = self.known.new_page()
        self.sign_in(page)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=120_000)
        for path in ["/", "/brushing", "/drums"] * WARM:
            page.goto(path)
            page.wait_for_timeout(1000)
        page.close()
        self.loads = {}

    def sign_in(self, page):
        page.goto("/")
        page.get_by_label("Email").fill(EMAIL)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("navigation", name="Places")).to_be_visible(timeout=60_000)

    def again(self, path):
        page = self.known.new_page()
        load = Load(page, path, self.is_slow)
        page.close()
        return load

    def first(self, is_signed_in=True, is_new=False):
        context = self.browser.new_context(**self.look)
        if is_signed_in:
            context.add_cookies(self.known.cookies())
        if not is_new:
            context.add_init_script("localStorage.setItem('tandem.welcomed', '1')")
        is_slow = self.is_slow and not is_new
        load = Load(context.new_page(), "/", is_slow, SLOW_4G if is_slow else None)
        context.close()
        return load

    def close(self):
        self.known.close()
        self.browser.close()
        self.hub.close()


LOADS = {
    "door-first": lambda app: app.first(is_signed_in=False),
    "house-first": lambda app: app.first(),
    "house-again": lambda app: app.again("/"),
    "brushing-again": lambda app: app.again("/brushing"),
    "drums-again": lambda app: app.again("/drums"),
    "new-device": lambda app: app.first(is_signed_in=False, is_new=True),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROUNDS", "5")))
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--plain", action="store_true", help="HTTP/1.1 in place of HTTPS with HTTP/2")
    parser.add_argument("--paths", action="store_true", help="each path with its bytes")
    parser.add_argument("--only", action="append", choices=LOADS, help="these loads and no others")
    parser.add_argument("--web", action="append", type=pathlib.Path, help="another web folder than web-build; two by turns")
    arguments = parser.parse_args()
    webs = arguments.web or [ROOT / "web-build"]
    # Of other networks or pages the table has no line.
    is_of_table = not (arguments.fast or arguments.plain or arguments.web)
    results = Results("first_load", is_part=bool(arguments.only)) if is_of_table else None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = pathlib.Path(folder)
        prepared = prepare(folder / "prepared")
        apps = [
            HubApp(folder, prepared, web, name, playwright, not arguments.fast, arguments.plain)
            for web, name in zip(webs, NAMES, strict=False)
        ]
        throttle = "this machine, unthrottled" if arguments.fast else "slow 4G, a processor four times slower"
        print(f"{'HTTP/1.1' if arguments.plain else 'HTTPS with HTTP/2'}, {throttle}, load {os.getloadavg()[0]:.1f}")
        for name in arguments.only or LOADS:
            for turn in range(arguments.rounds):
                for app in apps if turn % 2 == 0 else apps[::-1]:
                    app.loads.setdefault(name, []).append(LOADS[name](app))
            for app in apps:
                print(f"{name:<16} {said(app.loads[name])}  {app.web}", flush=True)
            if results:
                recorded(results, name, apps[0].loads[name])
            if len(apps) == 2:
                before, after = (statistics.median(one.usable for one in app.loads[name]) for app in apps)
                print(f"{'':<16} usable after {after / before:.2f} of the time", flush=True)
            if arguments.paths:
                for path, count in sorted(apps[-1].loads[name][-1].bytes.items(), key=lambda one: -one[1]):
                    print(f"  {count:>8.0f} {path}")
        print(f"load {os.getloadavg()[0]:.1f} at the end")
        for app in apps:
            app.close()


def recorded(results, name, loads):
    """The line of the table that a load has."""
    usable = [load.usable for load in loads]
    kilobytes = statistics.median(load.total for load in loads) / 1000
    requests = statistics.median(load.requests for load in loads)
    results.record(f"page.{name}", statistics.median(usable), "ms", spread=(min(usable), max(usable)), n=len(loads),
                   note=f"{kilobytes:.0f} kB in {requests:.0f} requests")  # fmt: skip


def said(loads):
    usable = sorted(load.usable for load in loads)
    return (
        f"{statistics.median(load.total for load in loads) / 1000:>7.1f} kB in"
        f" {statistics.median(load.requests for load in loads):.0f} requests, usable after"
        f" {statistics.median(usable):.0f} ms ({usable[0]:.0f} to {usable[-1]:.0f}), first paint"
        f" {statistics.median(load.painted for load in loads):.0f} ms, busy"
        f" {statistics.median(load.busy for load in loads):.0f} ms"
    )


if __name__ == "__main__":
    main()
