import { use } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { percent } from "../data/plot.js";
import { PADS } from "../pads.js";

const LINES = [20, 46, 72, 98]; // where the four staffs lie: red, orange, blue, yellow
const NOTE = 16;
const LONG = 4; // beats from one long tick of the scale to the next
const FIRST = 0.55; // of a step: where the first beat of a system stands
/** How many beats became what, each said aloud. */
const COUNTED = {
    right: (n) => t`${n} right at the first try`, wrongFirst: (n) => t`${n} after another drum`,
    offTime: (n) => t`${n} early or late`, missed: (n) => t`${n} not hit`, notJudged: (n) => t`${n} not judged`,
    unanswered: (n) => t`${n} not answered`,
};

const centred = (symbol, size) => use(symbol, { x: -size / 2, y: -size / 2, width: size, height: size });
/** A sign that keeps its size, with its middle at a place in percent. */
const sign = (className, symbol, x, y, size, pad) =>
    make("svg:svg", { class: className, data: { pad }, x: percent(x), y },
    centred(symbol, size));

/** How many steps of the song are drawn: to its last drum, or to the long tick behind where it was left. */
export function stepsPlayed({ beatList, chart: { steps, stepsPerBeat } }) {
    const perTick = LONG * stepsPerBeat;
    const asked = (beatList.at(-1)?.step ?? 0) + 1;
    return Math.min(Math.ceil(asked / perTick) * perTick, steps.lastIndexOf("1") + 1) || asked;
}

/**
 * A song that was played, as a score: four lines for four drums, systems of so many steps below each other. A note is
 * where its drum was asked for, its tail the time that the answer took, or in flow mode how early or late it came, a
 * cross another drum that came first, a fermata where the music waited, hatching where nothing was judged.
 * @param {object} played  `{beatList, mode, chart: {steps, stepsPerBeat}, stepMilliseconds: (step) => number}`
 * @param {number} across  steps a system
 * @returns {Node[]}
 */
export function systems(played, across) {
    const last = stepsPlayed(played);
    return Array.from({ length: Math.ceil(last / across) }, (_, i) => {
        const from = i * across;
        const to = Math.min(from + across, last);
        return make("li", {}, system(played, from, to, across));
    });
}

function system({ beatList, mode, chart, stepMilliseconds }, from, to, across) {
    const x = (step) => ((step - from + FIRST) / across) * 100;
    const inside = beatList.filter(({ step }) => step >= from && step < to);
    const perBeat = chart.stepsPerBeat;
    return make("svg:svg", { class: "score", role: "img", "aria-label": systemText(inside, from, to, perBeat) },
        lost(inside, chart).map(([first, end]) => make("svg:rect", {
            class: "unknown", x: percent(x(first - 0.5)), width: percent(((end - first + 1) / across) * 100), y: 6,
            height: 104,
        })),
        LINES.map((y) => make("svg:line", { class: "staff", x1: 0, x2: percent(x(to - 1) + (FIRST / across) * 100),
            y1: y, y2: y })),
        Array.from({ length: to - from }, (_, i) => mark(from + i, x(from + i), perBeat)),
        inside.map((beat) => note(beat, x(beat.step), stepMilliseconds(beat.step), across, mode === "flow")));
}

/** The ruled scale below: a stroke a beat, every fourth with its number, counted from 1. */
function mark(step, at, perBeat) {
    if (step % perBeat !== 0) return null;
    const beat = step / perBeat;
    const isLong = beat % LONG === 0;
    const x = percent(at);
    return [
        make("svg:line", { class: isLong ? "tick-4" : "tick-1", x1: x, x2: x, y1: isLong ? 110 : 114, y2: 118 }),
        isLong && make("svg:text", { x, y: 132 }, beat + 1),
    ].filter(Boolean);
}

