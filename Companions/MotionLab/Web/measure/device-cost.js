const MEASURED_EACH = 10_000; // milliseconds: a browser measures a page's memory when it collects its garbage

/**
 * What this device tells a page of itself, by whatever its browser has.
 * @param {AbortSignal} signal
 */
export function deviceCost(signal) {
    const heard = {
        pressure: /** @type {string?} */ (null), battery: /** @type {number?} */ (null), page: /** @type {number?} */ (null),
    };
    watchPressure();
    watchBattery();
    measureMemory();

    async function watchPressure() {
        if (!("PressureObserver" in self)) return;
        try {
            // The Compute Pressure API, W3C: a device's own word for how hard it works.
            const observer = new /** @type {any} */ (self).PressureObserver((records) => {
                heard.pressure = records.at(-1).state;
            });
            signal.addEventListener("abort", () => observer.disconnect());
            await observer.observe("cpu", { sampleInterval: 1000 });
        } catch {
            heard.pressure = null;
        }
    }
    async function watchBattery() {
        try {
            // Battery Status API, W3C, 6.1: Chromium alone has it.
            const battery = await /** @type {any} */ (navigator).getBattery?.();
            if (!battery) return;
            const read = () => { heard.battery = battery.level; };
            battery.addEventListener("levelchange", read, { signal });
            read();
        } catch {
            heard.battery = null; // not allowed in this page
        }
    }
    async function measureMemory() {
        // Measure Memory API, WICG: only where the page is isolated from others.
        const measure = /** @type {any} */ (performance).measureUserAgentSpecificMemory;
        if (!self.crossOriginIsolated || !measure) return;
        try {
            while (!signal.aborted) {
                heard.page = (await measure.call(performance)).bytes;
                await new Promise((done) => { setTimeout(done, MEASURED_EACH); });
            }
        } catch {
            heard.page = null;
        }
    }

    return {
        /** What is known now. @param {import("./measuring.js").Measuring} measuring */
        read({ engine, cost, share }) {
            const { pressure, battery, page } = heard;
            const script = /** @type {any} */ (performance).memory?.usedJSHeapSize ?? null;
            const wasm = engine?.call.memory ? /** @type {any} */ (engine.call.memory).buffer.byteLength : null;
            return {
                pressure, battery, busy: share,
                memory: page ?? (script === null ? wasm ?? 0 : script + (wasm ?? 0)),
                memoryFrom: page !== null ? "page" : script !== null ? "script" : "engine",
                engine: cost.frames > 0 ? cost.engine / cost.frames : 0,
                frames: cost.frames, dropped: cost.dropped,
            };
        },
    };
}
