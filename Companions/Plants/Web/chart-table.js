import { make } from "../elements/make.js";
import { tableScroll } from "../elements/table-scroll.js";
import { dayAndTime } from "../text/dates.js";
import { measured, number } from "../text/numbers.js";
import { pointTime } from "./chart-text.js";
import { t } from "../language/text.js";

const ROWS = 60;

/**
 * The chart as a table, newest first: for who reads better than sees, and for who wants the figures. Gaps are rows.
 * @param {object} data  an answer of `/api/plants/ID/chart`
 */
export function chartTable(data) {
    const rows = [
        ...data.points.map(([at, mean, min, max, n]) => ({
            at, time: pointTime(at, data.bucket), isDoubtful: isDoubtful(data, at),
            cells: [isDoubtful(data, at) ? t`${measured(mean)}, doubtful` : measured(mean),
                t`${measured(min)} to ${measured(max)}`, number(n)],
        })),
        ...data.gaps.map(([from, to]) => ({ at: from, time: dayAndTime(from), gap: t`not known until ${dayAndTime(to)}` })),
    ].sort((a, b) => b.at - a.at);
    const step = Math.ceil(data.points.length / ROWS);
    const shown = rows.filter((row, i) => row.gap || row.isDoubtful || i % step === 0);
    return make("div", {}, step > 1 && make("p", { class: "fine" },
        step === 2 ? t`Every second reading, and every gap.` : step === 3 ? t`Every third reading, and every gap.`
            : t`One reading in ${step}, and every gap.`),
        table(shown, data.unit ? `, ${data.unit}` : ""));
}

/** Whether the hub doubts something of what was measured from a moment on: a probe that was out of the soil. */
function isDoubtful({ doubtful = [], bucket }, at) {
    return doubtful.some(([from, to]) => from < at + bucket && to > at);
}

function table(shown, unit) {
    return tableScroll(t`Figures of the chart`,
        make("table", { class: "table" },
            make("thead", {}, make("tr", {}, make("th", { scope: "col" }, t`From`),
                make("th", { scope: "col", class: "n" }, t`Mean`, unit),
                make("th", { scope: "col", class: "n" }, t`Least to most`),
                make("th", { scope: "col", class: "n" }, t`Readings`))),
            make("tbody", {}, shown.map((row) => make("tr", {}, make("th", { scope: "row" }, row.time),
                row.gap ? make("td", { colspan: 3, class: "n" }, row.gap)
                    : row.cells.map((cell) => make("td", { class: "n" }, cell)))))));
}
