import { now, timeZone } from "../app/clock.js";
import { monthName as longMonth, shortMonthName, shortWeekday, timeOf, weekdayName } from "./calendar.js";
import { shiftAt } from "./zones.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A date whose UTC fields are those of the household's clocks at an instant. */
function local(at) {
    return new Date(at + shiftAt(timeZone(), at));
}

/**
 * "8:12".
 * @param {number} at  UTC milliseconds
 */
export function clockTime(at) {
    return timeOf(local(at));
}

/** "15 Nov", with the year when it is not this one. */
export function shortDate(at) {
    const date = local(at);
    const words = `${date.getUTCDate()} ${shortMonthName(date)}`;
    const year = date.getUTCFullYear();
    return year === local(now()).getUTCFullYear() ? words : `${words} ${year}`;
}

/** "Saturday 21 November". */
export function longDate(at) {
    const date = local(at);
    return `${weekdayName(date)} ${date.getUTCDate()} ${longMonth(date)}`;
}

/** "Sat 21". */
export function weekdayDate(at) {
    const date = local(at);
    return `${shortWeekday(weekdayName(date))} ${date.getUTCDate()}`;
}

/** "Nov". */
export function monthName(at) {
    return shortMonthName(local(at));
}

/** "Today, 8:12", "Yesterday, 8:12", "15 Nov, 8:12". */
export function dayAndTime(at) {
    const day = localDay(at);
    const today = localDay(now());
    if (day === today) return `Today, ${clockTime(at)}`;
    if (day === today - 1) return `Yesterday, ${clockTime(at)}`;
    return `${shortDate(at)}, ${clockTime(at)}`;
}

/** "Saturday 21 November 2026, 14:05:09", for a title. */
export function fullTime(at) {
    const date = local(at);
    const seconds = String(date.getUTCSeconds()).padStart(2, "0");
    return `${longDate(at)} ${date.getUTCFullYear()}, ${clockTime(at)}:${seconds}`;
}

/** Days since 1 January 1970 in the household's zone. */
export function localDay(at) {
    return Math.floor(local(at).getTime() / DAY);
}

/**
 * The instant at which a local day begins, or an hour of it.
 * @param {number} day  as {@link localDay} counts
 */
export function startOf(day, hour = 0) {
    return instantAt(day * DAY + hour * HOUR);
}

/** What `<input type="datetime-local">` wants: "2026-11-21T14:05" in the household's zone. */
export function localInput(at) {
    return local(at).toISOString().slice(0, 16);
}

/**
 * The instant of a local time in the household's zone, UTC milliseconds; NaN for what is no time.
 * @param {string} local  "2026-11-21T14:05"
 */
export function instantOf(local) {
    const wanted = Date.parse(`${local}Z`);
    return Number.isNaN(wanted) ? NaN : instantAt(wanted);
}

/** @param {number} wanted  what the clocks show, as if it were UTC milliseconds */
function instantAt(wanted) {
    // The zone's offset depends on the instant that is looked for: two steps settle it, also beside a clock change.
    let at = wanted;
    for (let step = 0; step < 2; step += 1) at = wanted - shiftAt(timeZone(), at);
    return at;
}

/**
 * "just now", "4 min ago", "9 h ago", "yesterday, 8:12", "3 days ago", "15 Nov".
 * @param {number} age  milliseconds
 * @param {number} at   the instant itself, UTC milliseconds
 */
export function ageText(age, at) {
    if (age < MINUTE) return "just now";
    if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
    if (age < 20 * HOUR) return `${Math.floor(age / HOUR)} h ago`;
    const days = localDay(now()) - localDay(at);
    if (days <= 1) return `yesterday, ${clockTime(at)}`;
    return days < 14 ? `${days} days ago` : shortDate(at);
}

/**
 * "9 h", "25 min", "3 days": how long something lasted.
 * @param {number} span  milliseconds
 */
export function spanText(span) {
    if (span < HOUR) return `${Math.max(1, Math.round(span / MINUTE))} min`;
    if (span < 36 * HOUR) return `${Math.round(span / HOUR)} h`;
    return `${Math.round(span / (24 * HOUR))} days`;
}
