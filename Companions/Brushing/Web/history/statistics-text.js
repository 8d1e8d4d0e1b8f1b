import { longDay, monthOf, shortDay, shortMonth, weekdayOf } from "../../text/civil.js";
import { number, t } from "../../language/text.js";

/** What a bar is of, in full: "Monday 16 November", "Week of 16 Nov", "November 2026", "2026". */
export function barName(by, { start }) {
    if (by === "day") return longDay(start);
    if (by === "week") return t`Week of ${shortDay(start)}`;
    return by === "month" ? monthOf(start.slice(0, 7)) : start.slice(0, 4);
}

/** What stands below a bar. */
export function barLabel(by, { start, label }) {
    if (label) return label;
    if (by === "day") return `${weekdayOf(start)} ${Number(start.slice(8))}`;
    if (by === "week") return shortDay(start);
    return by === "month" ? shortMonth(start) : start.slice(0, 4);
}

/** A chart in words, for who does not see it. */
export function chartText({ by, bars }, quantity) {
    const last = bars.at(-1);
    const values = bars.map((bar) => (quantity === "habit" ? bar.habitPercent : bar.sessions)).filter(Number.isFinite);
    const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => number(value, 0));
    const newest = number(values.at(-1), 0);
    return quantity === "habit"
        ? t`Habit, ${bars.length} values, from ${least} to ${most}. ${barName(by, last)}: ${newest}.`
        : t`Brushing sessions, ${bars.length} values, from ${least} to ${most}. ${barName(by, last)}: ${newest}.`;
}
