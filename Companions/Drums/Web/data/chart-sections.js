import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { number, withUnit } from "../../text/numbers.js";
import { doseRuler } from "../dose.js";
import { dataTable, spreadColumns } from "./chart-table.js";
import { boxPlot, figure, spreadPlot, trendPlot } from "./plot.js";

/** Of which drums a force was, where there are several: none can be compared with another. */
const FORCES = { kit: t`Force, the kit`, midi: t`Force, electronic drums`, screen: t`Force, the screen`,
    keyboard: t`Force, the keyboard` };
const median = (point) => point.median;
let count = 0;

/**
 * What a span has to show, in the order in which one asks: how long, how fast, which hand, how right, how hard.
 * @param {object} data  an answer of `/api/drums/data`
 * @param {{asTables: boolean, query: string}} options
 */
export function chartSections(data, options) {
    const { asTables } = options;
    return [
        make("div", {}, data.change && changeText(data.change),
            data.totals && make("p", { class: "second" }, data.totals.words),
            data.against && make("p", { class: "small second" }, `${data.against.title}: ${data.against.words}`)),
        data.reaction.map((one) => reactionSection(one, asTables, data.reaction.length > 1)),
        data.hands && handsSection(data, asTables),
        data.trend && trendSection(data.trend, asTables),
        make("div", { class: "two" },
            data.correct && spreadSection(data.correct, asTables, {
                value: (point) => point.percent, said: (point) => t`${point.percent}%`, says: shareSays,
                columns: [[t`Percent`, (p) => t`${p.percent}%`], [t`95% range`, (p) => t`${p.from} to ${p.to}%`]],
            }),
            data.force.map((one) => (data.force.length > 1 ? { ...one, title: FORCES[one.linkClass] } : one))
                .map((one) => spreadSection(one, asTables,
                    { value: median, said: (point) => number(point.median), unit: "" })),
            data.timing && spreadSection(data.timing, asTables,
                { value: median, said: (point) => number(point.median) },
                make("p", { class: "small second" }, data.timing.words))),
        doseSection(data.dose),
        songsSection(data, options),
    ];
}

/** The one sentence that the data carry, with what it is made of. */
const changeText = ({ words, behind }) => make("div", { class: "changed" }, make("p", { class: "strong" }, words),
    make("p", { class: "small second" }, behind));

/** What a point says of its median. */
const medianSays = (unit) => ({ label, n, median, lower, upper }) => {
    const of = (figure) => (unit ? `${number(figure)} ${unit}` : number(figure));
    return lower === undefined ? t`${label}: ${of(median)}, n ${n}`
        : t`${label}: ${of(median)}, half between ${number(lower)} and ${number(upper)}, n ${n}`;
};
/** @param {{label: string, n: number, percent: number, from: number, to: number}} point */
const shareSays = ({ label, n, percent, from, to }) => t`${label}: ${percent}%, 95% range ${from} to ${to}, n ${n}`;

/**
 * The key and the sentence of an earlier stretch that lies below a chart.
 * @param {{earlier?: {words: string}}} chart
 */
const earlierText = ({ earlier }) => earlier && make("p", { class: "small second key-before" },
    make("svg:svg", { viewBox: "0 0 12 12", "aria-hidden": true }, make("svg:circle", { class: "before", cx: 6, cy: 6, r: 4 })),
    make("span", {}, earlier.words));

const section = (id, ...children) => make("section", { class: "section", "aria-labelledby": id }, children);
const newID = (word) => `d-${word}-${count += 1}`;

