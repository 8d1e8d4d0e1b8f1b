import { make } from "./make.js";

const ROUND = 100;
/** Where a share stands, as SVG wants it. */
const percent = (share) => `${Math.round(share * 100 * ROUND) / ROUND}%`;

/**
 * The frame of a chart that is drawn as SVG: rules at the round values of both axes, the names of the lying one below, and
 * those of the standing one beside it.
 * @param {object} options
 * @param {import("./chart-axis.js").ChartAxis} options.values  the standing axis
 * @param {import("./chart-axis.js").ChartAxis} options.along  the lying axis
 * @param {string} options.label  what the chart says, in words
 * @param {any} options.lines  paths, in thousandths of the width and hundredths of the height
 * @param {Array<[number, number]>} [options.gaps]  stretches of the lying axis of which nothing is known
 * @returns {{plot: SVGElement, ends: HTMLElement}}  what stands in a `figure.chart`, in this order
 */
export function axisPlot({ values, along, label, lines, gaps = [] }) {
    const plot = make("svg:svg", { class: "plot", role: "img", "aria-label": label },
        values.ticks.map(({ at }) => {
            const y = percent(1 - values.share(at));
            return make("svg:line", { class: "grid", x1: 0, x2: "100%", y1: y, y2: y });
        }),
        along.ticks.map(({ at }) => {
            const x = percent(along.share(at));
            return make("svg:line", { class: "grid", x1: x, x2: x, y1: 0, y2: "100%" });
        }),
        gaps.map(([from, to]) => make("svg:rect", {
            class: "gap", x: percent(along.share(from)), width: percent(along.share(to) - along.share(from)), y: 0, height: "100%",
        })),
        make("svg:svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", width: "100%", height: "100%" }, lines),
        along.ticks.map(({ at, label }) => {
            const share = along.share(at);
            return make("svg:text", {
                class: share < 0.03 ? null : share > 0.95 ? "end" : "mid", x: percent(share), y: "100%", dy: 18,
            }, label);
        }));
    const ends = make("div", { class: "ends", "aria-hidden": true },
        values.ticks.map(({ at, label }) => make("span", { vars: { y: (1 - values.share(at)) * 100 } }, label)));
    return { plot, ends };
}

/**
 * Where values stand in the frame's `lines`.
 * @param {import("./chart-axis.js").ChartAxis} values
 * @param {import("./chart-axis.js").ChartAxis} along
 */
export function placed(values, along) {
    return {
        x: (value) => Math.round(along.share(value) * 1000 * ROUND) / ROUND,
        y: (value) => Math.round((1 - values.share(value)) * 100 * ROUND) / ROUND,
    };
}
