import { now, timeZone } from "../app/clock.js";
import { t } from "../language/text.js";
import { calendar, timeOf } from "./calendar.js";
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
    const isThisYear = date.getUTCFullYear() === local(now()).getUTCFullYear();
    return (isThisYear ? calendar.shortDay : calendar.shortDayAndYear)(date);
}

/** "Saturday 21 November". */
export function longDate(at) {
    return calendar.longDay(local(at));
}

/** "Sat 21". */
export function weekdayDate(at) {
    return calendar.weekdayAndDay(local(at));
}

/** "Nov". */
export function monthName(at) {
    return calendar.shortMonth(local(at));
}

/** "Today, 8:12", "Yesterday, 8:12", "15 Nov, 8:12". */
export function dayAndTime(at) {
    const time = clockTime(at);
    const daysAgo = localDay(now()) - localDay(at);
    return daysAgo === 0 ? t`Today, ${time}` : daysAgo === 1 ? t`Yesterday, ${time}` : `${shortDate(at)}, ${time}`;
}

/** The same within a sentence: "today, 8:12", "yesterday, 8:12", "15 Nov, 8:12". */
export function dayAndTimeWithin(at) {
    return localDay(now()) === localDay(at) ? t`today, ${clockTime(at)}` : shortDayAndTime(at);
}

/** The same where today needs no word: "8:12", "yesterday, 8:12", "15 Nov, 8:12". */
export function shortDayAndTime(at) {
    const time = clockTime(at);
    const daysAgo = localDay(now()) - localDay(at);
    return daysAgo === 0 ? time : daysAgo === 1 ? t`yesterday, ${time}` : `${shortDate(at)}, ${time}`;
}

/** "Saturday 21 November 2026, 14:05:09", for a title. */
export function fullTime(at) {
    const date = local(at);
    const seconds = String(date.getUTCSeconds()).padStart(2, "0");
    return `${calendar.longDayAndYear(date)}, ${clockTime(at)}:${seconds}`;
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
    if (age < -HOUR) return dayAndTime(at); // a clock was wrong, or is
    if (age < MINUTE) return t`just now`;
    if (age < HOUR) return t`${Math.floor(age / MINUTE)} min ago`;
    if (age < 20 * HOUR) return t`${Math.floor(age / HOUR)} h ago`;
    const days = localDay(now()) - localDay(at);
    if (days <= 1) return t`yesterday, ${clockTime(at)}`;
    return days < 14 ? t`${days} days ago` : shortDate(at);
}

/**
 * "9 h", "25 min", "3 days": how long something lasted.
 * @param {number} span  milliseconds
 */
export function spanText(span) {
    if (span < HOUR) return t`${Math.max(1, Math.round(span / MINUTE))} min`;
    if (span < 36 * HOUR) return t`${Math.round(span / HOUR)} h`;
    return t`${Math.round(span / (24 * HOUR))} days`;
}
