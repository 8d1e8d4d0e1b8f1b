import { chosenPoint } from "../../elements/chart-point.js";
import { make } from "../../elements/make.js";

const WORDY = 7; // points at most for each to carry its value
const ROOM = 0.1; // share of the width from which on a gap is labelled
const APART = 0.26; // and how far two such words are apart

/** Where a value stands on an axis, percent from the top. */
export function heightOf(value, { from, to }) {
    return ((to - value) / (to - from)) * 100;
}

/** Where a place of so many stands, percent from the left. */
export function placeOf(index, count) {
    return ((index + 0.5) / count) * 100;
}

/** A place in a plot, of a hundred: as SVG wants it. */
export const percent = (value) => `${Math.round(value * 100) / 100}%`;

/** What a chart stands on: its rules, the words below it, and a baseline that is broken where nothing was played. */
export function plotGround({ axis, ticks, count, gaps = [] }) {
    const inside = axis.ticks.filter(({ at }) => at > axis.from);
    return [
        inside.map(({ at }) => {
            const y = percent(heightOf(at, axis));
            return make("svg:line", { class: "grid", x1: 0, x2: "100%", y1: y, y2: y });
        }),
        make("svg:line", { class: "base", x1: 0, x2: "100%", y1: "100%", y2: "100%" }),
        gaps.map(({ from, to }) => make("svg:line", {
            class: "base-gap", x1: percent((from / count) * 100), x2: percent(((to + 1) / count) * 100), y1: "100%",
            y2: "100%",
        })),
        ticks.map(({ index, label }) => tick(index, label, count)),
        namedGaps(gaps, count).map(({ from, to, words }) => make("svg:text", {
            class: "mid", x: percent(((from + to + 1) / 2 / count) * 100), y: "100%", dy: -10,
        }, words)),
    ];
}

function tick(index, label, count) {
    const at = placeOf(index, count);
    const isFirst = count > WORDY && index < count * 0.08;
    const isLast = count > WORDY && index > count * 0.92;
    return make("svg:text", {
        class: isFirst ? null : isLast ? "end" : "mid", x: isFirst ? 0 : isLast ? "100%" : percent(at), y: "100%",
        dy: 20,
    }, label);
}

/** The gaps that are labelled: where there is room, and no two labels meet. */
function namedGaps(gaps, count) {
    const data = [];
    for (const gap of gaps.toSorted((a, b) => (b.to - b.from) - (a.to - a.from))) {
        const middle = (gap.from + gap.to + 1) / 2 / count;
        const isWide = (gap.to - gap.from + 1) / count >= ROOM;
        if (isWide && data.every((one) => Math.abs(one.middle - middle) >= APART)) data.push({ ...gap, middle });
    }
    return data;
}

/** The names of the axis, beside the plot. */
function ends(axis, values = []) {
    return make("div", { class: "ends", "aria-hidden": true },
        axis.ticks.map(({ at, label }) => make("span", { vars: { y: heightOf(at, axis) } }, label)), values);
}

/**
 * Values with their spread, a dot and a line each; nothing runs through what was not played.
 * @param {object} data  a chart of the hub: `{count, axis, ticks, points, gaps, label}`; a point has `lower` and
 * `upper`,
 *   or `from` and `to` where its range is an interval
 * @param {{value: (point: object) => number, said?: (point: object) => string, zero?: boolean}} options  `said`: what
 *   stands beside a dot where there is room; `zero`: a line at nought, which is no difference
 */
