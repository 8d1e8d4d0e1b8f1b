const FIRST = 1000; // milliseconds
const LONGEST = 5 * 60_000;
const LONGEST_ASKED = 60 * 60_000; // a hub that asks for more is taken to mean an hour

/** How long to wait after so many tries that failed, milliseconds; not all devices of a house in the same moment. */
export function waitAfter(tries) {
    return Math.min(FIRST * 2 ** Math.max(0, tries - 1), LONGEST) * (0.75 + Math.random() / 2);
}

/**
 * What a `Retry-After` asks for, seconds or a date (RFC 9110, 10.2.3).
 * @param {string|null} value
 * @param {number} now  UTC milliseconds
 * @returns {number|null}  milliseconds to wait; null where it says nothing that can be read
 */
export function retryAfter(value, now) {
    if (!value) return null;
    const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
    return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_ASKED) : null;
}

/** Whether a moment until which to wait has come; one that a wrong clock put far ahead has. */
export function isDue(notBefore, now) {
    return !notBefore || notBefore <= now || notBefore - now > LONGEST_ASKED;
}
