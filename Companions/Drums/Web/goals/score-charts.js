import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { get, isAborted } from "../../app/api.js";
import { t } from "../../language/text.js";
import { figure, heightOf, percent, placeOf, plotGround } from "../data/plot.js";

/**
 * What the clinic measured, with its dates: a small chart for each test, of dots alone.
 * @param {Drums.ScoreChart[]} charts
 */
export function scoreCharts(charts) {
    return make("div", { class: "two score-charts" }, charts.map((one) => make("div", {},
        figure({
            title: one.title, caption: one.caption, height: 96, level: 3, ends: 32, axis: one.axis, plot: plot(one), of: one,
            says: ({ label, words }) => `${label}: ${words}`,
        }),
        one.marks.length > 1 && make("p", { class: "key" }, one.marks.map((name, i) => make("span", {},
            make("svg:svg", { class: "short plot-key", viewBox: "0 0 12 12", "aria-hidden": true }, dot(i, 6, 6)), name))))));
}

/**
 * The same below the data of somebody's practice, for grown-ups: with where it came from, and the way to enter more. Where
 * there is no score, or no hub, there is nothing.
 * @param {AbortSignal} signal
 */
export function scoresBeside(signal) {
    const node = make("section", { class: "section", "aria-labelledby": "d-scores", hidden: true });
    let shown = null;
    return {
        node,
        /** @param {Drums.OverviewPerson} person */
        show: async (person) => {
            if (shown === person.id) return;
            shown = person.id;
            node.hidden = true;
            if (!person.mayPlan) return;
            try {
                const path = /** @type {const} */ (`/api/drums/people/${encodeURIComponent(person.id)}/scores`);
                const { charts } = await get(path, { signal });
                if (shown !== person.id || charts.length === 0) return;
                fill(node, make("div", { class: "section-head" }, make("h2", { id: "d-scores" }, t`Clinic scores`),
                    make("a", { class: "link", data: { block: "" }, href: `/drums/goals?person=${encodeURIComponent(person.id)}` },
                        t`Goals and scores`, icon("forward", "s"))),
                    make("p", { class: "small second" }, t`Measured in the clinic and typed in by a grown-up. None is computed from practice, and children do not see them.`),
                    scoreCharts(charts));
                node.hidden = false;
            } catch (error) {
                if (!isAborted(error)) shown = null;
            }
        },
    };
}

function plot(chart) {
    const y = (value) => percent(heightOf(value, chart.axis));
    return make("svg:svg", { class: "plot", role: "img", "aria-label": chart.label }, plotGround(chart),
        chart.points.map(({ index, value, second }) => {
            const x = percent(placeOf(index, chart.count));
            return [[second, 1], [value, 0]].map(([of, i]) => of !== undefined && of !== null && dot(i, x, y(of)));
        }));
}

/** The first kind of mark is full, the second hollow and larger, so that both are seen where they meet. */
const dot = (kind, x, y) => make("svg:circle", { class: kind === 0 ? "dot" : "dot-hollow", cx: x, cy: y, r: kind === 0 ? 4 : 5.5 });
