/*
 * Names of days and months, as English has them: the first use of `Intl` costs a slow phone 120 ms, and no screen needs
 * it for these.
 */

/** As a week goes here. */
export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];
const SHORT_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/**
 * "Mon".
 * @param {string} weekday
 */
export const shortWeekday = (weekday) => weekday.slice(0, 3);

/**
 * "Saturday", of a date whose UTC fields are those of some calendar.
 * @param {Date} date
 */
export const weekdayName = (date) => WEEKDAYS[(date.getUTCDay() + 6) % 7];

/** "November", of such a date. */
export const monthName = (date) => MONTHS[date.getUTCMonth()];

/** "Nov", of such a date. */
export const shortMonthName = (date) => SHORT_MONTHS[date.getUTCMonth()];

/** "8:12", of such a date. */
export const timeOf = (date) => `${date.getUTCHours()}:${String(date.getUTCMinutes()).padStart(2, "0")}`;
