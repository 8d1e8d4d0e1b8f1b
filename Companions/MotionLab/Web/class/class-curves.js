import { make } from "../../elements/make.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { figure } from "../measure/figure.js";
import { sensorName } from "../recordings/recording-text.js";

const ROUND = 10;

/**
 * What the phones of a class measure, beside each other: each its own small chart, all on one scale and one time.
 * @param {Contract.Answer<"GET", `/api/lab/classes/${string}/curves`>} answer
 * @param {(guest: string) => string} nameOf
 * @param {number} seconds  of a run
 */
export function classCurves({ curves, sensor }, nameOf, seconds) {
    const all = curves.filter(({ chart }) => chart && chart.points.length > 0);
    const values = all.flatMap(({ chart }) => chart.points.map(({ magnitude }) => magnitude));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max((high - low) * 0.08, 1e-3);
    const until = Math.max(seconds, ...all.map(({ chart }) => chart.points.at(-1).seconds), 0.1);
    const x = (at) => Math.round((Math.max(0, at) / until) * 1000 * ROUND) / ROUND;
    const y = (value) => Math.round(((high + room - value) / (high - low + 2 * room)) * 100 * ROUND) / ROUND;
    const digits = high - low < 5 ? 2 : 0;
    return make("div", { class: "class-curves" }, all.map(({ guest, chart, clock }) => make("figure", { class: "class-curve" },
        make("figcaption", {}, make("span", { class: "strong" }, nameOf(guest)),
            make("span", { class: "fine" }, clock ? t`clock ${figure(clock.offsetMicroseconds / 1000, 0)} ms, ±${number(Math.max(1, clock.uncertaintyMicroseconds / 1000), 0)} ms` : t`clock not known yet`)),
        make("svg:svg", {
            class: "class-plot", role: "img", viewBox: "0 0 1000 100", preserveAspectRatio: "none",
            "aria-label": t`${sensorName(sensor)} of ${nameOf(guest)}, now ${figure(chart.points.at(-1).magnitude, digits)} ${chart.unit}`,
        }, [25, 50, 75].map((at) => make("svg:path", { class: "grid", d: `M0 ${at}H1000` })),
        make("svg:path", { class: "line", d: line(chart, x, y) })),
        make("p", { class: "class-ends fine", "aria-hidden": true }, make("span", {}, `${figure(low, digits)} – ${figure(high, digits)} ${chart.unit}`),
            make("span", {}, `${number(until, 0)} s`)))));
}

/** A line through what came; broken where nothing did. */
function line({ points, gaps, widthMicroseconds }, x, y) {
    const usual = (widthMicroseconds / 1e6) * 2.5;
    let before = null;
    return points.map(({ seconds, magnitude }) => {
        const isBroken = before === null || (seconds - before > usual && gaps.some(({ fromSeconds, toSeconds }) => fromSeconds < seconds && toSeconds > before));
        before = seconds;
        return `${isBroken ? "M" : "L"}${x(seconds)} ${y(magnitude)}`;
    }).join("");
}
