import { dayAndTime, longDate, spanWords } from "../words/dates.js";
import { counted, measured } from "../words/numbers.js";

const SPANS = { day: "day", week: "week", month: "month", year: "year" };

/**
 * What a chart shows, in a sentence or two, for who hears it.
 * @param {object} told  an answer of `/api/plants/ID/chart`
 * @param {"day"|"week"|"month"|"year"} span
 */
export function chartWords(told, span) {
    const name = told.quantity[0].toUpperCase() + told.quantity.slice(1);
    const unit = told.unit === "%" ? " percent" : told.unit ? ` ${told.unit}` : "";
    if (told.points.length === 0) return `${name} over the last ${SPANS[span]}: no reading.`;
    const [first, last] = [told.points[0], told.points.at(-1)];
    const point = ([at, mean]) => `${measured(mean)}${unit} on ${dayAndTime(at)}`;
    const says = [
        `${name} over the last ${SPANS[span]}, ${counted(told.count, "reading")}: ${point(first)}, ${point(last)}.`,
    ];
    if (told.limits) says.push(`Limits ${told.limits.low} and ${told.limits.high}.`);
    if (told.waterings.length > 0) says.push(`${counted(told.waterings.length, "watering")}.`);
    if (told.gaps.length > 0) {
        const longest = Math.max(...told.gaps.map(([from, to]) => to - from));
        says.push(`${counted(told.gaps.length, "gap")}, the longest ${spanWords(longest)}.`);
    }
    const cross = told.ahead?.crossing;
    if (cross) {
        says.push(`It should reach the limit on ${longDate(cross.at)}, `
            + `between ${longDate(cross.earliest)} and ${longDate(cross.latest)}.`);
    }
    return says.join(" ");
}
