/*
 * Days as the hub counts them, "2026-11-21": by the person's own calendar, so no zone changes them here.
 */
const formats = new Map();

function format(options) {
    const key = JSON.stringify(options);
    if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options }));
    return formats.get(key);
}

/** As a week goes here. */
export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** "Mon". @param {string} weekday */
export const shortWeekday = (weekday) => weekday.slice(0, 3);

const dateOf = (day) => new Date(`${day}T00:00:00Z`);

/** "Saturday 21 November". @param {string} day */
export function longDay(day) {
    const p = Object.fromEntries(format({ weekday: "long", day: "numeric", month: "long" }).formatToParts(dateOf(day))
        .map(({ type, value }) => [type, value]));
    return `${p.weekday} ${p.day} ${p.month}`;
}

/** "21 Nov". */
export function shortDay(day) {
    return format({ day: "numeric", month: "short" }).format(dateOf(day));
}

/** "21 November 2026". */
export function fullDay(day) {
    return format({ day: "numeric", month: "long", year: "numeric" }).format(dateOf(day));
}

/** "Sat". */
export function weekdayOf(day) {
    return format({ weekday: "short" }).format(dateOf(day));
}

/** "November", with the year where it is another than `thisYear`. @param {string} month  "2026-11" */
export function monthOf(month, thisYear) {
    const isThis = month.startsWith(`${thisYear}-`);
    return format({ month: "long", ...(isThis ? {} : { year: "numeric" }) }).format(dateOf(`${month}-01`));
}

/** "Nov". */
export function shortMonth(day) {
    return format({ month: "short" }).format(dateOf(day));
}

/** How many empty places a calendar has before the first of a month, with Monday first. */
export function placesBefore(month) {
    return (dateOf(`${month}-01`).getUTCDay() + 6) % 7;
}

/** The day that it is somewhere now. @param {number} at  UTC milliseconds @param {string} zone  IANA time zone */
export function dayIn(zone, at) {
    return `${new Intl.DateTimeFormat("sv-SE", { timeZone: known(zone), dateStyle: "short" }).format(at)}`;
}

/** "19:32", by the clocks of a zone. */
export function timeIn(zone, at) {
    const p = new Intl.DateTimeFormat("en-GB", {
        timeZone: known(zone), hourCycle: "h23", hour: "numeric", minute: "2-digit",
    }).format(at);
    return p.replace(/^0(?=\d:)/, "");
}

/** A zone that this browser knows; for another the browser's own is nearest. */
function known(zone) {
    try {
        new Intl.DateTimeFormat("en-GB", { timeZone: zone });
        return zone;
    } catch {
        return undefined;
    }
}

/** "7:05", of minutes since midnight. */
export function minuteWords(minute) {
    return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

/** What `<input type="time">` wants: "07:05". */
export function minuteInput(minute) {
    return minuteWords(minute).padStart(5, "0");
}

/** The minutes since midnight of such an input; NaN when it is empty. */
export function minuteOf(input) {
    const [hours, minutes] = input.split(":").map(Number);
    return input === "" ? NaN : hours * 60 + minutes;
}

/** "Mila", "Mila and Theo", "Mila, Theo and Ines". */
export function listed(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
