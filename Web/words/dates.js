import { now, timeZone } from "../house/clock.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const formats = new Map();

function parts(at, options) {
    const key = timeZone() + JSON.stringify(options);
    if (!formats.has(key)) {
        formats.set(key, new Intl.DateTimeFormat("en-GB", { timeZone: timeZone(), hourCycle: "h23", ...options }));
    }
    return Object.fromEntries(formats.get(key).formatToParts(at).map((part) => [part.type, part.value]));
}

/** "8:12". @param {number} at  UTC milliseconds */
export function clockTime(at) {
    const { hour, minute } = parts(at, { hour: "numeric", minute: "2-digit" });
    return `${Number(hour)}:${minute}`;
}

/** "15 Nov", with the year when it is not this one. */
export function shortDate(at) {
    const { day, month, year } = parts(at, { day: "numeric", month: "short", year: "numeric" });
    return year === parts(now(), { year: "numeric" }).year ? `${day} ${month}` : `${day} ${month} ${year}`;
}

/** "Saturday 21 November". */
export function longDate(at) {
    const { weekday, day, month } = parts(at, { weekday: "long", day: "numeric", month: "long" });
    return `${weekday} ${day} ${month}`;
}

/** "Sat 21". */
export function weekdayDate(at) {
    const { weekday, day } = parts(at, { weekday: "short", day: "numeric" });
    return `${weekday} ${day}`;
}

/** "Nov". */
export function monthName(at) {
    return parts(at, { month: "short" }).month;
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
    const { year } = parts(at, { year: "numeric" });
    const { second } = parts(at, { hour: "numeric", minute: "2-digit", second: "2-digit" });
    return `${longDate(at)} ${year}, ${clockTime(at)}:${second}`;
}

/** Days since 1 January 1970 in the household's zone. */
export function localDay(at) {
    const { year, month, day } = parts(at, { year: "numeric", month: "numeric", day: "numeric" });
    return Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000;
}

/** The instant at which a local day begins, or an hour of it. @param {number} day  as {@link localDay} counts */
export function startOf(day, hour = 0) {
    return instantOf(new Date(day * 86_400_000 + hour * 3_600_000).toISOString().slice(0, 16));
}

/** What `<input type="datetime-local">` wants: "2026-11-21T14:05" in the household's zone. */
export function localInput(at) {
    const p = parts(at, { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" });
    return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}`;
}

/**
 * The instant of a local time in the household's zone, UTC milliseconds; NaN for what is no time.
 * @param {string} local  "2026-11-21T14:05"
 */
export function instantOf(local) {
    const wanted = Date.parse(`${local}Z`);
    if (Number.isNaN(wanted)) return NaN;
    // The zone's offset depends on the instant that is looked for: two steps settle it, also beside a clock change.
    let at = wanted;
    for (let step = 0; step < 2; step += 1) at += wanted - Date.parse(`${localInput(at)}Z`);
    return at;
}

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
