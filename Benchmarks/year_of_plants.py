"""A year's chart of each quantity: the request on loopback, its bytes, and until it is drawn on a processor four times slower.

A reading every quarter of an hour of three quantities. Measures the release executable and `web-build`, or the executable
that TANDEM_BINARY names; Chromium is the one of the tests.
"""

import json
import math
import os
import pathlib
import statistics
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
import pages  # noqa: E402
from chromium import options  # noqa: E402
from mqtt import Client  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from results import Results  # noqa: E402

DAY = 86_400_000
DAYS = int(os.environ.get("DAYS_OF_PLANTS", "365"))
ROUNDS = int(os.environ.get("ROUNDS", "10"))
SLOWER = 4

DRAWN = """async (word) => {
    const canvas = document.querySelector("plant-chart canvas");
    const before = canvas.getAttribute("aria-label");
    const button = [...document.querySelectorAll(".chart-quantities button")].find((one) => one.textContent === word);
    const started = performance.now();
    button.click();
    while (canvas.getAttribute("aria-label") === before) await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    return performance.now() - started;
}"""


def fill(hub, device):
    now = hub.get("/api/hub")["now"]
    with Client.of(device) as client:
        for at in range(now - DAYS * DAY, now, 900_000):
            day = (at % DAY) / DAY
            client.publish(device.topic("readings"), json.dumps({
                "moisture": round(70 - (at // 900_000 % 670) / 16, 2),
                "temperature": round(20 + 4 * math.sin(2 * math.pi * day), 2),
                "light": round(max(0, 4000 * math.sin(math.pi * (2 * day - 0.5)))), "at": at,
            }), quality=0)  # fmt: skip
        client.publish(device.topic("readings"), json.dumps({"moisture": 50, "at": now}))


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        hub = tandem_hub.Hub(tandem_hub.prepare(pathlib.Path(folder) / "data"), web=ROOT / "web-build").start()
        try:
            hub.sign_in()
            plant, device = pages.add_plant(hub)
            fill(hub, device)
            results, slowest, sizes = Results("year_of_plants"), [], []
            for quantity in ("moisture", "temperature", "light"):
                for more in ("", "&against=year"):
                    path, taken = f"/api/plants/{plant['id']}/chart?span=year&quantity={quantity}{more}", []
                    for _ in range(ROUNDS):
                        started = time.perf_counter()
                        chart = hub.get(path)
                        taken.append(1000 * (time.perf_counter() - started))
                    text = json.dumps(chart, separators=(",", ":")).encode()
                    if not more:
                        sizes.append(len(zlib.compress(text)))
                        slowest = max(slowest, taken, key=lambda one: statistics.median(one or [0]))
                    print(f"a year of {quantity}{more}: median {statistics.median(taken):.1f} ms, {len(text):,} bytes, "
                          f"{len(zlib.compress(text)):,} compressed, n = {chart['count']:,}", flush=True)  # fmt: skip
            results.record("plants.year", statistics.median(slowest), "ms", spread=(min(slowest), max(slowest)), n=ROUNDS,
                           note=f"{min(sizes):,} to {max(sizes):,} bytes compressed")  # fmt: skip
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(**options())
                context = browser.new_context(base_url=hub.url, viewport={"width": 390, "height": 844}, locale="en-GB")
                page = context.new_page()
                pages.sign_in_by_hand(page, f"/plants/{plant['id']}")
                page.get_by_text("Year", exact=True).click()
                page.locator("plant-chart canvas").wait_for()
                page.wait_for_timeout(1000)
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                drawn = [page.evaluate(DRAWN, ("Temperature", "Moisture")[turn % 2]) for turn in range(ROUNDS)]
                print(f"from the tap to a drawn year, {SLOWER} times slower: median {statistics.median(drawn):.0f} ms, "
                      f"most {max(drawn):.0f}")  # fmt: skip
                results.record("plants.drawn", statistics.median(drawn), "ms", spread=(min(drawn), max(drawn)), n=ROUNDS)
                browser.close()
        finally:
            hub.terminate(60)


if __name__ == "__main__":
    main()
