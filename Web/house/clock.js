/**
 * The hub's clock and time zone. A phone whose clock is wrong still shows right ages: what counts is the hub's time.
 */
let ahead = 0; // how far the hub's clock is ahead of this browser's, milliseconds
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

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

/** The household's IANA time zone. */
export function timeZone() {
    return zone;
}

/** @param {string} name  an IANA time zone; one that this browser does not know is left aside */
export function setTimeZone(name) {
    try {
        new Intl.DateTimeFormat("en-GB", { timeZone: name });
        zone = name;
    } catch {
        // The browser's own zone stays: days may then begin at another hour, and nothing else changes.
    }
}
