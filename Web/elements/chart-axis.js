import { figure } from "../text/numbers.js";

/** The room between two names of an axis, as a share of it: nearer they would touch on a phone. */
const NEAR = 0.1;

/**
 * An axis of a chart: round values on it, each as far from the next, and what they are called. Every chart that has none from
 * the hub has it from here.
 * @typedef {object} ChartAxis
 * @property {number} from
 * @property {number} to
 * @property {number} step  1, 2 or 5 times a power of ten
 * @property {number} decimals  of every name
 * @property {Array<{at: number, label: string}>} ticks  rising, the step apart
 * @property {(value: number) => number} share  where a value stands, of 1, from the beginning
 */

/**
 * The axis of values from `low` to `high`.
 * @param {number} low
 * @param {number} high
 * @param {{steps?: number, isWhole?: boolean}} [options]  `steps`: about so many, and one more at most; `isWhole`: it reaches from one round value to
 *   another, and not from the lowest value to the highest
 * @returns {ChartAxis}
 */
export function chartAxis(low, high, options = {}) {
    const { steps = 4, isWhole = false } = options;
    const reach = high > low ? high - low : Math.max(Math.abs(low), 1) * 1e-3;
    const step = roundStep(reach / (steps + 1)); // rounded up, which leaves two thirds of them at least
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const first = isWhole ? Math.floor(low / step + 1e-9) : Math.ceil(low / step - 1e-9);
    const last = isWhole ? Math.ceil(high / step - 1e-9) : Math.floor(high / step + 1e-9);
    const [from, to] = isWhole ? [first * step, Math.max(last, first + 1) * step] : [low, low + reach];
    const ticks = [];
    for (let n = first; n <= Math.max(last, isWhole ? first + 1 : last); n += 1) {
        ticks.push({ at: n * step + 0, label: figure(n * step, decimals) }); // -0 is 0
    }
    return { from, to, step, decimals, ticks, share: (value) => (value - from) / (to - from) };
}

/**
 * The next 1, 2 or 5 times a power of ten.
 * @param {number} reach
 */
export function roundStep(reach) {
    const power = 10 ** Math.floor(Math.log10(reach));
    const step = [1, 2, 5, 10].find((one) => one * power >= reach * 0.999) ?? 10;
    return step * power;
}

/**
 * The ticks that can be named without touching other words beside the axis.
 * @param {ChartAxis} axis
 * @param {number[]} taken  values that have words of their own
 */
export function namedTicks(axis, taken) {
    return axis.ticks.filter(({ at }) => taken.every((value) => Math.abs(axis.share(at) - axis.share(value)) >= NEAR));
}

/**
 * The axis of a stretch of time in seconds, with its names: "0", "5", "10 s".
 * @param {number} until
 * @param {number} [from]
 */
export function secondsAxis(until, from = 0) {
    const axis = chartAxis(from, until, { steps: 5 });
    const last = axis.ticks.at(-1);
    return { ...axis, ticks: axis.ticks.map((tick) => (tick === last ? { ...tick, label: `${tick.label} s` } : tick)) };
}
