import { wordmark } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { shortDay } from "../../text/civil.js";
import { number } from "../../text/numbers.js";
import { axisNames, doseTable } from "../data/chart-sections.js";
import { quartilesText } from "../data/chart-table.js";
import { boxPlot, figure, trendPlot } from "../data/plot.js";
import { lateText } from "../session-page/timing.js";

const th = (word, isNumber) => make("th", { scope: "col", class: isNumber ? "n" : null }, word);
/** A table of which each cell knows its column, for where the columns do not fit beside each other. */
function table(kind, head, body) {
    const names = [...head.querySelectorAll("th")].map((one) => one.textContent); // not shown: a selector
    for (const row of body.rows) {
        [...row.cells].forEach((cell, i) => { if (i > 0) cell.dataset.of = names[i]; });
    }
    return make("table", { class: `table tight ${kind}`.trim() }, head, body);
}
const td = (...words) => make("td", { class: "n" }, words);
const strong = (words) => make("b", { class: "strong" }, words);

/**
 * The report as one page of paper: monochrome, and what it does not show in a box as prominent as its figures.
 * @param {object} data  an answer of `/api/drums/report`
 */
export function paper(data) {
    return [
        make("header", { class: "paper-head" },
            make("div", {}, make("h1", { tabindex: "-1" }, data.title), make("p", { class: "second" }, subtitle(data))),
            wordmark("word")),
        data.isEmpty ? make("p", { class: "paper-empty" }, data.empty) : [
            make("div", { class: "cols" }, practised(data), trend(data.trend) ?? hands(data.hands)),
            data.reaction.map(reaction),
            data.trend && data.hands && make("p", { class: "small hands-line" }, data.hands.words),
            make("div", { class: "cols" }, correct(data.correct), data.force.map(force)),
            data.timing && timing(data.timing),
            data.selfReports && selfReports(data.selfReports),
        ],
        data.goals && goals(data.goals),
        make("section", { class: "limits" }, make("h2", {}, data.limits.title),
            make("p", { class: "small" }, data.limits.words)),
        make("footer", { class: "fine" }, data.footer),
    ];
}

/** The name is parted from what follows: one that is written from right to left would draw the dates to itself. */
function subtitle({ subtitle: words, person: { name } }) {
    return words.startsWith(name) ? [make("bdi", {}, name), words.slice(name.length)] : words;
}

function practised({ dose, practised: words }) {
    const shown = dose.weeks.slice(-6);
    const most = Math.max(...shown.map(({ minutes }) => minutes), 1);
    return make("section", {}, make("h2", {}, t`What was practised`), doseTable(shown, dose.label, most),
        shown.length < dose.weeks.length && make("p", { class: "fine" },
            t`The last ${shown.length} of ${dose.weeks.length} weeks are drawn.`),
        make("p", { class: "small" }, words));
}

function trend(one) {
    if (!one) return null;
    return make("section", {}, figure({ title: one.title, height: 132, ends: 48, axis: one.axis,
        plot: trendPlot(one) }),
        make("p", { class: "small" }, one.figures ? [strong(one.words), " ", one.figures] : one.words));
}

function hands(one) {
    return one && make("section", {}, make("h2", {}, one.title), make("p", { class: "small" }, one.words));
}

function reaction({ title, note, axis, rows }) {
    return make("section", {},
        make("div", { class: "paper-title" }, make("h2", {}, title), note && make("span", { class: "fine" }, note)),
        table("wide",
            make("thead", {}, make("tr", {}, th(t`Hand and level`), th("n", true), th(t`Median`, true),
                th(t`Quartiles`, true),
                make("th", { scope: "col", class: "boxcell" },
                    make("span", { class: "hand-axis", "aria-hidden": true }, axisNames(axis)),
                    make("span", { class: "unseen" }, t`Drawn`)))),
            make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.title),
                td(number(row.n)),
                td(strong(number(row.median))), td(quartilesText(row)),
                make("td", { class: "boxcell" }, boxPlot(row, axis, { name: { class: "handplot" }, height: 22 })))))));
}

function correct(one) {
    return one && make("section", {}, make("h2", {}, one.title),
        table("",
            make("thead", {}, make("tr", {}, th(t`Hand`), th("n", true), th(t`Percent`, true), th(t`95% range`, true))),
            make("tbody", {}, one.rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.title),
                td(number(row.n)),
                td(strong(t`${row.percent}%`)), td(t`${row.from} to ${row.to}`))))));
}

function force(one) {
    return make("section", {}, make("h2", {}, one.title),
        table("",
            make("thead", {}, make("tr", {}, th(one.drums), th("n", true), th(t`Median`, true), th(t`Quartiles`, true))),
            make("tbody", {}, one.rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.title),
                td(number(row.n)),
                td(strong(number(row.median))), td(quartilesText(row)))))));
}

/** Goals, and what the clinic measured: by day, as it was typed in. */
function goals({ title, goals: all, scores, words }) {
    const stateOf = ({ state, reachedDay }) => (state === "reached" ? t`reached on ${shortDay(reachedDay)}` : t`open`);
    const sides = { left: t`left hand`, right: t`right hand` };
    return make("section", {}, make("h2", {}, title),
        all.length > 0 && make("ul", { class: "small paper-goals" }, all.map((one) =>
            make("li", {}, make("bdi", {}, one.text), ", ", stateOf(one)))),
        scores.length > 0 && table("",
            make("thead", {}, make("tr", {}, th(t`Day`), th(t`Test`), th(t`Of`), th(t`Score`, true))),
            make("tbody", {}, scores.map((one) => make("tr", {}, make("th", { scope: "row" }, `${shortDay(one.day)} ${one.day.slice(0, 4)}`),
                make("td", {}, one.title), make("td", {}, one.side ? sides[one.side] : one.goalText ?? ""),
                td(strong(one.words)))))),
        make("p", { class: "fine" }, words));
}

/** What was said before and after songs: numbers, as they were said. */
function selfReports({ title, rows, words }) {
    const said = (value) => td(Number.isFinite(value) ? String(value) : "–");
    return make("section", {}, make("h2", {}, title),
        table("",
            make("thead", {}, make("tr", {}, th(t`Day`), th(t`Song`), th(t`Pain before`, true), th(t`Pain after`, true),
                th(t`Effort before`, true), th(t`Effort after`, true))),
            make("tbody", {}, rows.map(({ day, song, reports }) => make("tr", {}, make("th", { scope: "row" }, shortDay(day)),
                make("td", {}, song), said(reports.painBefore), said(reports.painAfter), said(reports.effortBefore),
                said(reports.effortAfter))))),
        make("p", { class: "fine" }, words));
}

function timing(one) {
    return make("section", {}, make("h2", {}, one.title),
        table("",
            make("thead", {}, make("tr", {}, th(t`Hand`), th("n", true), th(t`Median, ms late`, true),
                th(t`Quartiles`, true), th(t`In the window`, true))),
            make("tbody", {}, one.rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.title),
                td(number(row.n)),
                td(strong(lateText(row.median))), td(quartilesText(row, lateText)),
                td(t`${row.percent}%, ${row.from} to ${row.to}`))))));
}
