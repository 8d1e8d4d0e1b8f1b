"""
How long each screen takes to its largest paint, and its longest task, where it is opened again on a slow phone.

    screens.py [--rounds 3] [--only /toy --only /] [--web FOLDER [--web FOLDER]] [--tasks]

Every screen that the shell and the companions register (Tests/EndToEnd/every_screen.py) is opened as a page of its own, in the
household of the sample, on a phone that has been on each before: from the service worker, with a processor four times slower by
Chromium's own throttling. The largest paint is the last that the browser names
(`largest-contentful-paint`) once the screen shows what it has; a task is what the browser calls a long one (`longtask`, 50 ms
or more). Of each screen the median of the rounds counts. With two web folders each screen is opened of one and then of the
other. `--tasks` says which functions the longest task was in, by Chromium's own sampling.
"""

import argparse
import collections
import os
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from playwright.sync_api import sync_playwright  # noqa: E402

import chromium  # noqa: E402
from every_screen import EMAIL, PASSWORD, household, paths, visit  # noqa: E402
from results import Results  # noqa: E402

PHONE = {"width": 390, "height": 844}
SLOWER = 4
# Both kinds from the page's first moment on.
WATCH = """
    globalThis.seen = { paint: 0, task: 0, at: 0 };
    new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) seen.paint = Math.max(seen.paint, startTime);
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
        for (const { duration, startTime } of list.getEntries()) {
            if (duration > seen.task) Object.assign(seen, { task: duration, at: startTime });
        }
    }).observe({ type: "longtask", buffered: true });
"""


class Phone:
    """A phone that has been on every screen of one web folder."""

    def __init__(self, folder, hub, web, playwright):
        self.web = web
        self.context = playwright.chromium.launch_persistent_context(
            folder, viewport=PHONE, base_url=hub.url, locale="en-GB", **chromium.options()
        )
        self.context.add_init_script("localStorage.setItem('tandem.welcomed', '1')")
        self.context.add_cookies([
            {"name": "tandem_session", "value": hub.page_cookie(EMAIL, PASSWORD), "url": hub.url}
        ])  # fmt: skip
        self.found = collections.defaultdict(list)

    def learn(self, every):
        """Opens each screen until Chromium keeps what it compiled."""
        page = self.context.new_page()
        page.goto("/")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=120_000)
        for _ in range(2):
            for path in every:
                visit(page, path)
        page.close()

    def open(self, path, is_profiled=False):
        page = self.context.new_page()
        page.add_init_script(WATCH)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        if is_profiled:
            session.send("Profiler.enable")
            session.send("Profiler.setSamplingInterval", {"interval": 500})
            session.send("Profiler.start")
        visit(page, path)
        seen = page.evaluate("() => seen")
        self.found[path].append(seen)
        if is_profiled:
            said(session.send("Profiler.stop")["profile"])
        page.close()

    def middle(self, path, what):
        return statistics.median(one[what] for one in self.found[path])


def said(profile):
    """The functions that took the most time, each with what it called itself."""
    nodes = {one["id"]: one["callFrame"] for one in profile["nodes"]}
    spent = collections.Counter()
    for node, delta in zip(profile["samples"], profile["timeDeltas"], strict=False):
        frame = nodes[node]
        spent[f"{frame['functionName'] or '(anonymous)'} {frame['url'].rpartition('/')[2]}:{frame['lineNumber'] + 1}"] += delta
    for name, microseconds in spent.most_common(12):
        print(f"    {microseconds / 1000:>7.0f} ms  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROUNDS", "3")))
    parser.add_argument("--only", action="append", metavar="PATH", help="these screens, by the beginning of their path")
    parser.add_argument("--web", action="append", type=pathlib.Path, help="another web folder than web-build; two by turns")
    parser.add_argument("--tasks", action="store_true")
    arguments = parser.parse_args()
    webs = arguments.web or [ROOT / "web-build"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = pathlib.Path(folder)
        hubs = [household(folder / f"data{number}", web, names=[]) for number, web in enumerate(webs)]
        # Of each hub its own: what it has been asked to make has other ids.
        every = [[one for one in paths(hub) if is_wanted(one, arguments.only)] for hub in hubs]
        phones = [Phone(folder / f"profile{number}", hub, web, playwright) for number, (hub, web) in enumerate(zip(hubs, webs))]
        for phone, its in zip(phones, every):
            phone.learn(its)
        print(f"a processor {SLOWER} times slower, load {os.getloadavg()[0]:.1f}", flush=True)
        for turn in range(arguments.rounds):
            for screen in range(len(every[0])):
                for number in range(len(phones)) if turn % 2 == 0 else reversed(range(len(phones))):
                    phones[number].open(every[number][screen])
        for screen, path in enumerate(every[0]):
            print(f"{path:<44}", *(
                f"paint {phone.middle(its[screen], 'paint'):>6.0f} ms, longest task {phone.middle(its[screen], 'task'):>5.0f} ms"
                for phone, its in zip(phones, every)
            ), sep="  ", flush=True)  # fmt: skip
            if arguments.tasks:
                phones[-1].open(every[-1][screen], is_profiled=True)
        print(f"load {os.getloadavg()[0]:.1f} at the end")
        if not (arguments.only or arguments.web):
            recorded(phones[0], every[0], arguments.rounds)
        for phone, hub in zip(phones, hubs):
            phone.context.close()
            hub.close()


def is_wanted(path, only):
    return not only or any(path == one or (one != "/" and path.startswith(one)) for one in only)


def recorded(phone, every, rounds):
    """The two lines of the table: the worst screen of each."""
    results = Results("screens")
    for name, what in (("screens.paint", "paint"), ("screens.task", "task")):
        middles = {path: phone.middle(path, what) for path in every}
        worst = max(middles, key=middles.get)
        results.record(
            name, middles[worst], "ms", spread=(min(middles.values()), middles[worst]), n=len(every) * rounds, note=f"{len(every)} screens; the slowest {worst}"
        )


if __name__ == "__main__":
    main()
