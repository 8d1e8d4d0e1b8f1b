import { get } from "../../app/api.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { figure, withUnit } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { inOneLine } from "../recordings/recording-text.js";
import { deviceCost } from "./device-cost.js";

const SHOWN = 500; // milliseconds
const EACH = 2000; // milliseconds between two questions to the hub while something is measured and its part is looked at
const BASE = 1200; // milliseconds: the hub's share before the start is over at least a second

/**
 * The system view: what a page costs while it measures, beside what there was before: of this device first, and folded
 * below it of the hub. Each row says how its number is known; what this browser tells nobody is said in one sentence.
 * @param {import("./measuring.js").Measuring} measuring
 * @param {AbortSignal} signal
 */
export function costTable(measuring, signal) {
    const own = table(OWN);
    const hubs = table(HUBS);
    const untold = make("p", { class: "fine second" });
    const note = make("p", { class: "fine second" });
    const folded = make("details", { class: "unfold" }, make("summary", {}, icon("down", "s"), t`What it costs the hub`), hubs.node, note);
    const node = make("details", { class: "unfold cost-fold" }, make("summary", {}, icon("down", "s"), t`What measuring costs`),
        make("p", { class: "key" }, make("span", {}, make("i", { class: "dot-was" }), t`before the start`),
            make("span", {}, make("i", { class: "dot-is" }), t`now`)),
        own.node, untold, folded);
    const device = deviceCost(signal);
    let hub = /** @type {MotionLab.SystemRoutes.SystemResponse?} */ (null);

    const show = (isBase) => {
        const now = device.read(measuring);
        own.show(now, isBase, measuring.isRunning);
        const missing = OWN.filter((row) => row.word && row.of(now) === null).map((row) => row.word);
        text(untold, missing.length > 0 ? t`This browser tells no page: ${inOneLine(missing)}.` : "");
    };
    const ask = async (isBase) => {
        try {
            hub = await get("/api/lab/system", { signal });
            note.textContent = "";
        } catch {
            if (signal.aborted) return;
            hub = null;
            note.textContent = t`The hub does not answer, so its part is not known now.`;
        }
        hubs.show({ hub }, isBase, measuring.isRunning);
    };
    // Two questions before anything is measured: a share is a difference.
    const begin = async () => {
        show(true);
        await ask(true);
        await new Promise((done) => { setTimeout(done, BASE); });
        if (signal.aborted || measuring.isRunning) return;
        show(true);
        await ask(true);
    };
    let running = null;
    measuring.addEventListener("change", () => {
        running?.abort();
        if (!measuring.isRunning) return;
        running = new AbortController();
        const timers = [
            setInterval(() => show(false), SHOWN),
            // Who does not look at the hub's part does not pay for the questions.
            setInterval(() => { if (folded.open) ask(false); }, EACH),
        ];
        running.signal.addEventListener("abort", () => timers.forEach(clearInterval));
    }, { signal });
    folded.addEventListener("toggle", () => { if (folded.open && measuring.isRunning) ask(false); });
    signal.addEventListener("abort", () => running?.abort());
    begin();
    return node;
}

const share = (value) => (value === null || value === undefined ? null : value * 100);
const mega = (value) => (value === null || value === undefined ? null : value / 1e6);

/**
 * @typedef {{name: string, from: string | ((now: any) => string), unit: string, decimals: number, most: number,
 *   word?: string, of: (now: any) => number?}} Row  `word`: what is not told, where it is not
 */

/** @type {Row[]} */
const OWN = [
    {
        name: t`Processor`, from: t`of one core, by this page’s clock: each sample, and each frame until it is drawn`, unit: "%",
        decimals: 1, most: 50, of: ({ busy }) => share(busy),
    },
    { name: t`Engine and drawing`, from: t`of each frame, measured in this page`, unit: "ms", decimals: 2, most: 8, of: ({ engine }) => engine },
    { name: t`Memory`, from: ({ memoryFrom }) => MEMORY_FROM[memoryFrom] ?? "", unit: "MB", decimals: 1, most: 80, of: ({ memory }) => mega(memory) },
    { name: t`Dropped frames`, from: t`since the start, by this page’s clock`, unit: "", decimals: 0, most: 60, of: ({ dropped }) => dropped },
    { name: t`Battery`, from: t`as this browser tells it`, unit: "%", decimals: 0, most: 100, word: t`its battery`, of: ({ battery }) => share(battery) },
    {
        name: t`Load of this device`, from: t`as this browser tells it: 0 to 3`, unit: "", decimals: 0, most: 3, word: t`how hard the device works`,
        of: ({ pressure }) => (pressure === null ? null : ["nominal", "fair", "serious", "critical"].indexOf(pressure)),
    },
];

/** How much memory is known of. */
const MEMORY_FROM = {
    page: t`of the whole page, as this browser measures it`,
    script: t`of its scripts, as this browser tells it, and of the engine`,
    engine: t`of the engine, as it tells itself: this browser tells no more`,
};

/** @type {Row[]} */
const HUBS = [
    { name: t`Hub process`, from: t`share of one processor`, unit: "%", decimals: 1, most: 10, of: ({ hub }) => share(hub?.cpuShare) },
    { name: t`Of it, the lab`, from: t`reading and storing samples`, unit: "%", decimals: 1, most: 10, of: ({ hub }) => share(hub?.labShare) },
    { name: t`Hub memory`, from: t`as its machine tells it`, unit: "MB", decimals: 1, most: 200, of: ({ hub }) => mega(hub?.residentBytes) },
];

/** @param {Row[]} all */
function table(all) {
    const rows = all.map((row) => ({ ...row, was: /** @type {number?} */ (null), cells: cells(row) }));
    return {
        node: make("div", { class: "cost-place" }, make("table", { class: "table cost" },
            make("thead", { class: "unseen" }, make("tr", {},
                [t`What`, t`Now`, t`Since the start`, t`Before and now`].map((word) => make("th", { scope: "col" }, word)))),
            make("tbody", {}, rows.map(({ cells: { row } }) => row)))),
        show(now, isBase, isRunning) {
            for (const row of rows) {
                const value = row.of(now);
                if (isBase) row.was = value;
                row.cells.row.hidden = Boolean(row.word) && value === null;
                if (typeof row.from === "function") text(row.cells.from, row.from(now));
                draw(row, value, isBase && !isRunning);
            }
        },
    };
}

/** @param {Row} row */
function cells({ name, from }) {
    const known = make("span", { class: "fine" }, typeof from === "string" ? from : "");
    const now = make("td", { class: "n" });
    const more = make("td", { class: "n" });
    const drawn = make("td", { class: "dumb", "aria-hidden": true });
    const row = make("tr", {}, make("th", { scope: "row" }, name, known), now, more, drawn);
    return { row, from: known, now, more, drawn };
}

function draw({ cells: { now, more, drawn }, unit, decimals, most, was }, value, isBefore) {
    if (value === null || value < 0) {
        fill(now, make("span", { class: "fine" }, t`not told`));
        fill(more);
        if (!drawn.querySelector(".hatch")) fill(drawn, make("span", { class: "hatch" }));
        return;
    }
    fill(now, make("b", { class: "strong" }, figure(value, decimals)), unit && make("span", { class: "fine" }, withUnit("", unit)));
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
