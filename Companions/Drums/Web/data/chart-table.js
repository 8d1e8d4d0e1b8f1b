import { make } from "../../elements/make.js";
import { tableScroll } from "../../elements/table-scroll.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";

/**
 * The quartiles in a cell of a table, or a line where there are too few values for them.
 * @param {{lower?: number, upper?: number}} spread
 * @param {(value: number) => string} [of]  how a value is written
 */
export const quartilesText = ({ lower, upper }, of = number) => (lower === undefined ? "–" : t`${of(lower)} to ${of(upper)}`);

/** @typedef {[string, (point: Record<string, number>) => string]} Column  its heading, and what it says of a point */

/**
 * The columns of medians with their quartiles, and of means.
 * @param {string} unit
 * @returns {Column[]}
 */
export function spreadColumns(unit) {
    const named = (figure) => (unit ? `${figure}, ${unit}` : figure);
    return [[named(t`Median`), ({ median }) => number(median)],
        [t`Quartiles`, (point) => quartilesText(point)],
        [named(t`Mean`), ({ mean }) => number(mean)]];
}

/**
 * The first figure of the earlier stretch that the chart lies over.
 * @param {Column} column
 * @returns {Column}
 */
function earlierColumn([, of], points) {
    const places = new Map(points.map((point) => [point.index, point]));
    return [t`Before`, ({ index }) => (places.has(index) ? of(places.get(index)) : "–")];
}

/**
 * A chart as a table, for who reads better than sees; what was not played is a row of its own.
 * @param {{points: Array, gaps?: Array, label?: string, earlier?: {points: Array}}} data
 * @param {Column[]} own
 */
export function dataTable({ points, gaps = [], label, earlier }, own, first = t`When`) {
    const columns = earlier ? [...own, earlierColumn(own[0], earlier.points)] : own;
    const rows = [...points, ...gaps.map((gap) => ({ index: gap.from, gap: gap.words }))]
        .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    return tableScroll(label ?? t`Figures of the chart`,
        make("table", { class: "table" },
            make("thead", {}, make("tr", {}, make("th", { scope: "col" }, first),
                make("th", { scope: "col", class: "n" }, "n"),
                columns.map(([name]) => make("th", { scope: "col", class: "n" }, name)))),
            make("tbody", {}, rows.map((row) => make("tr", {}, row.gap
                ? [make("th", { scope: "row" }, "–"), make("td", { class: "n", colspan: columns.length + 1 }, row.gap)]
                : [make("th", { scope: "row" }, row.label),
                    make("td", { class: "n" }, typeof row.n === "number" ? number(row.n) : row.n),
                    columns.map(([, of]) => make("td", { class: "n" }, of(row)))])))));
}
