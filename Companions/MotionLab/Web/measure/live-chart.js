import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { figure } from "./figure.js";

const DASHES = [[], [7, 4], [2, 4]];
const PER_COLUMN = 2; // pixels

/**
 * A chart that moves: the last seconds of a sensor's axes. The engine says the points; here they are drawn, once a frame,
 * on a canvas, which a slow phone draws in a millisecond.
 * @param {{title: string, label: string, axes: string[], unit: string, seconds?: number, least: number, decimals?: number,
 *   isAround?: boolean}} options  `least`: the scale reaches so far at least; `isAround`: the scale lies around the values,
 *   and not around nought
 */
export function liveChart({ title, label, axes, unit, seconds = 10, least, decimals = 1, isAround = false }) {
    const canvas = make("canvas", { class: "live-plot", role: "img", "aria-label": label });
    const ends = make("div", { class: "live-ends fine", "aria-hidden": true },
        make("span", {}), make("span", {}), make("span", {}));
    const count = make("span", { class: "fine" }, unit);
    const missing = make("span", { hidden: true }, hatched(), make("span", {}));
    const node = make("section", { class: "section live-chart" },
        make("div", { class: "live-head" }, make("h2", {}, title), count),
        make("div", { class: "live-frame" }, canvas, ends),
        make("div", { class: "live-times fine", "aria-hidden": true },
            make("span", {}, t`${seconds} s ago`), make("span", {}, t`now`)),
        make("p", { class: "key" }, axes.length > 1 && axes.map((axis, i) => make("span", {}, stroke(i), axis)), missing));
    const context = canvas.getContext("2d");
    let colours = null;
    let size = { width: 0, height: 0, ratio: 1 };
    let scale = { low: isAround ? 0 : -least, high: least };
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
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const y = (value) => height - ((value - scale.low) / (scale.high - scale.low)) * height;
        const silent = gaps(points, stride, width, height);
        context.lineWidth = 1;
        context.strokeStyle = colours.grid;
        context.setLineDash([]);
        context.beginPath();
        for (const at of [0.25, 0.5, 0.75]) {
            context.moveTo(0, Math.round(height * at) + 0.5);
            context.lineTo(width, Math.round(height * at) + 0.5);
        }
        context.stroke();
        context.lineWidth = 2;
        context.lineJoin = "round";
        context.strokeStyle = colours.line;
        for (let axis = axisCount - 1; axis >= 0; axis -= 1) {
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
            const reach = rounded(Math.max(least, -low * 1.1, high * 1.1));
            if (reach > scale.high || reach < scale.high * 0.45) scale = { low: -reach, high: reach };
        }
    }

    return {
        node,
        /** How many columns the engine is to answer. */
        get columns() { return Math.max(50, Math.round(size.width / PER_COLUMN)); },
        seconds,
        draw,
        /** Says the scale, and what came: some times a second. @param {{came: string?, silent: number}} says */
        say({ came, silent }) {
            const [top, middle, bottom] = /** @type {any} */ (ends.children);
            const write = (one, share) => {
                one.textContent = figure(scale.low + (scale.high - scale.low) * share, decimals);
            };
            write(top, 0.75);
            write(middle, 0.5);
            write(bottom, 0.25);
            count.textContent = came ? `${unit}, ${came}` : unit;
            missing.hidden = silent < 0.1;
            missing.lastElementChild.textContent = t`${figure(silent, 1)} s without samples`;
        },
    };
}

/** The next 1, 2 or 5 times a power of ten. @param {number} reach */
export function rounded(reach) {
    const power = 10 ** Math.floor(Math.log10(reach));
    const step = [1, 2, 5, 10].find((one) => one * power >= reach * 0.999);
    return step * power;
}

/** What lines are drawn in, of the theme that is in force. @param {Element} node */
export function coloursOf(node) {
    const style = getComputedStyle(node);
    const one = (name) => style.getPropertyValue(name).trim();
    return { line: one("--mark"), grid: one("--line"), edge: one("--edge") };
}

/** The stroke of an axis, for the key. */
export function stroke(axis) {
    return make("svg:svg", { class: "stroke", viewBox: "0 0 26 4", "aria-hidden": true },
        make("svg:path", { d: "M0 2h26", "stroke-dasharray": DASHES[axis % DASHES.length].join(" ") || null }));
}

function hatched() { return make("i", { class: "hatch key-hatch", "aria-hidden": true }); }