export function spreadPlot(data, { value, said, zero = false }) {
    const { count, axis, points, label, earlier } = data;
    const isWordy = said && count <= WORDY;
    const isThin = count > 31;
    const y = (v) => percent(heightOf(v, axis));
    // Of too few values there are no quartiles: a dot without a line.
    const low = (point) => point.lower ?? point.from ?? value(point);
    const high = (point) => point.upper ?? point.to ?? value(point);
    return make("svg:svg", { class: "plot", role: "img", "aria-label": label, data: { thin: isThin ? "" : undefined } },
        plotGround(data),
        zero && make("svg:line", { class: "zero", x1: 0, x2: "100%", y1: y(0), y2: y(0) }),
        earlier && make("svg:g", { class: "earlier" }, earlier.points.map((point) => {
            const x = percent(placeOf(point.index, count));
            return [make("svg:line", { class: "before-range", x1: x, x2: x, y1: y(high(point)), y2: y(low(point)) }),
                make("svg:circle", { class: "before", cx: x, cy: y(value(point)), r: isThin ? 2.5 : 4 })];
        })),
        points.map((point) => {
            const x = percent(placeOf(point.index, count));
            return [
                make("svg:line", { class: "iqr", x1: x, x2: x, y1: y(high(point)), y2: y(low(point)) }),
                make("svg:circle", { class: "dot", cx: x, cy: y(value(point)), r: isThin ? 3 : isWordy ? 5 : 4.5 }),
                isWordy && make("svg:text", { class: "said", x, y: y(value(point)), dx: 13, dy: 5 }, said(point)),
                isWordy && !Array.isArray(point.n) && make("svg:text", { class: "mid", x, y: "100%", dy: 38 },
                    `n ${point.n}`),
            ];
        }));
}

/** Medians over time with the line that was fitted to them, above them where they are many, and its band. */
export function trendPlot(data) {
    const { count, axis, points, line, band, label } = data;
    const isThin = points.length > 31;
    const y = (v) => percent(heightOf(v, axis));
    const at = (index, v) => `${placeOf(index, count) * 10} ${heightOf(v, axis)}`;
    const fitted = line?.length > 1 && stretched(make("svg:path", {
        class: "line thin", d: `M${line.map((one) => at(one.index, one.value)).join(" L")}`,
    }));
    return make("svg:svg", { class: "plot", role: "img", "aria-label": label, data: { thin: isThin ? "" : undefined } },
        plotGround(data),
        band?.length > 1 && stretched(make("svg:path", {
            class: "band", d: `M${[...band.map((one) => at(one.index, one.to)),
                ...band.toReversed().map((one) => at(one.index, one.from))].join(" L")}z`,
        })),
        !isThin && fitted,
        points.map((point) => make("svg:circle", {
            class: "dot-ink", cx: percent(placeOf(point.index, count)), cy: y(point.median), r: isThin ? 2.5 : 4.5,
        })),
        isThin && fitted);
}

/** What is drawn in thousandths of the width and hundredths of the height. */
function stretched(path) {
    return make("svg:svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", width: "100%", height: "100%",
        class: "stretched" }, path);
}

/**
 * A hand's quartiles as a box with its median; of too few values the median alone.
 * @param {{median: number, lower?: number, upper?: number}} reaction
 */
export function boxPlot(reaction, axis, { name, height = 32 }) {
    const x = (v) => ((v - axis.from) / (axis.to - axis.from)) * 100;
    const [low, high, middle] = [reaction.lower ?? reaction.median, reaction.upper ?? reaction.median, reaction.median].map(x);
    return make("svg:svg", { class: name.class, role: name.label ? "img" : undefined, "aria-label": name.label,
        "aria-hidden": name.label ? undefined : true },
        make("svg:line", { class: "grid", x1: 0, x2: "100%", y1: height / 2, y2: height / 2 }),
        reaction.lower !== undefined && make("svg:rect", { class: "box", x: percent(low), width: percent(high - low), y: 6, height: height - 12 }),
        make("svg:line", { class: "med", x1: percent(middle), x2: percent(middle), y1: 2, y2: height - 2 }));
}

/**
 * A chart with its name, what is drawn, and the names of its axis; where `says` is given, each point says itself when it is
 * asked for.
 * @param {{title: string, caption?: string, id?: string, height: number, ends?: number, axis?: object, plot: any,
 *   level?: 2|3, more?: Parameters<typeof ends>[1], of?: {points: any[], count: number},
 *   says?: (point: any) => string}} options  `of`: what is drawn
 */
export function figure({ title, caption, id, height, ends: width = 52, axis, plot, level = 2, more, of, says }) {
    return make("figure", { class: "chart", vars: { height: `${height}px`, ends: `${axis ? width / 16 : 0}rem` } },
        make("figcaption", {}, make(`h${level}`, { id }, title), caption && make("span", { class: "fine" }, caption)),
        plot, axis && ends(axis, more),
        says && chosenPoint(plot, of.points.map(({ index }) => placeOf(index, of.count)), (i) => says(of.points[i])));
}
