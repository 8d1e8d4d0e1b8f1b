"""What a page of Drums adds, in Chromium with a processor four times slower: from the drum that is due to its light, from
the hit to its verdict and to the frame that shows it, and how evenly the beats are given to the audio clock. Called by
bench.sh; alone:

    .venv/bin/python Benchmarks/drum_page.py [--throttle 4] [--songs 3] [--web web-build]

The player is a script in the page that hits 180 to 400 ms after the light. What is counted is the work of the page: a
frame in which a drum is lit, from its first script to the end of style and layout, and the whole of a key's event, at
whose end the beat is judged, drawn as hit, heard, and on its way to the disk. The wait for the display's next frame, 16.7
ms at most, is the display's, and told apart. What a hit leaves for later is in the figure of the frame that shows it: from
the hit to the end of that frame, with the wait for it.
"""

import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from playwright.sync_api import sync_playwright  # noqa: E402

import chromium  # noqa: E402
import hub as tandem_hub  # noqa: E402
from drums_page import add_song, open_songs, play, played, settings  # noqa: E402
from results import Results  # noqa: E402

PLAYER = """(() => {
    window.bench = { hits: [], seen: [], frames: [], late: [], sounds: [] };
    const drawn = new MessageChannel(); // what it is sent in a frame comes right behind that frame
    drawn.port1.onmessage = ({ data }) => window.bench.seen.push(performance.now() - data);
    const request = window.requestAnimationFrame;
    let answered = null;
    window.requestAnimationFrame = (work) => request((at) => {
        const began = performance.now();
        work(at);
        const now = document.querySelector('.pad[data-state=cue]');
        const beat = document.querySelector('.song-bar')?.getAttribute('aria-valuenow') ?? null;
        if (!now || beat === answered) return;
        answered = beat;
        now.offsetWidth; // style and layout are part of it
        window.bench.frames.push(performance.now() - began);
        window.bench.late.push(began - at);
        setTimeout(() => hit(now.getAttribute('aria-keyshortcuts')), 180 + Math.random() * 220);
    });
    const hit = (key) => {
        const event = new KeyboardEvent('keydown', { key: key.toLowerCase(), bubbles: true, cancelable: true });
        const began = performance.now();
        document.body.dispatchEvent(event);
        const took = performance.now() - began;
        if (!document.querySelector('.pad[data-hit=right]')) return;
        window.bench.hits.push(took);
        request(() => drawn.port2.postMessage(began));
    };
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when = 0) {
        if (this.context instanceof AudioContext) window.bench.sounds.push({ when, said: this.context.currentTime });
        return begin.call(this, when);
    };
})();"""
SONG = """title: Long
composer: Nobody
year: 1780
source: Made to be measured with. Nobody has a right in it.
meter: 4/4
tempo: 110

""" + "| C4 E4 G4 E4 | D4 F4 A4 F4 | C4 D4 E4 F4 | G4 F4 E4 D4 |\n" * 3


def say(what, figure, aim=""):
    print(f"{what:<62} {figure:>22}   {aim}", flush=True)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values):
    return f"{percentile(values, 0.5):.2f} / {percentile(values, 0.99):.2f} ms"


def measure(page, hub, songs, throttle):
    """Plays songs to their ends, and returns what the page has noted of them."""
    found = {"hits": [], "seen": [], "frames": [], "late": []}
    devtools = page.context.new_cdp_session(page)
    for _ in range(songs):
        page.goto("/drums")
        page.get_by_role("button", name="Play Long", exact=True).first.wait_for()
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        play(page, "Long")
        page.wait_for_url("**/drums/done/*", timeout=180_000)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        for name, values in page.evaluate("window.bench").items():
            if name in found:
                found[name] += values
    return found


def evenness(page, hub, throttle):
    """How far from even the clicks of a metronome are on the audio clock, and how long before they sound they are given."""
    devtools = page.context.new_cdp_session(page)
    settings(hub, mode="flow", sounds={"song": False, "metronome": True, "hits": False})
    page.goto("/drums")
    page.get_by_role("button", name="Play Long", exact=True).first.wait_for()
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    play(page, "Long")
    page.wait_for_url("**/drums/done/*", timeout=180_000)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    sounds = page.evaluate("window.bench.sounds")[:48]  # the last notes are those of the end
    beat = 60 / 110
    off = [abs(b["when"] - a["when"] - beat) * 1000 for a, b in zip(sounds, sounds[1:])]
    return off, [(one["when"] - one["said"]) * 1000 for one in sounds]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--throttle", type=float, default=4)
    parser.add_argument("--songs", type=int, default=int(os.environ.get("SONGS", "3")))
    parser.add_argument("--web", default="web-build", help="the web folder of another build, to be measured beside this one")
    asked = parser.parse_args()
    results = Results("drum_page")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        hub = tandem_hub.Hub(data, web=ROOT / asked.web).start().signed_in()
        browser = playwright.chromium.launch(**chromium.options("--autoplay-policy=no-user-gesture-required"))
        page = browser.new_context(base_url=hub.url, viewport={"width": 390, "height": 844}).new_page()
        page.add_init_script(PLAYER)
        settings(hub, drums=[True] * 4, level=3, countIn=1, mode="wait")
        add_song(hub, SONG)
        open_songs(page)
        found = measure(page, hub, asked.songs, asked.throttle)
        slow = f"at {asked.throttle:g}x throttling"
        n = f"n = {len(found['hits'])}"
        say(f"drums: hit to verdict, {slow}, p50 / p99", spread(found["hits"]), n)
        for name, key in (("drums.verdict", "hits"), ("drums.frame", "seen")):
            results.record(name, percentile(found[key], 0.99), "ms", n=len(found[key]), note=f"p50 {percentile(found[key], 0.5):.2f}")
        say(f"drums: hit to the end of the frame that shows it, {slow}", spread(found["seen"]), "with the wait for that frame")
        say(f"drums: the frame that lights a drum, {slow}, p50 / p99", spread(found["frames"]))
        say("drums: wait for the display's frame, p50 / p99", spread(found["late"]), "not ours")
        off, ahead = evenness(page, hub, asked.throttle)
        say(f"drums: clicks off the even, {slow}, p50 / largest", f"{percentile(off, 0.5):.3f} / {max(off):.3f} ms")
        results.record("drums.clicks", max(off), "ms", n=len(off), note=f"p50 {percentile(off, 0.5):.3f}")
        say("drums: clicks given ahead of their time, least", f"{min(ahead):.0f} ms", "more than 0: none is late")
        browser.close()
        hub.close()


if __name__ == "__main__":
    main()