function note(beat, at, stepMilliseconds, across, isFlow) {
    const y = LINES[beat.drum];
    const { name } = PADS[beat.drum];
    const isAnswered = ["right", "wrongFirst", "offTime"].includes(beat.verdict);
    const took = isAnswered ? ((isFlow ? beat.error : beat.reaction) ?? 0) / stepMilliseconds : 0;
    const reach = Math.min(Math.max(at + (took / across) * 100, 0), 100);
    return [
        took !== 0 && make("svg:line", { class: "tail", x1: percent(at), x2: percent(reach), y1: y, y2: y }),
        sign(isAnswered ? "note" : "note open", `pad-${name}`, at, y, NOTE, name),
        beat.wrong.map((drum) => sign("wrong", "miss", at, LINES[drum], 12)),
        beat.waited > 0 && sign("held", "hold", at, 0, NOTE),
    ];
}

/** Stretches of steps that were not judged since the link was lost: `[first, last]` each. */
function lost(beats, { steps }) {
    const found = [];
    for (const { step, verdict } of beats) {
        if (verdict !== "notJudged") continue;
        const before = found.at(-1);
        if (before && !steps.slice(before[1] + 1, step).includes("1")) before[1] = step;
        else found.push([step, step]);
    }
    return found;
}

function systemText(beats, from, to, perBeat) {
    const [first, last] = [from, to - 1].map((step) => Math.floor(step / perBeat) + 1);
    const parts = Object.entries(COUNTED)
        .map(([verdict, counted]) => [beats.filter((one) => one.verdict === verdict).length, counted])
        .filter(([count]) => count > 0).map(([count, counted]) => counted(count));
    return parts.length === 0 ? t`Beats ${first} to ${last}: rests`
        : t`Beats ${first} to ${last}: ${parts.join(", ")}`;
}

/** What the signs mean; only those that are there. */
export function scoreKey({ beatList, mode }) {
    const has = (test) => beatList.some(test);
    const shape = (size, ...children) => make("svg:svg",
        { viewBox: `0 0 ${size} 12`, class: size === 12 ? "short" : null, "aria-hidden": true }, children);
    return [
        make("div", { class: "key" },
            make("span", {}, shape(26, make("svg:path", { class: "tail", d: "M6 6h19" }),
                make("svg:circle", { class: "ink-fill", cx: 6, cy: 6, r: 6 })),
                mode === "flow" ? t`Hit; the tail is how early or late` : t`Hit; the tail is the time it took`),
            has(({ wrong }) => wrong.length > 0) && make("span", {},
                shape(12, make("svg:path", { class: "cross", d: "M1.5 1.5l9 9M10.5 1.5l-9 9" })), t`Another drum first`),
            has(({ waited }) => waited > 0) && make("span", {},
                make("svg:svg", { class: "icon", data: { size: "s" }, "aria-hidden": true },
                use("hold")), t`The music waited`),
            has(({ verdict }) => verdict === "missed" || verdict === "unanswered")
                && make("span", {}, shape(12, make("svg:circle", { class: "hollow", cx: 6, cy: 6, r: 5 })), t`Not hit`),
            has(({ verdict }) => verdict === "notJudged")
                && make("span", {}, shape(26, make("svg:rect", { class: "unknown", width: 26, height: 12 })),
                    t`Not judged: the link was lost, or it was paused`)),
        make("div", { class: "key pads-key" }, PADS.filter((_, drum) =>
            has((one) => one.drum === drum)).map(({ name, word }) =>
            make("span", {}, make("svg:svg", { class: "note", data: { pad: name }, viewBox: "0 0 24 24",
                "aria-hidden": true },
                use(`pad-${name}`)), word))),
    ];
}

/** The pattern of hatching that charts and scores fill with. */
export function hatching() {
    return make("svg:svg", { class: "defs", width: 0, height: 0, "aria-hidden": true }, make("svg:defs", {},
        make("svg:pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)" },
            make("svg:path", { class: "hatch-line", d: "M0 0V6" }))));
}
