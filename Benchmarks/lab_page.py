"""What the lab costs a page in Chromium: the engine's FFT of 4,096 points in WebAssembly beside the same algorithm in plain
JavaScript, by turns, and a live chart at 60 frames a second with a processor four times slower. Called by bench.sh; alone:

    .venv/bin/python Benchmarks/lab_page.py [--throttle 4] [--rounds 20] [--seconds 10]

The transform in JavaScript is the engine's, line by line: radix 4, in place, with the same tables, and the size of each
frequency at its end. Of the engine the whole of a page's call is counted: the values in, the transform, the answer out.
The chart is that of the accelerometer's page, whose samples come 100 times a second on three axes of three sensors. A frame
that lasted as long as two or more of the display's counts for those that it left out.
"""

import argparse
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
import hub as tandem_hub  # noqa: E402
from results import Results  # noqa: E402

FOURIER = """async ([address, points, calls]) => {
    const { instance } = await WebAssembly.instantiateStreaming(fetch(address));
    instance.exports._initialize?.();
    const { exports } = instance;
    const values = Float64Array.from({ length: points }, (_, i) => Math.sin(i * 0.37) + 0.3 * Math.cos(i * 2.1));
    const bytes = new Uint8Array(values.buffer);

    const engine = () => {
        const at = exports.buffer(bytes.length);
        new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
        const count = exports.fourier(bytes.length);
        return new Float64Array(new Uint8Array(exports.memory.buffer, exports.answer(), count).slice().buffer);
    };

    const cosines = Float64Array.from({ length: points }, (_, i) => Math.cos(2 * Math.PI * i / points));
    const sines = Float64Array.from({ length: points }, (_, i) => Math.sin(2 * Math.PI * i / points));
    const bits = Math.log2(points);
    const reversed = Uint32Array.from({ length: points }, (_, i) => {
        let turned = 0;
        for (let bit = 0; bit < bits; bit += 1) if (i & (1 << bit)) turned |= 1 << (bits - 1 - bit);
        return turned;
    });
    const plain = () => {
        const real = values.slice();
        const imaginary = new Float64Array(points);
        for (let i = 0; i < points; i += 1) {
            const other = reversed[i];
            if (other <= i) continue;
            const [r, im] = [real[i], imaginary[i]];
            real[i] = real[other];
            imaginary[i] = imaginary[other];
            real[other] = r;
            imaginary[other] = im;
        }
        let size = 1;
        if (bits % 2 === 1) {
            for (let base = 0; base < points; base += 2) {
                const [r, i] = [real[base + 1], imaginary[base + 1]];
                real[base + 1] = real[base] - r;
                imaginary[base + 1] = imaginary[base] - i;
                real[base] += r;
                imaginary[base] += i;
            }
            size = 2;
        }
        for (; size < points; size *= 4) {
            const step = points / (size * 4);
            for (let offset = 0; offset < size; offset += 1) {
                const c1 = cosines[offset * step], s1 = sines[offset * step];
                const c2 = cosines[2 * offset * step], s2 = sines[2 * offset * step];
                const c3 = cosines[3 * offset * step], s3 = sines[3 * offset * step];
                for (let place = offset; place < points; place += 4 * size) {
                    const p1 = place + size, p2 = place + 2 * size, p3 = place + 3 * size;
                    const ar = real[place], ai = imaginary[place];
                    const br = real[p1] * c2 + imaginary[p1] * s2, bi = imaginary[p1] * c2 - real[p1] * s2;
                    const cr = real[p2] * c1 + imaginary[p2] * s1, ci = imaginary[p2] * c1 - real[p2] * s1;
                    const dr = real[p3] * c3 + imaginary[p3] * s3, di = imaginary[p3] * c3 - real[p3] * s3;
                    const sumR = ar + br, sumI = ai + bi, lessR = ar - br, lessI = ai - bi;
                    const otherR = cr + dr, otherI = ci + di, turnR = ci - di, turnI = dr - cr;
                    real[place] = sumR + otherR;
                    imaginary[place] = sumI + otherI;
                    real[p1] = lessR + turnR;
                    imaginary[p1] = lessI + turnI;
                    real[p2] = sumR - otherR;
                    imaginary[p2] = sumI - otherI;
                    real[p3] = lessR - turnR;
                    imaginary[p3] = lessI - turnI;
                }
            }
        }
        const sizes = new Float64Array(points);
        for (let i = 0; i < points; i += 1) sizes[i] = Math.sqrt(real[i] * real[i] + imaginary[i] * imaginary[i]);
        return sizes;
    };

    const [one, other] = [engine(), plain()];
    const off = one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
    const timed = (work) => {
        const began = performance.now();
        for (let i = 0; i < calls; i += 1) work();
        return (performance.now() - began) * 1000 / calls;
    };
    timed(engine);
    timed(plain);
    return { off, engine: timed(engine), plain: timed(plain) };
}"""
SAMPLES = """() => {
    let number = 0;
    window.feeding = setInterval(() => {
        const at = number += 1;
        dispatchEvent(new DeviceMotionEvent("devicemotion", {
            acceleration: { x: Math.sin(at / 9), y: Math.cos(at / 7), z: Math.sin(at / 31) },
            accelerationIncludingGravity: { x: Math.sin(at / 9), y: Math.cos(at / 7), z: 9.8 + Math.sin(at / 31) },
            rotationRate: { alpha: 10 * Math.sin(at / 11), beta: 5, gamma: -5 }, interval: 10,
        }));
    }, 10);
}"""
FRAMES = """async (milliseconds) => {
    const lasted = [];
    let before = null;
    await new Promise((done) => {
        const began = performance.now();
        const frame = (at) => {
            if (before !== null) lasted.push(at - before);
            before = at;
            if (at - began < milliseconds) requestAnimationFrame(frame);
            else done();
        };
        requestAnimationFrame(frame);
    });
    return lasted;
}"""


