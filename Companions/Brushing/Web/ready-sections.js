import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { readout } from "../elements/readout.js";
import { stylesheet } from "../elements/stylesheet.js";
import { unseen } from "../elements/unseen.js";
import { live } from "../app/live.js";
import { shortDate } from "../text/dates.js";
import { number } from "../text/numbers.js";
import { minuteText, shortDay, shortWeekday, WEEKDAYS } from "../text/civil.js";
import { overview } from "./overview.js";
import { monthSection } from "./history/month-section.js";
import { clockOf } from "../text/durations.js";
import { gardenSection } from "./garden.js";
import { pip } from "./pips.js";
import { progressOf } from "./progress.js";
import { t } from "../language/text.js";

const WIDE = matchMedia("(min-width: 1000px)");

/**
 * What is below the header: the week, the habit in figures, what the brush head and the dentist want, the way to the
 * history. At first as the hub answered; a moment later with what still waits on this device.
 * @param {AbortSignal} signal
 * @returns {{node: HTMLElement, show: (person: object) => void, refine: () => Promise<void>}}  `refine`: once the page
 *   has nothing better to do
 */
export function readySections(signal) {
    const node = make("div", { class: "ready-content" });
    const below = make("div", { class: "ready-month" });
    let month = null;
    let person = null;
    let isFine = false; // whether the engine is here
    const show = (data) => {
        const isAnother = person?.id !== data.id;
        person = data;
        if (isAnother || !isFine || !data.progress) draw(data.progress, data.week);
        if (isFine) refine();
        if (isAnother) showBelow();
    };
    const draw = (progress, week) => fill(node, progress
        ? [weekSection(week, progress), person.trend && trendLine(person), figures(progress, person), gardenSection(progress.garden), links(person), below]
        : unseen(t`Only ${person.name} and the grown-ups can see how ${person.name} brushes.`));
    const showBelow = () => { if (person?.mayRead) month?.show(person); };
    const refine = async () => {
        const wanted = person;
        try {
            const progress = await progressOf(wanted);
            if (progress && !signal.aborted && wanted === person) draw(progress, progress.week);
        } catch {
            if (wanted === person && !signal.aborted) draw(person.progress, person.week); // as the hub answered
        }
    };
    /** Where there is room, the month stands here as well, and not only in the history. */
    const showMonth = async () => {
        await stylesheet("brushing/screens.css");
        if (signal.aborted) return;
        month = monthSection(signal);
        fill(below, month.node);
        showBelow();
    };
    const begin = async () => {
        const { outbox } = await import("../offline/outbox.js");
        isFine = true;
        let waiting = outbox.state?.waiting ?? 0;
        outbox.addEventListener("changed", () => {
            const isMore = (outbox.state?.waiting ?? 0) > waiting;
            waiting = outbox.state?.waiting ?? 0;
            if (isMore && person) refine(); // the hub answers with what was delivered
        }, { signal });
        outbox.addEventListener("delivered", () => overview.soon(), { signal });
        if (person) await refine();
        if (WIDE.matches && live.state === "open") await showMonth();
    };
    return { node, show, refine: begin };
}

/**
 * How much of what this week asks is done: "3 of 14", a second time in one evening not counted; of a hub that says no more,
 * how often.
 * @param {{sessionsThisWeek: number, askedThisWeek?: number, keptThisWeek?: number}} progress
 * @returns {[string, string?]}
 */
export function weekFigures({ sessionsThisWeek, askedThisWeek: asked, keptThisWeek: kept = sessionsThisWeek }) {
    return [number(kept), asked >= kept ? t`of ${asked}` : null];
}

/** The seven days, each with its morning and its evening. */
export function weekSection(week, progress, title = t`This week`) {
    const today = week.findLastIndex((day) => !day.isToCome);
    return make("section", { class: "section", "aria-labelledby": "week" },
        make("div", { class: "section-head" }, make("h2", { id: "week" }, title),
            make("span", { class: "small second" }, weekFigures(progress).filter(Boolean).join(" "))),
        make("ol", { class: "pips" }, week.map((day, i) =>
            pip(day, { word: shortWeekday(WEEKDAYS[i]), name: WEEKDAYS[i], isNow: i === today }))),
        make("p", { class: "key" },
            make("span", {}, half("M4 11A9 9 0 0 1 22 11z"), t`Morning`),
            make("span", {}, half("M4 1A9 9 0 0 0 22 1z"), t`Evening`)));
}

function half(d) {
    return make("svg:svg", { viewBox: "0 0 26 12", "aria-hidden": true },
        make("svg:path", { d, fill: "currentColor" }));
}

function figures(progress, person) {
    const { lastSession: last, brushHead } = person;
    return make("dl", { class: "readouts" },
        readout(t`Habit`, number(progress.habitPercent), t`of 100`, t`the last weeks count most`),
        readout(t`In a row`, number(progress.streakDays), progress.streakDays === 1 ? t`day` : t`days`,
            streakText(progress)),
        last && readout(t`Last time`, clockOf(last.brushSeconds + last.flossSeconds + last.rinseSeconds), t`min`,
            last.slot === "morning" ? t`${shortDate(last.startedAt)}, in the morning`
                : t`${shortDate(last.startedAt)}, in the evening`),
        brushHead?.suggestedDay && headReadout(brushHead));
}

/** How it goes, in a sentence of the hub's; the figures behind it are in the history. */
function trendLine(person) {
    return make("p", { class: "trend" }, icon("calendar"), make("span", {}, person.trend, " ",
        make("a", { class: "link", href: `/brushing/history?person=${encodeURIComponent(person.id)}` }, t`The figures`)));
}

/** What there is to say of the days in a row. */
export function streakText({ streakDays, longestStreakDays }) {
    if (longestStreakDays > streakDays) return t`longest: ${longestStreakDays} days`;
    return streakDays > 0 ? t`the longest so far` : t`it starts with a whole day`;
}

/** When the brush head is to be replaced, as the hub says it. */
function headReadout({ suggestedDay, replacedDay, isDue }) {
    const since = t`in use since ${shortDay(replacedDay)}`;
    return isDue ? readout(t`Brush head`, t`New one`, t`please`, since)
        : readout(t`New brush head by`, shortDay(suggestedDay), null, since);
}

function links(person) {
    const query = `?person=${encodeURIComponent(person.id)}`;
    const next = person.appointments?.[0];
    return make("ul", { class: "rows" },
        row(`/brushing/history${query}`, "calendar", t`History`, t`Month by month, and how long it took`),
        person.brushHead?.isDue && row(`/brushing/settings${query}#brush-head`, "brushing", t`A new brush head is due`,
            t`Have you replaced it? Say so there.`),
        next && row(`/brushing/settings${query}#appointments`, "bell", next.title,
            `${shortDay(next.day)}, ${minuteText(next.minute)}`));
}

function row(href, iconName, name, hint) {
    return make("li", {}, make("a", { class: "row", href }, icon(iconName),
        make("span", { class: "words" }, make("span", { class: "name" }, name), make("span", { class: "fine" }, hint)),
        icon("forward", "s")));
}
