import { shiftAt } from "../text/zones.js";

const DAY = 86_400_000; // milliseconds

/**
 * Which day it is somewhere, and how late: days since 1 January 1970 and minutes since midnight by the clocks there.
 * What they mean, such as to which day a brushing at half past midnight belongs, the engine says.
 * @param {number} at  UTC milliseconds
 * @param {string} zone  IANA time zone
 * @returns {{day: number, minute: number}}
 */
export function localMoment(at, zone) {
    const local = at + shiftAt(zone, at);
    const day = Math.floor(local / DAY);
    return { day, minute: Math.floor((local - day * DAY) / 60_000) };
}

/**
 * "morning", "afternoon" or "evening", as one says it there.
 * @param {number} at
 * @param {string} zone
 */
export function partOfDay(at, zone) {
    const hour = Math.floor(localMoment(at, zone).minute / 60);
    return hour < 4 || hour >= 18 ? "evening" : hour < 12 ? "morning" : "afternoon";
}
