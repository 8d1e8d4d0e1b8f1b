const formats = new Map();

/**
 * Which day it is somewhere, and how late: days since 1 January 1970 and minutes since midnight by the clocks there.
 * What they mean, such as to which day a brushing at half past midnight belongs, the engine says.
 * @param {number} at  UTC milliseconds
 * @param {string} zone  IANA time zone
 * @returns {{day: number, minute: number}}
 */
export function localMoment(at, zone) {
    const p = Object.fromEntries(formatOf(zone).formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return { day: Date.UTC(p.year, p.month - 1, p.day) / 86_400_000, minute: p.hour * 60 + p.minute };
}

/** "morning", "afternoon" or "evening", as one says it there. @param {number} at @param {string} zone */
export function partOfDay(at, zone) {
    const hour = Math.floor(localMoment(at, zone).minute / 60);
    return hour < 4 || hour >= 18 ? "evening" : hour < 12 ? "morning" : "afternoon";
}

function formatOf(zone) {
    if (!formats.has(zone)) {
        const options = {
            hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
        };
        try {
            formats.set(zone, new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }));
        } catch {
            // A zone that this browser does not know: the phone's own is nearest.
            formats.set(zone, new Intl.DateTimeFormat("en-GB", options));
        }
    }
    return formats.get(zone);
}
