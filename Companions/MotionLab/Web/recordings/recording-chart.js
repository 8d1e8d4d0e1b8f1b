import { get } from "../../app/api.js";
import { axisPlot, placed } from "../../elements/axis-plot.js";
import { chartAxis, secondsAxis } from "../../elements/chart-axis.js";
import { chosenPoint } from "../../elements/chart-point.js";
import { chartZoom } from "../../elements/chart-zoom.js";
import { fill, make } from "../../elements/make.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { axisChoice, chosenAxis, gravityOf, LENGTH, lengthNote, STRONGEST } from "../measure/axis-choice.js";
import { DASHES, stroke } from "../measure/live-chart.js";
import { sensorName } from "./recording-text.js";

const POINTS = 400;
const FEWEST = 12; // points that are shown when it is looked at from nearest

/**
 * The chart of one sensor of a recording, each axis a line: for each stretch of time its mean, and of a single axis how far
 * the values went.
 * @param {{id: string, name: string}} recording
 * @param {string} sensor
 * @param {AbortSignal} signal
 */
export async function recordingChart({ id }, sensor, signal) {
    const ask = (part) => get(`/api/lab/recordings/${encodeURIComponent(id)}/chart?sensor=${sensor}&points=${POINTS}${part}`, { signal });
    const chart = await ask("");
    return drawn([chart], chart.axes.map((axis) => ({ name: axis, chart, ...chosenAxis(chart, axis) })), sensorName(sensor),
        async (part) => [await ask(part)]);
}

/**
 * One sensor of several recordings, laid over each other from their starts: of each the axis that swings most, or the one
 * that is chosen, an acceleration without gravity. All axes of all would be twelve lines, which say nothing.
 * @param {Array<{id: string, name: string}>} all
 * @param {string} sensor
 * @param {AbortSignal} signal
 */
export async function comparedChart(all, sensor, signal) {
    const ask = (part) => Promise.all(all.map(({ id }) =>
        get(`/api/lab/recordings/${encodeURIComponent(id)}/chart?sensor=${sensor}&gravity=${gravityOf(sensor)}&points=${POINTS}${part}`, { signal })));
    const charts = await ask("");
    const [{ axes, hasLength }] = charts;
    const node = make("div", { class: "stack" });
    const show = (choice) => {
        const series = charts.map((chart, i) => {
            const axis = chosenAxis(chart, choice);
            return { ...axis, name: axes.length > 1 ? t`${all[i].name}, ${axis.name}` : all[i].name, chart };
        });
        fill(node, axes.length > 1 && axisChoice(axes, choice, show, hasLength), choice === LENGTH && make("p", { class: "small second" }, lengthNote()),
            drawn(charts, series, sensorName(sensor), ask));
    };
    show(STRONGEST);
    return node;
}

/**
 * @param {MotionLab.ChartResponse[]} charts
 * @param {Array<{name: string, chart: MotionLab.ChartResponse, low: (point: any) => number, mean: (point: any) => number,
 *   high: (point: any) => number}>} series
 * @param {string} title
 * @param {(part: string) => Promise<MotionLab.ChartResponse[]>} ask  for a part of them
 */
function drawn(charts, series, title, ask) {
    const until = Math.max(...charts.map(({ points }) => points.at(-1)?.seconds ?? 0), 0.001);
    const hertz = Math.max(...charts.map(({ points }) => points.reduce((sum, { count }) => sum + count, 0))) / until;
    let chosen = null;
    /** What the hub has answered of a part that was looked at closer. @type {{from: number, to: number, charts: MotionLab.ChartResponse[]}?} */
    let closer = null;
    return chartZoom({
        until, least: Math.min(until, FEWEST / Math.max(hertz, 0.01)),
        draw: (from, to) => {
            const isThere = closer && closer.from <= from && to <= closer.to;
            const lines = isThere ? series.map((one) => ({ ...one, chart: closer.charts[charts.indexOf(one.chart)] })) : series;
            return stretch(charts, series, lines, title, { from, to, until, chosen, choose: (seconds) => { chosen = seconds; } });
        },
        middle: () => chosen,
        rest: async (from, to) => {
            const long = to - from;
            if (long > until / 2 || (closer && closer.from <= from && to <= closer.to && closer.to - closer.from < 4 * long)) return false;
            const part = { from: Math.max(0, from - long / 2), to: Math.min(until, to + long / 2) };
            closer = { ...part, charts: await ask(`&from=${part.from}&to=${part.to}`) };
            return true;
        },
    });
}

