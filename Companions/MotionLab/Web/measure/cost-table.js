import { get } from "../../app/api.js";
import { section } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { figure } from "./figure.js";

const EACH = 2000; // milliseconds between two questions to the hub while something is measured
const BASE = 1200; // milliseconds: the hub's share before the start is over at least a second

/**
 * The system view: what a page costs while it measures, beside what there was before. Each row says where its number is
 * from, and what nobody tells is said to be so.
 * @param {import("./measuring.js").Measuring} measuring
 * @param {AbortSignal} signal
 */
export function costTable(measuring, signal) {
    const rows = ROWS.map((row) => ({ ...row, was: /** @type {number?} */ (null), cells: cells(row) }));
    const note = make("p", { class: "fine second" });
    const node = section(t`What measuring costs`,
        make("p", { class: "key" }, make("span", {}, make("i", { class: "dot-was" }), t`before the start`),
            make("span", {}, make("i", { class: "dot-is" }), t`now`)),
        make("table", { class: "table cost" },
            make("thead", { class: "unseen" }, make("tr", {},
                [t`What`, t`Now`, t`Since the start`, t`Before and now`].map((word) => make("th", { scope: "col" }, word)))),
            make("tbody", {}, rows.map(({ cells: { row } }) => row))), note);
    const heard = { hub: null, pressure: null };
    const isThere = { pressure: "PressureObserver" in self };

    const show = (isBase) => {
        const now = read(measuring, heard);
        for (const row of rows) {
            const value = row.of(now);
            if (isBase) row.was = value;
            draw(row, value, isBase && !measuring.isRunning);
        }
    };
    const ask = async (isBase) => {
        try {
            heard.hub = await get("/api/lab/system", { signal });
            note.textContent = "";
        } catch {
            if (signal.aborted) return;
            heard.hub = null;
            note.textContent = t`The hub does not answer, so its part is not known now.`;
        }
        show(isBase);
    };
    // Two questions before anything is measured: a share is a difference.
    const begin = async () => {
        await ask(true);
        await new Promise((done) => { setTimeout(done, BASE); });
        if (!signal.aborted && !measuring.isRunning) await ask(true);
    };
    let running = null;
    measuring.addEventListener("change", () => {
        if (!measuring.isRunning) return running?.abort();
        running?.abort();
        running = new AbortController();
        watch(AbortSignal.any([signal, running.signal]));
    }, { signal });

    async function watch(ending) {
        const timers = [setInterval(() => ask(false), EACH), setInterval(() => show(false), 500)];
        ending.addEventListener("abort", () => timers.forEach(clearInterval));
        if (!isThere.pressure) return;
        try {
            // The Compute Pressure API, W3C: a phone's own word for how hard it works.
            const observer = new /** @type {any} */ (self).PressureObserver((records) => {
                heard.pressure = records.at(-1).state;
            });
            ending.addEventListener("abort", () => observer.disconnect());
            await observer.observe("cpu", { sampleInterval: 1000 });
        } catch {
            heard.pressure = null;
        }
    }
    begin();
    return node;
}

/** What is known now. */
function read({ engine, cost }, { hub, pressure }) {
    return {
        hub, pressure,
        heap: /** @type {any} */ (performance).memory?.usedJSHeapSize ?? null,
        wasm: engine?.call.memory ? /** @type {any} */ (engine.call.memory).buffer.byteLength : null,
        engine: cost.frames > 0 ? cost.engine / cost.frames : 0,
        frames: cost.frames, dropped: cost.dropped,
    };
}

const share = (value) => (value === null || value === undefined ? null : value * 100);
const mega = (value) => (value === null || value === undefined ? null : value / 1e6);

/** @type {Array<{name: string, from: string, unit: string, decimals: number, most: number, of: (now: any) => number?}>} */
const ROWS = [
    { name: t`Hub process`, from: t`share of one processor`, unit: "%", decimals: 1, most: 10, of: ({ hub }) => share(hub?.cpuShare) },
    { name: t`Of it, the lab`, from: t`reading and storing samples`, unit: "%", decimals: 1, most: 10, of: ({ hub }) => share(hub?.labShare) },
    { name: t`Hub memory`, from: t`as its machine tells it`, unit: "MB", decimals: 1, most: 200, of: ({ hub }) => mega(hub?.residentBytes) },
    { name: t`Engine and drawing`, from: t`of each frame, measured in this page`, unit: "ms", decimals: 2, most: 8, of: ({ engine }) => engine },
    { name: t`Engine memory`, from: t`WebAssembly, this page`, unit: "MB", decimals: 1, most: 8, of: ({ wasm }) => mega(wasm) },
    { name: t`Page memory`, from: t`as this browser tells it`, unit: "MB", decimals: 1, most: 80, of: ({ heap }) => mega(heap) },
    { name: t`Dropped frames`, from: t`since the start`, unit: "", decimals: 0, most: 60, of: ({ dropped }) => dropped },
    {
        name: t`This device’s processor`, from: t`how hard it works: 0 to 3`, unit: "", decimals: 0, most: 3,
        of: ({ pressure }) => (pressure === null ? null : ["nominal", "fair", "serious", "critical"].indexOf(pressure)),
    },
];

function cells({ name, from }) {
    const now = make("td", { class: "n" });
    const more = make("td", { class: "n" });
    const drawn = make("td", { class: "dumb", "aria-hidden": true });
    const row = make("tr", {}, make("th", { scope: "row" }, name, make("span", { class: "fine" }, from)), now, more, drawn);
    return { row, now, more, drawn };
}

function draw({ cells: { now, more, drawn }, unit, decimals, most, was }, value, isBefore) {
    if (value === null || value < 0) {
        fill(now, make("span", { class: "fine" }, t`not told`));
        fill(more);
        if (!drawn.querySelector(".hatch")) fill(drawn, make("span", { class: "hatch" }));
        return;
    }
    fill(now, make("b", { class: "strong" }, figure(value, decimals)), unit && make("span", { class: "fine" }, ` ${unit}`));
    more.textContent = isBefore || was === null ? "" : signed(value - was, decimals);
    const place = (one) => Math.min(96, 4 + (Math.max(one, 0) / Math.max(most, one ?? 0, was ?? 0)) * 92);
    let dumbbell = drawn.querySelector(".dumbbell");
    if (!dumbbell) {
        dumbbell = make("span", { class: "dumbbell" }, make("i", { class: "span" }), make("i", { class: "dot-was" }), make("i", { class: "dot-is" }));
        fill(drawn, dumbbell);
    }
    const from = place(was ?? value);
    const to = place(value);
    dumbbell.dataset.state = isBefore ? "before" : "now";
    dumbbell.style.setProperty("--was", `${from}%`);
    dumbbell.style.setProperty("--is", `${to}%`);
    dumbbell.style.setProperty("--low", `${Math.min(from, to)}%`);
    dumbbell.style.setProperty("--wide", `${Math.abs(to - from)}%`);
}

function signed(value, decimals) {
    const words = figure(Math.abs(value), decimals);
    if (Number(Math.abs(value).toFixed(decimals)) === 0) return "±0";
    return value > 0 ? `+${words}` : `−${words}`;
}
