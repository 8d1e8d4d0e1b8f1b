/*
 * Names of days and months, and how dates are written. The first use of `Intl` costs a slow phone 120 ms, and no screen
 * needs it for these: English and German stand here in tables, as `Intl` has them; any other language asks `Intl`.
 */
import { language } from "../language/text.js";

/**
 * @typedef {(date: Date) => string} Form  of a date whose UTC fields are those of some calendar
 * @typedef {{weekdays: string[], shortWeekdays: string[], month: Form, shortMonth: Form, monthAndYear: Form,
 *   shortDay: Form, shortDayAndYear: Form, day: Form, longDay: Form, longDayAndYear: Form, weekdayAndDay: Form}} Calendar
 */

/** As a week goes here. */
const weekdayOf = (date) => (date.getUTCDay() + 6) % 7;

/** @type {Record<string, () => Calendar>} */
const TABLES = {
    en: () => tabled({
        // not shown but in English
        weekdays: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        shortWeekdays: "Mon Tue Wed Thu Fri Sat Sun", // not shown but in English
        // not shown but in English
        months: "January February March April May June July August September October November December",
        shortMonths: "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec", // not shown but in English
        datedMonths: "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec", // not shown but in English
        dot: "", beforeDay: " ",
    }),
    de: () => tabled({
        // not shown but in German
        weekdays: "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        shortWeekdays: "Mo Di Mi Do Fr Sa So", // not shown but in German
        // not shown but in German
        months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        shortMonths: "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez", // not shown but in German
        datedMonths: "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.", // not shown but in German
        dot: ".", beforeDay: ", ",
    }),
};

/** @returns {Calendar} */
function tabled({ weekdays, shortWeekdays, months, shortMonths, datedMonths, dot, beforeDay }) {
    const [days, shortDays] = [weekdays.split(" "), shortWeekdays.split(" ")];
    const [long, short, dated] = [months.split(" "), shortMonths.split(" "), datedMonths.split(" ")];
    const month = (date) => long[date.getUTCMonth()];
    const number = (date) => `${date.getUTCDate()}${dot}`;
    const shortDay = (date) => `${number(date)} ${dated[date.getUTCMonth()]}`;
    const day = (date) => `${number(date)} ${month(date)}`;
    const withYear = (form) => (date) => `${form(date)} ${date.getUTCFullYear()}`;
    const longDay = (date) => `${days[weekdayOf(date)]}${beforeDay}${day(date)}`;
    return {
        weekdays: days, shortWeekdays: shortDays, month, shortMonth: (date) => short[date.getUTCMonth()],
        monthAndYear: withYear(month), shortDay, shortDayAndYear: withYear(shortDay), day: withYear(day), longDay,
        longDayAndYear: withYear(longDay), weekdayAndDay: (date) => `${shortDays[weekdayOf(date)]} ${number(date)}`,
    };
}

/** @returns {Calendar} */
function lookedUp() {
    /** @param {Intl.DateTimeFormatOptions} options @returns {Form} */
    const form = (options) => {
        const format = new Intl.DateTimeFormat(language(), { timeZone: "UTC", ...options });
        return (date) => format.format(date);
    };
    const week = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i))); // a Monday
    const [day, month, year, weekday] = /** @type {const} */ (["numeric", "long", "numeric", "long"]);
    return {
        weekdays: week.map(form({ weekday })), shortWeekdays: week.map(form({ weekday: "short" })),
        month: form({ month }), shortMonth: form({ month: "short" }), monthAndYear: form({ month, year }),
        shortDay: form({ day, month: "short" }), shortDayAndYear: form({ day, month: "short", year }),
        day: form({ day, month, year }), longDay: form({ weekday, day, month }),
        longDayAndYear: form({ weekday, day, month, year }), weekdayAndDay: form({ weekday: "short", day }),
    };
}

/** How the language of the page has it. */
export const calendar = (TABLES[language()] ?? lookedUp)();

/** The days of a week. */
export const WEEKDAYS = calendar.weekdays;

/**
 * "Mon".
 * @param {string} weekday  of {@link WEEKDAYS}
 */
export const shortWeekday = (weekday) => calendar.shortWeekdays[WEEKDAYS.indexOf(weekday)];

/** The short name of a date's weekday. @type {Form} */
export const shortWeekdayOf = (date) => calendar.shortWeekdays[weekdayOf(date)];

/** "8:12", of such a date. @type {Form} */
export const timeOf = (date) => `${date.getUTCHours()}:${String(date.getUTCMinutes()).padStart(2, "0")}`;
