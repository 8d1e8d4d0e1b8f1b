import { chartAxis, roundStep } from "../../elements/chart-axis.js";
import { fill, make } from "../../elements/make.js";
import { figure } from "../../text/numbers.js";
import { t } from "../../language/text.js";

/** The dashes of the axes, beside their colours: for paper, and for who sees none. */
export const DASHES = [[], [7, 4], [2, 4], [12, 4, 2, 4]];
const PER_COLUMN = 2; // pixels

/**
 * A chart that moves: the last seconds of a sensor's axes. The engine says the points; here they are drawn, once a frame,
 * on a canvas, which a slow phone draws in a millisecond.
 * @param {{title: string, label: string, axes: string[], unit: string, seconds?: number, least: number,
 *   isAround?: boolean}} options  `least`: the scale reaches so far at least; `isAround`: the scale lies around the values,
 *   and not around nought
 */
export function liveChart({ title, label, axes, unit, seconds = 10, least, isAround = false }) {
    const canvas = make("canvas", { class: "live-plot", role: "img", "aria-label": label });
    const ends = make("div", { class: "live-ends fine", "aria-hidden": true });
    const count = make("span", { class: "fine" }, unit);
    const missing = make("span", { hidden: true }, hatched(), make("span", {}));
    const node = make("section", { class: "section live-chart" },
        make("div", { class: "live-head" }, make("h2", {}, title), count),
        make("div", { class: "live-frame" }, canvas, ends),
        make("div", { class: "live-times fine", "aria-hidden": true },
            make("span", {}, t`${seconds} s ago`), make("span", {}, t`${seconds / 2} s ago`), make("span", {}, t`now`)),
        make("p", { class: "key" }, axes.length > 1 && axes.map((axis, i) => make("span", {}, stroke(i), axis)), missing));
    const context = canvas.getContext("2d");
    let colours = null;
    let size = { width: 0, height: 0, ratio: 1 };
    let scale = { low: isAround ? 0 : -least, high: least };
    let axis = chartAxis(scale.low, scale.high);
    const measure = () => {
        const ratio = Math.min(devicePixelRatio || 1, 2); // finer is not seen, and costs a slow phone four times as much
        const box = canvas.getBoundingClientRect();
        size = { width: box.width, height: box.height, ratio };
        canvas.width = Math.round(box.width * ratio);
        canvas.height = Math.round(box.height * ratio);
        colours = coloursOf(canvas);
        draw(new Float32Array(0), 1);
    };
    new ResizeObserver(measure).observe(canvas);
    // not shown: a query
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = coloursOf(canvas); });

    /**
     * @param {Float32Array} points  as the engine's `chart` answers
     * @param {number} axisCount
     * @returns {number}  seconds of the stretch in which nothing came
     */
    function draw(points, axisCount) {
        if (!context || !size.width) return 0;
        colours ??= coloursOf(canvas);
        const { width, height, ratio } = size;
        const stride = axisCount + 1;
        fit(points, stride);
        // With the lines that they belong to, in the same frame.
        nameTicks(ends, axis);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const y = (value) => height - ((value - scale.low) / (scale.high - scale.low)) * height;
        const silent = gaps(points, stride, width, height);
        // Half of the time is named below.
        drawRules(context, size, colours.grid, axis.ticks.map(({ at }) => y(at)), [width / 2]);
        context.lineWidth = 2;
        context.lineJoin = "round";
        for (let axis = axisCount - 1; axis >= 0; axis -= 1) {
            context.strokeStyle = axisCount > 1 ? colours.series[axis % colours.series.length] : colours.line;
            context.setLineDash(DASHES[axis % DASHES.length]);
            context.beginPath();
            let isDown = false;
            for (let i = 0; i < points.length; i += stride) {
                const x = points[i];
                if (Number.isNaN(x)) isDown = false;
                else if (isDown) context.lineTo(x * width, y(points[i + 1 + axis]));
                else {
                    context.moveTo(x * width, y(points[i + 1 + axis]));
                    isDown = true;
                }
            }
            context.stroke();
        }
        return silent * seconds;
    }

    function gaps(points, stride, width, height) {
        let silent = 0;
        let before = null;
        for (let i = 0; i < points.length; i += stride) {
            if (!Number.isNaN(points[i])) before = points[i];
            else if (before !== null && i + stride < points.length) {
                const from = Math.max(before, 0);
                const to = points[i + stride];
                silent += to - from;
                hatch(from * width, to * width, height);
            }
        }
        return silent;
    }

    function hatch(from, to, height) {
        context.save();
        context.beginPath();
        context.rect(from, 0, to - from, height);
        context.clip();
        context.strokeStyle = colours.edge;
        context.lineWidth = 1;
        context.setLineDash([]);
        context.beginPath();
        for (let x = from - height; x < to; x += 8) {
            context.moveTo(x, height);
            context.lineTo(x + height, 0);
        }
        context.stroke();
        context.restore();
    }

    /** The scale grows at once, and shrinks slowly: a line that fills the chart says nothing about how strong it is. */
    function fit(points, stride) {
        let [low, high] = [Infinity, -Infinity];
        for (let i = 0; i < points.length; i += stride) {
            if (Number.isNaN(points[i])) continue;
            for (let axis = 1; axis < stride; axis += 1) {
                low = Math.min(low, points[i + axis]);
                high = Math.max(high, points[i + axis]);
            }
        }
        if (low > high) [low, high] = isAround ? [0, least] : [-least, least];
        let next;
        if (isAround) {
            const half = Math.max((high - low) * 0.6, least / 2);
            next = { low: (low + high) / 2 - half, high: (low + high) / 2 + half };
            scale = { low: scale.low + (next.low - scale.low) * 0.2, high: scale.high + (next.high - scale.high) * 0.2 };
            if (low < scale.low || high > scale.high) scale = next;
        } else {
            const reach = roundStep(Math.max(least, -low * 1.1, high * 1.1));
            if (reach > scale.high || reach < scale.high * 0.45) scale = { low: -reach, high: reach };
        }
        axis = chartAxis(scale.low, scale.high);
    }

    return {
        node,
        /** How many columns the engine is to answer. */
        get columns() { return Math.max(50, Math.round(size.width / PER_COLUMN)); },
        seconds,
        draw,
        /** Says what came: some times a second. @param {{came: string?, silent: number}} says */
        say({ came, silent }) {
            count.textContent = came ? `${unit}, ${came}` : unit;
            missing.hidden = silent < 0.1;
            missing.lastElementChild.textContent = t`${figure(silent, 1)} s without samples`;
        },
    };
}