/** Reactions by one clock; where there are two, which one is in the title. */
function reactionSection(one, asTables, isOneOfTwo) {
    const id = newID("reaction");
    const title = isOneOfTwo && one.note ? `${one.title}, ${one.note}` : one.title;
    return section(id,
        figure({
            id, title, caption: one.caption, height: 190, axis: asTables ? null : one.axis, of: one,
            plot: asTables ? dataTable(one, spreadColumns("ms")) : spreadPlot(one, { value: median }),
            says: asTables ? undefined : medianSays("ms"),
        }),
        earlierText(one),
        make("p", { class: "fine" }, [!isOneOfTwo && one.note && `${one.note[0].toUpperCase()}${one.note.slice(1)}.`,
            one.implausibleWords]
            .filter(Boolean).join(" ")));
}

function handsSection({ hands, correct }, asTables) {
    const id = newID("hands");
    const sides = hands.sides.filter(({ reaction }) => reaction);
    return section(id,
        make("div", { class: "section-head" }, make("h2", { id }, hands.title),
            make("span", { class: "fine" }, hands.caption)),
        asTables ? dataTable({
            points: sides.map((one) => ({ ...one.reaction, label: one.title })), label: t`${hands.title}, as a table`,
        }, spreadColumns("ms"), t`Hand`)
            : make("div", { class: "hands" },
                sides.map(({ title, reaction, label }) => make("div", { class: "hand" },
                    make("span", { class: "strong" }, title),
                    boxPlot(reaction, hands.axis, { name: { class: "handplot", label } }),
                    make("span", { class: "value small" }, make("b", { class: "strong" },
                        `${number(reaction.median)} ms`), " ",
                        make("span", { class: "fine" }, `n = ${number(reaction.n)}`)))),
                make("div", { class: "hand fine", "aria-hidden": true }, make("span"),
                    make("span", { class: "hand-axis" }, axisNames(hands.axis, "ms")), make("span"))),
        make("p", { class: "small second" }, hands.words),
        hands.overTime?.length > 1 && overTime(hands, correct, asTables));
}

/** How far apart the hands were, over time, each with its interval; a line where there would be no difference. */
function overTime(hands, correct, asTables) {
    const data = {
        count: hands.overTimeCount, axis: hands.overTimeAxis, points: hands.overTime,
        // Both are by week or by month: the shorter names are the same days.
        ticks: correct?.count === hands.overTimeCount ? correct.ticks
            : hands.overTime.map(({ index, label }) => ({ index, label })).filter(sparse(hands.overTime.length)),
        label: t`Difference of the hands over time, milliseconds: ${hands.overTime
            .map((one) => t`${one.label} ${number(one.milliseconds)}, ${number(one.from)} to ${number(one.to)}`).join("; ")}`,
    };
    return figure({
        title: t`The difference over time`, caption: t`with its 95% range, ms`, height: 120, level: 3,
        axis: asTables ? null : data.axis, of: data,
        says: asTables ? undefined : (point) =>
            t`${point.label}: ${number(point.milliseconds)} ms, 95% range ${number(point.from)} to ${number(point.to)}, n ${point.n.join(" + ")}`,
        plot: asTables
            ? dataTable({ label: data.label, points: data.points.map((one) =>
                ({ ...one, n: one.n.map((n) => number(n)).join(" + ") })) },
                    [["ms", (p) => number(p.milliseconds)],
                        [t`95% range`, (p) => t`${number(p.from)} to ${number(p.to)}`]])
            : spreadPlot(data, {
                value: (point) => point.milliseconds, said: (point) => number(point.milliseconds),
                zero: data.axis.from < 0,
            }),
    });
}

/** At most seven names of an axis. */
function sparse(of) {
    const step = Math.ceil(of / 7);
    return (_, i) => i % step === 0;
}

function trendSection(trend, asTables) {
    const id = newID("trend");
    return section(id,
        figure({
            id, title: trend.title, caption: t`daily medians, ${trend.points.length} days`, height: 150,
            axis: asTables ? null : trend.axis, of: trend,
            says: asTables ? undefined : ({ label, median, n }) => t`${label}: ${number(median)} ms, n ${n}`,
            plot: asTables ? dataTable(trend, [[t`Median, ms`, (p) => number(p.median)]]) : trendPlot(trend),
        }),
        make("p", { class: "small strong" }, trend.words),
        trend.figures && make("details", { class: "unfold" }, make("summary", {}, icon("down", "s"), t`In figures`),
            make("p", { class: "small second" }, trend.figures)));
}