def say(what, figure, aim=""):
    print(f"{what:<62} {figure:>22}   {aim}", flush=True)


def fourier(page, address, rounds, points=4096, calls=50):
    """Microseconds of each call, by turns."""
    found = [page.evaluate(FOURIER, [address, points, calls]) for _ in range(rounds)]
    assert max(one["off"] for one in found) < 1e-6, "both must come to the same"
    return [one["engine"] for one in found], [one["plain"] for one in found]


def chart(page, throttle, seconds):
    """Milliseconds of each frame while the accelerometer's page draws."""
    devtools = page.context.new_cdp_session(page)
    page.goto("/lab/accelerometer")
    page.get_by_role("button", name="Start", exact=True).click()
    page.evaluate(SAMPLES)
    page.wait_for_timeout(3000)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.wait_for_timeout(1000)
    lasted = page.evaluate(FRAMES, seconds * 1000)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    page.evaluate("() => clearInterval(window.feeding)")
    return lasted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--throttle", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROUNDS", "20")))
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("FRAME_SECONDS", "10")))
    asked = parser.parse_args()
    results = Results("lab_page")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        hub = tandem_hub.Hub(data, web=ROOT / "web-build").start().signed_in()
        browser = playwright.chromium.launch(**chromium.options())
        context = browser.new_context(base_url=hub.url, viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto("/")
        page.get_by_label("Email").fill(tandem_hub.EMAIL)
        page.get_by_label("Password", exact=True).fill(tandem_hub.PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("navigation", name="Places").wait_for()
        engine, plain = fourier(page, "/wasm/lab.wasm", asked.rounds)
        ratios = [one / other for one, other in zip(engine, plain)]
        ratio = statistics.median(ratios)
        results.record("lab.fft", statistics.median(engine), "µs", peer=("JavaScript", statistics.median(plain)), ratio=ratio,
                       spread=(min(ratios), max(ratios)), n=asked.rounds)  # fmt: skip
        say("lab: FFT of 4,096 points, WebAssembly, median of a call", f"{statistics.median(engine):.0f} µs", f"n = {asked.rounds} rounds of 50")
        say("lab: the same in plain JavaScript", f"{statistics.median(plain):.0f} µs")
        say("lab: WebAssembly's time to JavaScript's, median", f"{ratio:.2f}", "below 1: the engine is quicker")
        lasted = chart(page, asked.throttle, asked.seconds)
        dropped = sum(max(0, round(one / (1000 / 60)) - 1) for one in lasted)
        say(f"lab: live chart at {asked.throttle:g}x throttling, frames a second", f"{1000 * len(lasted) / sum(lasted):.1f}")
        results.record("lab.frames", 1000 * len(lasted) / sum(lasted), "/s", note=f"{dropped} of {len(lasted) + dropped} dropped")
        say("lab: frames dropped meanwhile", f"{dropped} of {len(lasted) + dropped}")
        say("lab: a frame, p50 / p99", f"{statistics.median(lasted):.1f} / {sorted(lasted)[int(0.99 * len(lasted))]:.1f} ms")
        browser.close()
        hub.close()


if __name__ == "__main__":
    main()