/**
 * A stretch of them: the values stand as they stand in the whole, so that closer is only closer.
 * @param {MotionLab.ChartResponse[]} charts
 * @param {Array<any>} series  of the whole
 * @param {Array<any>} lines  the same, of what is shown as close as it is known
 * @param {string} title
 * @param {{from: number, to: number, until: number, chosen: number?, choose: (seconds: number) => any}} shown  seconds
 */
function stretch(charts, series, lines, title, { from: first, to: last, until, chosen, choose }) {
    const isOne = charts.length === 1;
    const { unit } = charts[0];
    const values = series.flatMap(({ chart, low, high }) => chart.points.flatMap((point) => [low(point), high(point)]));
    const from = Math.min(...values);
    const to = Math.max(...values);
    const room = Math.max((to - from) * 0.05, 1e-6);
    const scale = chartAxis(from - room, to + room);
    const times = secondsAxis(last, first);
    const { x, y } = placed(scale, times);
    const label = isOne ? t`${title} over ${number(until, 1)} s, from ${number(from, 2)} to ${number(to, 2)} ${unit}`
        : t`${title} of ${charts.length} recordings over ${number(until, 1)} s`;
    const points = lines[0].chart.points.filter(({ seconds }) => seconds >= first && seconds <= last);
    const { plot, ends } = axisPlot({
        values: scale, along: times, label,
        gaps: isOne ? charts[0].gaps.filter(({ fromSeconds, toSeconds }) => toSeconds > first && fromSeconds < last)
            .map(({ fromSeconds, toSeconds }) => [Math.max(first, fromSeconds), Math.min(last, toSeconds)]) : [],
        lines: [
            isOne && series.length === 1 && make("svg:path", { class: "band", d: band(lines[0], x, y) }),
            lines.map((one, i) => make("svg:path", {
                class: "line", d: line(one, x, y), data: { series: series.length > 1 ? (i % DASHES.length) + 1 : null },
                "stroke-dasharray": DASHES[i % DASHES.length].join(" ") || null,
            })),
        ],
    });
    return make("figure", { class: "chart recording-chart" },
        make("figcaption", {}, make("h3", {}, title), make("span", { class: "fine" }, charts[0].isWithoutGravity ? t`${unit}, gravity taken out` : unit)),
        plot,
        ends,
        chosenPoint(plot, points.map(({ seconds }) => x(seconds) / 10), (index) => {
            const { seconds } = points[index];
            return `${number(seconds, 2)} s: ${valuesAt(lines, seconds)} ${unit}`;
        }, { chosen: nearest(points, chosen), choose: (index) => choose(points[index].seconds) }),
        series.length > 1 && make("p", { class: "key" }, series.map(({ name }, i) => make("span", {}, stroke(i), name))));
}

/** The point nearest to a time, which closer may be another; -1 for none. */
function nearest(points, seconds) {
    if (seconds === null) return -1;
    let best = -1;
    points.forEach((one, i) => { if (best < 0 || Math.abs(one.seconds - seconds) < Math.abs(points[best].seconds - seconds)) best = i; });
    return best;
}

/** What each line has nearest to a time, in words. */
function valuesAt(series, seconds) {
    return series.map(({ name, chart, mean }) => {
        const near = chart.points.reduce((best, one) =>
            (Math.abs(one.seconds - seconds) < Math.abs(best.seconds - seconds) ? one : best));
        const value = number(mean(near), 2);
        return series.length > 1 ? `${name} ${value}` : value;
    }).join(", ");
}

/** A line through the means; broken where a stretch is missing. */
function line({ chart, mean }, x, y) {
    const longest = (chart.widthMicroseconds / 1e6) * 2.5;
    let before = null;
    return chart.points.map((point) => {
        const isBroken = before === null || isApart(chart, before, point.seconds, longest);
        before = point.seconds;
        return `${isBroken ? "M" : "L"}${x(point.seconds)} ${y(mean(point))}`;
    }).join("");
}

function isApart(chart, before, now, longest) {
    return chart.gaps.some(({ fromSeconds, toSeconds }) => fromSeconds >= before - longest && toSeconds <= now + longest && toSeconds > before)
        && now - before > longest;
}

function band({ chart, low, high }, x, y) {
    const there = chart.points.map((point) => `${x(point.seconds)} ${y(high(point))}`);
    const back = chart.points.toReversed().map((point) => `${x(point.seconds)} ${y(low(point))}`);
    return there.length > 0 ? `M${there.join("L")}L${back.join("L")}Z` : "";
}
