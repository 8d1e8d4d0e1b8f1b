import { chartAxis } from "../../elements/chart-axis.js";
import { make, text } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { coloursOf, DASHES, drawRules, nameTicks, nameTicksAlong, stroke } from "../measure/live-chart.js";
import { sensorName, sensorUnit } from "../recordings/recording-text.js";

const POINTS = 1200; // of each column two
const AXES = ["x", "y", "z"];

/**
 * A plot of an experiment, drawn of what the engine computes of its formulas. What it measures in stands once above it where
 * all of its lines have the same unit, and else beside each line's name.
 * @param {{title?: string, x: string, y: string[]}} plot
 * @param {Array<{name: string, unit?: string}>} [named]  what its file reckons with, beside the sensors
 */
export function experimentPlot({ title, x, y }, named = []) {
    const units = y.map((one) => unitOf(one, named));
    const isOne = units.every((unit) => unit === units[0]);
    const canvas = make("canvas", { class: "live-plot", role: "img", "aria-label": PLOTS[title] ?? title ?? y.map(seriesName).join(", ") });
    const ends = make("div", { class: "live-ends fine", "aria-hidden": true });
    const times = make("div", { class: "live-along fine", "aria-hidden": true });
    const node = make("section", { class: "section live-chart" },
        make("div", { class: "live-head" }, make("h2", {}, PLOTS[title] ?? title ?? y.map(seriesName).join(", ")),
            isOne && units[0] && make("span", { class: "fine" }, units[0])),
        make("div", { class: "live-frame" }, canvas, ends), times,
        y.length > 1 && make("p", { class: "key" }, y.map((one, i) => make("span", {}, stroke(i), [seriesName(one), !isOne && units[i]].filter(Boolean).join(", ")))));
    const isTime = x === "time";
    // Over time the lowest and the highest of each column are drawn, so that nothing falls between.
    const thinned = make("p", { class: "fine", hidden: true });
    node.append(thinned);
    const unitAlong = isTime ? "s" : unitOf(x, named);
    return {
        node,
        draw(engine, place) {
            const box = canvas.getBoundingClientRect();
            const ratio = Math.min(devicePixelRatio || 1, 2);
            if (!box.width) return;
            const points = new Float32Array(engine.answer(engine.call.experimentPlot(place, POINTS)).buffer);
            const stride = y.length + 1;
            const every = engine.call.experimentEvery(place, POINTS);
            thinned.hidden = every === 1;
            if (every > 1) text(thinned, t`One moment in ${every} is drawn.`);
            let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
            for (let i = 0; i < points.length; i += stride) {
                if (Number.isNaN(points[i])) continue;
                left = Math.min(left, points[i]);
                right = Math.max(right, points[i]);
                for (let one = 1; one < stride; one += 1) {
                    if (Number.isNaN(points[i + one])) continue;
                    low = Math.min(low, points[i + one]);
                    high = Math.max(high, points[i + one]);
                }
            }
            const context = canvas.getContext("2d");
            if (canvas.width !== Math.round(box.width * ratio)) {
                canvas.width = Math.round(box.width * ratio);
                canvas.height = Math.round(box.height * ratio);
            }
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.clearRect(0, 0, box.width, box.height);
            if (low > high || left >= right) return;
            const room = Math.max((high - low) * 0.08, 1e-6);
            const [values, along] = [chartAxis(low - room, high + room), chartAxis(left, right, { steps: 5 })];
            const across = (value) => along.share(value) * box.width;
            const up = (value) => (1 - values.share(value)) * box.height;
            const colours = coloursOf(canvas);
            drawRules(context, box, colours.grid, values.ticks.map(({ at }) => up(at)), along.ticks.map(({ at }) => across(at)));
            context.lineWidth = 2;
            for (let one = 1; one < stride; one += 1) {
                context.strokeStyle = context.fillStyle = y.length > 1 ? colours.series[(one - 1) % colours.series.length] : colours.line;
                context.setLineDash(DASHES[(one - 1) % DASHES.length]);
                context.beginPath();
                let isDown = false;
                for (let i = 0; i < points.length; i += stride) {
                    const value = points[i + one];
                    if (Number.isNaN(points[i]) || Number.isNaN(value)) isDown = false;
                    else if (!isTime) context.fillRect(across(points[i]) - 1.5, up(value) - 1.5, 3, 3);
                    else if (isDown) context.lineTo(across(points[i]), up(value));
                    else {
                        context.moveTo(across(points[i]), up(value));
                        isDown = true;
                    }
                }
                context.stroke();
            }
            nameTicks(ends, values);
            nameTicksAlong(times, along, unitAlong || undefined);
        },
    };
}

/**
 * A line of a plot in words: an axis by its letter, where all are of one sensor ("gyroscope.x"), and others as the file says.
 * @param {string} name
 */
function seriesName(name) {
    const [sensor, axis] = name.split(".");
    return axis && AXES.includes(axis) ? axis : sensorName(sensor) || name;
}

/** The unit of a line: its sensor's, or what the file says. @param {string} name @param {Array<{name: string, unit?: string}>} named */
function unitOf(name, named) {
    return named.find((one) => one.name === name)?.unit ?? sensorUnit(name.split(".")[0]);
}

/** Titles of the built-in experiments' plots. */
const PLOTS = {
    "Rate of turning": t`Rate of turning`, "Without direction": t`Without direction`, // not shown: what the files call them
    "What the phone feels: 1 g at rest, 0 g in free fall": t`What the phone feels: 1 g at rest, 0 g in free fall`, // not shown: likewise
    "Height": t`Height`, "What you feel": t`What you feel`, "Pressure": t`Pressure`, "Level": t`Sound level`, // not shown: likewise
    "Acceleration over the square of the rate": t`Acceleration over the square of the rate`, // not shown: likewise
    "Rate of turning, squared": t`Rate of turning, squared`, // not shown: likewise
};
