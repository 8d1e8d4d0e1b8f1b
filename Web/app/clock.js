import { isZone } from "../text/zones.js";

/**
 * The hub's clock and time zone. A phone whose clock is wrong still shows right ages: what counts is the hub's time.
 */
let ahead = 0; // how far the hub's clock is ahead of this browser's, milliseconds
let data = null; // the household's zone, not looked at yet
let zone = null;

/** The hub's time now, UTC milliseconds. */
export function now() {
    return Date.now() + ahead;
}

/**
 * Sets this page's clock by the hub's.
 * @param {number} hubNow  UTC milliseconds, as just received
 */
export function setClock(hubNow) {
    // A second or so is the way here and back: not worth a jump of every age on the page.
    const difference = hubNow - Date.now();
    ahead = Math.abs(difference) > 2000 ? difference : 0;
}

/** The household's IANA time zone; where it is not known yet, or this browser does not know it, the browser's own. */
export function timeZone() {
    if (data !== null) {
        // Otherwise the zone of before stays: days may then begin at another hour, and nothing else changes.
        if (isZone(data)) zone = data;
        data = null;
    }
    return zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * @param {string} name  an IANA time zone. It is looked at when it is wanted, and by then what the last visit kept of
 *   it can be read.
 */
export function setTimeZone(name) {
    data = name;
}
