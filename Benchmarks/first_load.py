"""
What it takes until the page can be used: bytes on the wire and time, as a phone on a slow network would have it.

    first_load.py [--rounds 5] [--fast] [--plain]

Slow 4G as Lighthouse has it (562.5 ms and 1.44 Mbit/s for a request, 150 ms a round trip) and a processor four times
slower, both by Chromium's own throttling. `--fast` leaves both out. Over HTTPS with HTTP/2, as phones come, or with
`--plain` over HTTP/1.1; the certificate is not what is measured, and not looked at. "Usable" is the house with its places, its
sentence and the plants' band; Brushing with its button "Start brushing", which a finger would meet; the wizard of a
new device with its list of what the device can do. Those two are loaded with the processor slowed and the network as
it is, and the wizard also unthrottled, from the address that was typed. Chart.js is not among the bytes: no page asks for it before a chart is to be drawn.
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

SLOW_4G = {
    "offline": False, "latency": 562.5, "downloadThroughput": 1_474_560 / 8, "uploadThroughput": 675_000 / 8,
}  # fmt: skip
PHONE = {"width": 390, "height": 844}
# Marked by the page itself, at the frame in which it is there.
WATCH = """
    const isThere = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    };
    const look = () => {
        const isDoor = document.querySelector('form [type=email]');
        const isHouse = document.querySelector('nav.places') && document.querySelector('.band-figure > *');
        const isWizard = document.querySelector('.capabilities > *');
        const isReady = [...document.querySelectorAll('.start')].some((one) => !one.disabled && isThere(one));
        if (document.querySelector('nav.places')) performance.mark('house');
        if (isDoor || isHouse || isWizard || isReady) performance.mark('usable');
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


class Load:
    """One load of a page: its bytes by path, and when it could be used, milliseconds."""

    def __init__(self, page, url, is_slow, network=SLOW_4G):
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        paths, self.bytes = {}, {}
        session.on("Network.requestWillBeSent", lambda one: paths.__setitem__(one["requestId"], one["request"]["url"]))
        session.on("Network.loadingFinished", lambda one: self.note(paths.get(one["requestId"], ""), one))
        if is_slow:
            if network:
                session.send("Network.emulateNetworkConditions", network)
            session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(url, wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('usable').length > 0", timeout=60_000)
        self.usable, self.house = page.evaluate(
            "() => ['usable', 'house'].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? null)"
        )
        self.painted = page.evaluate("() => performance.getEntriesByType('paint')[0]?.startTime ?? null")
        page.wait_for_load_state("load")
        page.wait_for_timeout(1000)  # what comes after it, such as the icons of the browser's own bar
        session.detach()

    def note(self, url, finished):
        path = re.sub(r"^https?://[^/]+(/app/[^/]+)?", "", url)
        self.bytes[path] = self.bytes.get(path, 0) + finished["encodedDataLength"]

    @property
    def total(self):
        return sum(count for path, count in self.bytes.items() if "chart.js" not in path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--plain", action="store_true", help="HTTP/1.1 in place of HTTPS with HTTP/2")
    parser.add_argument("--paths", action="store_true", help="each path with its bytes")
    arguments = parser.parse_args()
    is_slow = not arguments.fast
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = pathlib.Path(folder)
        lan = None if arguments.plain else "linden"
        hub = Hub(copy_of(prepare(folder / "prepared"), folder / "data"), web=ROOT / "web-build", lan=lan)
        hub.start().signed_in()
        plant = {"name": "Fern", "place": "Shelf", "art": "fern", "limits": {"low": 30, "high": 75}, "virtual": True}
        hub.post("/api/plants", plant)
        origin = hub.origin if lan else hub.url
        browser = playwright.chromium.launch(
            **chromium.options("--ignore-certificate-errors", f"--host-resolver-rules=MAP {hub.name} 127.0.0.1")
        )
        throttle = "slow 4G, a processor four times slower" if is_slow else "this machine, unthrottled"
        print(f"{'HTTP/1.1' if arguments.plain else 'HTTPS with HTTP/2'}, {throttle}")
        doors, firsts, repeats, wizards, brushings = [], [], [], [], []
        for _ in range(arguments.rounds):
            context = browser.new_context(viewport=PHONE, base_url=origin, locale="en-GB")
            page = context.new_page()
            page.add_init_script(WATCH)
            wizards.append(Load(page, "/", False))
            context.close()

            context = browser.new_context(viewport=PHONE, base_url=origin, locale="en-GB")
            page = context.new_page()
            page.add_init_script(WATCH)
            page.add_init_script("localStorage.setItem('tandem.welcomed', '1')")
            doors.append(Load(page, "/", is_slow))
            page.get_by_label("Email").fill(EMAIL)
            page.get_by_label("Password", exact=True).fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
            expect(page.get_by_role("navigation", name="Places")).to_be_visible(timeout=60_000)
            cookies = context.cookies()
            context.close()

            # Somebody who is signed in, on a device that knows nothing yet.
            context = browser.new_context(viewport=PHONE, base_url=origin, locale="en-GB")
            context.add_cookies(cookies)
            page = context.new_page()
            page.add_init_script(WATCH)
            firsts.append(Load(page, "/", is_slow))
            page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=120_000)
            page.close()
            page = context.new_page()
            page.add_init_script(WATCH)
            repeats.append(Load(page, "/", is_slow))
            page.goto("/brushing")
            expect(page.get_by_role("button", name="Start brushing")).to_be_visible()
            page.close()
            page = context.new_page()
            page.add_init_script(WATCH)
            brushings.append(Load(page, "/brushing", is_slow, network=None))
            context.close()
        all_loads = {
            "the door, first load": doors, "the house, first load": firsts, "the house again": repeats,
            "brushing again": brushings, "new device, unthrottled": wizards,
        }  # fmt: skip
        for name, loads in all_loads.items():
            usable = [load.usable for load in loads]
            print(
                f"{name:<24} {statistics.median(load.total for load in loads) / 1000:>7.1f} kB in"
                f" {len(loads[0].bytes)} requests, usable after {statistics.median(usable):.0f} ms"
                f" ({min(usable):.0f} to {max(usable):.0f}),"
                f" first paint {statistics.median(load.painted for load in loads):.0f} ms"
            )
        if arguments.paths:
            for path, count in sorted(firsts[-1].bytes.items(), key=lambda one: -one[1]):
                print(f"  {count:>8.0f} {path}")
            print("again:")
            for path, count in sorted(repeats[-1].bytes.items(), key=lambda one: -one[1])[:12]:
                print(f"  {count:>8.0f} {path}")
        browser.close()
        hub.close()


if __name__ == "__main__":
    main()
