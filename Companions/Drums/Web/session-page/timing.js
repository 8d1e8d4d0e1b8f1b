import { chartAxis, namedTicks } from "../../elements/chart-axis.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { heightOf, percent } from "../data/plot.js";
import { beatNames } from "./reaction-chart.js";
import { stepsPlayed } from "./score.js";

const FARTHEST = 1000; // milliseconds from its beat that a hit is drawn
const LEAST = 200;

const signed = (value) => `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${number(Math.abs(value))}`;

/** "+34", "−12": late is more. */
export function lateText(milliseconds) {
    return signed(Math.round(milliseconds));
}

/** How early or late each hit was: the beat is the line in the middle, the window that counted a band. */
export function timingChart(played) {
    const { beatList, chart, timing, window } = played;
    if (!timing) return null;
    const shown = beatList.filter(({ error }) => Number.isFinite(error) && Math.abs(error) <= FARTHEST);
    const edges = window ? [window.centre - window.half, window.centre + window.half] : [];
    const most = Math.max(LEAST, ...[...shown.map(({ error }) => error), ...edges].map(Math.abs));
    const axis = timingAxis(most);
    const last = stepsPlayed(played);
    const perBeat = chart.stepsPerBeat;
    const x = (step) => percent(((step + 0.5) / last) * 100);
    const y = (value) => percent(heightOf(value, axis));
    const isNear = Math.abs(heightOf(timing.median, axis) - 50) < 13;
    return make("section", { class: "section", "aria-labelledby": "timing" },
        make("figure", { class: "chart", vars: { height: "150px", ends: "3.5rem" } },
            make("figcaption", {}, make("h2", { id: "timing" }, t`Early and late`),
                make("span", { class: "fine" }, t`below the line is early, n = ${timing.n}`)),
            make("svg:svg", {
                class: "plot", role: "img",
                "aria-label": timing.lower === undefined ? t`How late each hit was: median ${lateText(timing.median)} milliseconds.`
                    : t`How late each hit was: median ${lateText(timing.median)} milliseconds, half between ${
                        lateText(timing.lower)} and ${lateText(timing.upper)}.`,
            },
            window && make("svg:rect", { class: "band", x: 0, width: "100%", y: y(edges[1]),
                height: percent(heightOf(edges[0], axis) - heightOf(edges[1], axis)) }),
            beatList.filter(({ verdict }) => verdict === "notJudged").map(({ step }) => make("svg:rect", {
                class: "unknown", x: percent((step / last) * 100), width: percent(100 / last), y: 0, height: "100%",
            })),
            axis.ticks.filter(({ at }) => at !== 0).map(({ at }) => make("svg:line", { class: "grid", x1: 0, x2: "100%", y1: y(at), y2: y(at) })),
            make("svg:line", { class: "zero", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
            shown.map(({ step, error, wrong }) => [
                make("svg:line", { class: "stem", x1: x(step), x2: x(step), y1: "50%", y2: y(error) }),
                make("svg:circle", { class: wrong.length > 0 ? "dot-hollow" : "dot", cx: x(step), cy: y(error),
                    r: last > 60 ? 3 : 4 },
                    make("svg:title", {}, t`Beat ${Math.floor(step / perBeat) + 1}: ${lateText(error)} ms`)),
            ]),
            beatNames(last, perBeat, x)),
            make("div", { class: "ends", "aria-hidden": true },
                namedTicks(axis, isNear ? [timing.median] : [0, timing.median])
                    .map(({ at, label }) => make("span", { vars: { y: heightOf(at, axis) } }, at > 0 ? `+${label}` : label)),
                !isNear && make("span", { vars: { y: 50 } }, t`beat`),
                make("span", { class: "strong", vars: { y: heightOf(timing.median, axis) } },
                    `${lateText(timing.median)} ms`))),
        window && make("p", { class: "fine" }, bandText(window)));
}

/** The axis of early and late, as far down as up. @param {number} most  milliseconds */
export function timingAxis(most) {
    const reach = chartAxis(0, most, { steps: 2, isWhole: true }).to;
    return chartAxis(-reach, reach, { isWhole: true });
}

function bandText({ half, isLearnt }) {
    const width = number(2 * half);
    return isLearnt
        ? t`The band is the window in which a hit was on the beat, ${width} ms wide, learnt from this player’s own hits.`
        : t`The band is the window in which a hit was on the beat, ${width} ms wide, as for everybody at first.`;
}
