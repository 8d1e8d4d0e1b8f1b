/*
 * Days as the hub counts them, "2026-11-21": by the person's own calendar, so no zone changes them here.
 */
import { calendar, shortWeekdayOf, timeOf } from "./calendar.js";
import { shiftAt } from "./zones.js";

export { listed } from "../language/text.js";
export { shortWeekday, WEEKDAYS } from "./calendar.js";

const dateOf = (day) => new Date(`${day}T00:00:00Z`);

/**
 * "Saturday 21 November".
 * @param {string} day
 */
export function longDay(day) {
    return calendar.longDay(dateOf(day));
}

/** "21 Nov". */
export function shortDay(day) {
    return calendar.shortDay(dateOf(day));
}

/** "21 November 2026". */
export function fullDay(day) {
    return calendar.day(dateOf(day));
}

/** "Sat". */
export function weekdayOf(day) {
    return shortWeekdayOf(dateOf(day));
}

/**
 * "November", with the year where it is another than `thisYear`.
 * @param {string} month  "2026-11"
 */
export function monthOf(month, thisYear) {
    const isThisYear = month.startsWith(`${thisYear}-`);
    return (isThisYear ? calendar.month : calendar.monthAndYear)(dateOf(`${month}-01`));
}

/** "Nov". */
export function shortMonth(day) {
    return calendar.shortMonth(dateOf(day));
}

/** How many empty places a calendar has before the first of a month, with Monday first. */
export function placesBefore(month) {
    return (dateOf(`${month}-01`).getUTCDay() + 6) % 7;
}

/** A date whose UTC fields are what the clocks of a zone show. */
const localIn = (zone, at) => new Date(at + shiftAt(zone, at));

/**
 * The day that it is somewhere now.
 * @param {number} at  UTC milliseconds
 * @param {string} zone  IANA time zone
 */
export function dayIn(zone, at) {
    return localIn(zone, at).toISOString().slice(0, 10);
}

/** "19:32", by the clocks of a zone. */
export function timeIn(zone, at) {
    return timeOf(localIn(zone, at));
}

/** "7:05", of minutes since midnight. */
export function minuteText(minute) {
    return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

/** What `<input type="time">` wants: "07:05". */
export function minuteInput(minute) {
    return minuteText(minute).padStart(5, "0");
}

/** The minutes since midnight of such an input; NaN when it is empty. */
export function minuteOf(input) {
    const [hours, minutes] = input.split(":").map(Number);
    return input === "" ? NaN : hours * 60 + minutes;
}
