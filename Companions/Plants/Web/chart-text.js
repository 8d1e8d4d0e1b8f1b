import { dayAndTime, longDate, spanText } from "../text/dates.js";
import { measured } from "../text/numbers.js";
import { t } from "../language/text.js";

const OVER = {
    day: (name) => t`${name} over the last day.`, week: (name) => t`${name} over the last week.`,
    month: (name) => t`${name} over the last month.`, year: (name) => t`${name} over the last year.`,
};

/**
 * What a chart shows, in a sentence or two, for who hears it.
 * @param {object} data  an answer of `/api/plants/ID/chart`
 * @param {"day"|"week"|"month"|"year"} span
 */
export function chartText(data, span) {
    const name = data.quantity === "moisture" ? t`Moisture` : data.quantity;
    if (data.points.length === 0) return `${OVER[span](name)} ${t`There is no reading.`}`;
    const [first, last] = [data.points[0], data.points.at(-1)];
    const value = (mean) => (data.unit === "%" ? t`${measured(mean)} percent` : `${measured(mean)} ${data.unit ?? ""}`.trim());
    const says = [
        OVER[span](name), t`${data.count} readings.`,
        t`From ${value(first[1])} (${dayAndTime(first[0])}) to ${value(last[1])} (${dayAndTime(last[0])}).`,
    ];
    if (data.limits) says.push(t`Limits ${data.limits.low} and ${data.limits.high}.`);
    if (data.waterings.length > 0) says.push(t`${data.waterings.length} waterings.`);
    if (data.gaps.length > 0) {
        says.push(t`${data.gaps.length} gaps, the longest ${spanText(data.longestGap)}.`);
    }
    if (data.doubtful?.length > 0) {
        says.push(t`${data.doubtful.length} stretches are doubtful: the probe may have been out of the soil.`);
    }
    const cross = data.ahead?.crossing;
    if (cross) {
        says.push(t`It should reach the limit on ${longDate(cross.at)}, between ${longDate(cross.earliest)} and ${longDate(cross.latest)}.`);
    }
    return says.join(" ");
}