/**
 * Writes the names of an axis beside its plot, each where it belongs; nothing is touched that is right already.
 * @param {HTMLElement} ends
 * @param {import("../../elements/chart-axis.js").ChartAxis} axis
 * @param {string} [unit]  said once, by the highest, where the chart's head does not say it
 */
export function nameTicks(ends, axis, unit) {
    writeTicks(ends, axis, (at) => ({ y: (1 - axis.share(at)) * 100 }), unit);
}

/**
 * The same below a plot. A long unit has the place of the name before the last.
 * @param {HTMLElement} row
 * @param {import("../../elements/chart-axis.js").ChartAxis} axis
 * @param {string} [unit]
 */
export function nameTicksAlong(row, axis, unit) {
    const ticks = unit?.length > 3 ? axis.ticks.filter((_, i, all) => i !== all.length - 2) : axis.ticks;
    writeTicks(row, { ...axis, ticks }, (at) => ({ x: axis.share(at) * 100 }), unit);
}

function writeTicks(node, { ticks, share }, vars, unit) {
    const words = ticks.map(({ at, label }) => `${label} ${share(at).toFixed(3)}`).join();
    if (node.dataset.ticks === words) return;
    node.dataset.ticks = words;
    fill(node, ticks.map(({ at, label }) => make("span", {
        vars: vars(at), data: { first: share(at) < 0.04 ? "" : null, last: share(at) > 0.96 ? "" : null },
    }, unit && at === ticks.at(-1).at ? `${label} ${unit}` : label)));
}

/**
 * Draws the rules of a plot.
 * @param {CanvasRenderingContext2D} context
 * @param {{width: number, height: number}} size
 * @param {string} colour
 * @param {number[]} lying  pixels from the top
 * @param {number[]} standing  pixels from the left
 */
export function drawRules(context, { width, height }, colour, lying, standing) {
    context.lineWidth = 1;
    context.strokeStyle = colour;
    context.setLineDash([]);
    context.beginPath();
    for (const y of lying) {
        context.moveTo(0, Math.round(y) + 0.5);
        context.lineTo(width, Math.round(y) + 0.5);
    }
    for (const x of standing) {
        context.moveTo(Math.round(x) + 0.5, 0);
        context.lineTo(Math.round(x) + 0.5, height);
    }
    context.stroke();
}

/** What lines are drawn in, of the theme that is in force. @param {Element} node */
export function coloursOf(node) {
    const style = getComputedStyle(node);
    const one = (name) => style.getPropertyValue(name).trim();
    return { line: one("--mark"), grid: one("--line"), edge: one("--edge"), series: [1, 2, 3, 4].map((i) => one(`--series-${i}`)) };
}

/** The stroke of an axis, for the key. */
export function stroke(axis) {
    return make("svg:svg", { class: "stroke", data: { series: (axis % DASHES.length) + 1 }, viewBox: "0 0 26 4", "aria-hidden": true },
        make("svg:path", { d: "M0 2h26", "stroke-dasharray": DASHES[axis % DASHES.length].join(" ") || null }));
}

function hatched() { return make("i", { class: "hatch key-hatch", "aria-hidden": true }); }
