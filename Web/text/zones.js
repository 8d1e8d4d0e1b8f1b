import { store, cached } from "../offline/cache.js";

const DAY = 86_400_000; // milliseconds
const BEHIND = 30; // days before today, and
const AHEAD = 90; // after it, for which the next visit knows what clocks show
const ENOUGH = 30; // of them ahead are left when they are looked up anew

const formats = new Map();
const asked = new Set(); // zones that this page has asked for
let spans = null; // by zone, `[from, to, shift]` of UTC milliseconds, to exclusive

/**
 * How far a zone's clocks are ahead of UTC at an instant, milliseconds. The first use of `Intl` costs a slow phone
 * 120 ms: what it said is stored for the next visit.
 * @param {string} zone  an IANA time zone; the browser's own where it does not know it
 * @param {number} at  UTC milliseconds
 */
export function shiftAt(zone, at) {
    asked.add(zone);
    const span = spansOf(zone).find(([from, to]) => at >= from && at < to);
    return span ? span[2] : lookedUp(zone, at);
}

/** Whether this browser knows a zone. */
export function isZone(zone) {
    return spansOf(zone).length > 0 || format(zone).isKnown;
}

/** Has the next visit know what clocks show around today; to be called when nobody waits. */
export function keepZones() {
    const today = Math.floor(Date.now() / DAY);
    const isStale = (zone) => {
        const all = spansOf(zone);
        return isZone(zone) && !(all.length > 0 && all[0][0] <= Date.now() && all.at(-1)[1] >= (today + ENOUGH) * DAY);
    };
    const stale = [...asked].filter(isStale);
    if (stale.length === 0) return;
    for (const zone of stale) spans[zone] = spansAround(zone, today);
    store("zones", Object.fromEntries([...asked].map((zone) => [zone, spansOf(zone)])));
}

function spansOf(zone) {
    spans ??= cached("zones") ?? {};
    return spans[zone] ?? [];
}

/** Days on which clocks are changed are in no span. */
function spansAround(zone, today) {
    const all = [];
    for (let day = today - BEHIND; day < today + AHEAD; day += 1) {
        const shift = lookedUp(zone, day * DAY);
        if (lookedUp(zone, (day + 1) * DAY) !== shift) continue;
        if (all.at(-1)?.[1] === day * DAY && all.at(-1)[2] === shift) all.at(-1)[1] += DAY;
        else all.push([day * DAY, (day + 1) * DAY, shift]);
    }
    return all;
}

function lookedUp(zone, at) {
    const fields = Object.fromEntries(format(zone).format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year, month, day, hour, minute, second } = fields;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function format(zone) {
    if (!formats.has(zone)) {
        /** @type {Intl.DateTimeFormatOptions} */
        const options = {
            hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
            second: "numeric",
        };
        try {
            formats.set(zone, {
                isKnown: true, format: new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }),
            });
        } catch {
            formats.set(zone, { isKnown: false, format: new Intl.DateTimeFormat("en-GB", options) });
        }
    }
    return formats.get(zone);
}
