import { iconButton } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { now } from "../../app/clock.js";
import { t } from "../../language/text.js";
import { dayIn, longDay, monthOf, placesBefore, shortWeekday, WEEKDAYS } from "../../text/civil.js";
import { durationText } from "../../text/durations.js";

const FULL = 20; // minutes from which on a day's bar is full

/**
 * A month: each day with a bar for its minutes, and the days that have one lead there.
 * @param {{day: string, days: Array<{day: string, sessions: number, milliseconds: number}>, query: string, zone:
 * string}}
 *   about  `day`: the one that is open
 */
export function daysCalendar({ day, days, query, zone }) {
    const heading = make("h2", { id: "d-month" });
    const place = make("div", {});
    const back = iconButton(t`The month before`, "back", () => turn(-1));
    const ahead = iconButton(t`The month after`, "forward", () => turn(1));
    const today = dayIn(zone, now());
    const first = (days.at(-1)?.day ?? day) < day ? days.at(-1)?.day ?? day : day;
    let month = day.slice(0, 7);
    const turn = (by) => {
        const at = new Date(`${month}-15T00:00:00Z`);
        at.setUTCMonth(at.getUTCMonth() + by);
        month = at.toISOString().slice(0, 7);
        draw();
    };
    const draw = () => {
        heading.textContent = monthOf(month, today.slice(0, 4));
        back.disabled = month <= first.slice(0, 7);
        ahead.disabled = month >= today.slice(0, 7);
        const count = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
        const lead = Array.from({ length: placesBefore(month) }, () => make("li", { "aria-hidden": true }));
        const all = Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
        fill(place,
            make("div", { class: "pips weekday-names fine", "aria-hidden": true },
                WEEKDAYS.map((one) => make("span", {}, shortWeekday(one)))),
            make("ol", { class: "pips days" }, lead, all.map((one) => make("li", {}, cell(one)))));
    };
    const cell = (one) => {
        const data = days.find((each) => each.day === one);
        const words = data ? t`${data.sessions} songs, ${durationText(data.milliseconds / 1000)}`
            : t`no practice`;
        const bar = make("span", { class: "day-bar", "aria-hidden": true, vars: {
            done: data ? Math.max(12, Math.min(100, (data.milliseconds / 60_000 / FULL) * 100)) : 0 } });
        const marks = { "aria-current": one === day ? "page" : one === today ? "date" : undefined,
            "aria-label": `${longDay(one)}: ${words}` };
        const inside = [make("span", { class: "day-number" }, Number(one.slice(8))), bar];
        return data ? make("a", { class: "day-cell", href: `/drums/day/${one}${query}`, ...marks }, inside)
            : make("span", { class: "day-cell", role: "img", data: { state: one > today ? "to-come" : "none" },
                ...marks }, inside);
    };
    draw();
    return make("section", { class: "section month-section", "aria-labelledby": "d-month" },
        make("div", { class: "section-head" }, heading, back, ahead), place,
        make("p", { class: "key" }, make("span", {}, make("span", { class: "day-bar sample", vars: { done: 50 } }),
            t`Minutes practised; a full bar is ${FULL} or more`)));
}
