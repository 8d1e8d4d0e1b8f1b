import { axisPlot, placed } from "../../elements/axis-plot.js";
import { chartAxis, secondsAxis } from "../../elements/chart-axis.js";
import { make } from "../../elements/make.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { chosenAxis, LENGTH } from "../measure/axis-choice.js";
import { sensorName } from "../recordings/recording-text.js";

/**
 * What the phones of a class measure, beside each other: each its own small chart, all on one scale and one time. Of each
 * stretch of time the mean is a line, and how far the values went is drawn behind it.
 * @param {Contract.Answer<"GET", `/api/lab/classes/${string}/curves`>} answer
 * @param {(guest: string) => string} nameOf
 * @param {number} seconds  of a run
 * @param {string} choice  which axis: see axis-choice.js
 */
export function classCurves({ curves, sensor }, nameOf, seconds, choice) {
    const all = curves.filter(({ chart }) => chart && chart.points.length > 0).map((one) => ({ ...one, axis: chosenAxis(one.chart, choice) }));
    const values = all.flatMap(({ chart, axis }) => chart.points.flatMap((point) => [axis.low(point), axis.high(point)]));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max((high - low) * 0.08, 1e-3);
    const until = Math.max(seconds, ...all.map(({ chart }) => chart.points.at(-1).seconds), 0.1);
    const [scale, times] = [chartAxis(low - room, high + room, { steps: 3 }), secondsAxis(until)];
    const { x, y } = placed(scale, times);
    const digits = high - low < 5 ? 2 : 0;
    return make("div", { class: "class-curves" }, all.map(({ guest, chart, clock, axis }) => {
        const { plot, ends } = axisPlot({
            values: scale, along: times, label: label(sensor, nameOf(guest), chart, axis, choice, digits),
            lines: [
                make("svg:path", { class: "band", d: band(chart, axis, x, y) }),
                make("svg:path", { class: "line", d: line(chart, axis, x, y) }),
            ],
        });
        return make("figure", { class: "chart class-curve" },
            make("figcaption", {}, make("span", {}, make("span", { class: "strong" }, nameOf(guest)), chart.axes.length > 1 && make("span", { class: "fine" }, " ", along(axis.name, choice)), make("span", { class: "fine" }, `, ${chart.unit}`)),
                make("span", { class: "fine" }, clock ? t`clock ${figure(clock.offsetMicroseconds / 1000, 0)} ms, ±${number(Math.max(1, clock.uncertaintyMicroseconds / 1000), 0)} ms` : t`clock not known yet`)),
            plot, ends);
    }));
}

const along = (name, choice) => (choice === LENGTH ? name : t`along ${name}`);

function label(sensor, name, chart, axis, choice, digits) {
    const now = `${figure(axis.mean(chart.points.at(-1)), digits)} ${chart.unit}`;
    return chart.axes.length > 1 ? t`${sensorName(sensor)} of ${name} ${along(axis.name, choice)}, now ${now}` : t`${sensorName(sensor)} of ${name}, now ${now}`;
}

/** A line through what came; broken where nothing did. */
function line(chart, axis, x, y) {
    let before = null;
    return chart.points.map((point) => {
        const isStart = before === null || isBroken(chart, before, point.seconds);
        before = point.seconds;
        return `${isStart ? "M" : "L"}${x(point.seconds)} ${y(axis.mean(point))}`;
    }).join("");
}

/** How far the values went in each stretch. */
function band(chart, axis, x, y) {
    const stretches = [];
    let before = null;
    for (const point of chart.points) {
        if (before === null || isBroken(chart, before, point.seconds)) stretches.push([]);
        stretches.at(-1).push(point);
        before = point.seconds;
    }
    return stretches.map((points) => `M${points.map((point) => `${x(point.seconds)} ${y(axis.high(point))}`).join("L")}L${
        points.toReversed().map((point) => `${x(point.seconds)} ${y(axis.low(point))}`).join("L")}Z`).join("");
}

function isBroken({ gaps, widthMicroseconds }, before, now) {
    return now - before > (widthMicroseconds / 1e6) * 2.5 && gaps.some(({ fromSeconds, toSeconds }) => fromSeconds < now && toSeconds > before);
}