/**
 * @param {Drums.QuartileChart | Drums.ShareChart} one
 * @param {boolean} asTables
 * @param {{value: (point: Record<string, number>) => number, said: (point: Record<string, number>) => string, unit?: string,
 *   columns?: import("./chart-table.js").Column[], says?: (point: any) => string}} options  `said`: beside a point where
 *   there is room; `says`: when it is asked for
 * @param {Node} [foot]
 */
function spreadSection(one, asTables, { value, said, unit = "ms", columns, says = medianSays(unit) }, foot) {
    const id = newID("spread");
    return section(id,
        figure({
            id, title: one.title, caption: one.caption, height: 120, axis: asTables ? null : one.axis, ends: 40, of: one,
            plot: asTables ? dataTable(one, columns ?? spreadColumns(unit)) : spreadPlot(one, { value, said }),
            says: asTables ? undefined : says,
        }), earlierText(one), foot);
}

function doseSection({ weeks }) {
    if (weeks.length === 0) return null;
    const isPlanned = weeks.some(({ plannedMinutes }) => plannedMinutes);
    const shown = weeks.slice(-12);
    const most = Math.max(...shown.map(({ minutes }) => minutes), 1);
    return make("section", { class: "section", "aria-labelledby": "d-dose" },
        make("h2", { id: "d-dose" }, isPlanned ? t`Minutes, against the plan` : t`Minutes`),
        doseTable(shown, isPlanned ? t`Minutes against plan, by week` : t`Minutes by week`, most));
}

/** Weeks with their minutes on a ruler each. */
export function doseTable(weeks, caption, most) {
    return make("table", { class: "table tight doses" }, make("caption", { class: "unseen" }, caption),
        make("tbody", {}, weeks.map((week) => make("tr", {}, make("th", { scope: "row" }, week.label),
            make("td", { class: "dosecell" }, doseRuler(week, week.label) ?? (most && make("span", {
                class: "dose-plain", vars: { share: (week.minutes / most) * 100 }, "aria-hidden": true,
            }))),
            make("td", { class: "n" }, week.words)))));
}

function songsSection({ sessions, sessionsWords }, { query }) {
    if (sessions.length === 0) return null;
    return make("section", { class: "section", "aria-labelledby": "d-songs" },
        make("div", { class: "section-head" }, make("h2", { id: "d-songs" }, t`Songs played`),
            make("a", { class: "link", data: { block: "" }, href: `/drums/day/${sessions[0].day}${query}` },
                sessionsWords, icon("forward", "s"))),
        make("ul", { class: "rows" }, sessions.slice(0, 5).map((one) => make("li", {}, sessionRow(one)))));
}

/** One song that was played, and the way to its score. */
function sessionRow({ id, title, words, value, reactionWords }) {
    return make("a", { class: "row", href: `/drums/session/${encodeURIComponent(id)}` },
        make("span", { class: "words" }, make("span", { class: "name" }, title),
            make("span", { class: "fine" }, words)),
        make("span", { class: "value small" }, value,
            reactionWords && [make("br"), make("span", { class: "fine" }, reactionWords)]),
        icon("forward", "s"));
}

/** The names of a lying axis, each where it belongs. */
export function axisNames({ from, to, ticks }, unit = "") {
    // Each as far from the next: all of them, every second or every third.
    const each = Math.max(1, Math.ceil((ticks.length - 1) / 3));
    const shown = ticks.filter((_, i) => i % each === 0);
    return shown.map(({ at, label }) => make("span", { vars: { x: ((at - from) / (to - from)) * 100 } },
        at === shown.at(-1).at ? withUnit(label, unit) : label));
}
