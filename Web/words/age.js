import { now } from "../house/clock.js";
import { clockTime, localDay, shortDate } from "./dates.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * "just now", "4 min ago", "9 h ago", "yesterday, 8:12", "3 days ago", "15 Nov".
 * @param {number} age  milliseconds
 * @param {number} at   the instant itself, UTC milliseconds
 */
export function ageWords(age, at) {
    if (age < MINUTE) return "just now";
    if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
    if (age < 20 * HOUR) return `${Math.floor(age / HOUR)} h ago`;
    const days = localDay(now()) - localDay(at);
    if (days <= 1) return `yesterday, ${clockTime(at)}`;
    return days < 14 ? `${days} days ago` : shortDate(at);
}

/** "9 h", "25 min", "3 days": how long something lasted. @param {number} span  milliseconds */
export function spanWords(span) {
    if (span < HOUR) return `${Math.max(1, Math.round(span / MINUTE))} min`;
    if (span < 36 * HOUR) return `${Math.round(span / HOUR)} h`;
    return `${Math.round(span / (24 * HOUR))} days`;
}
