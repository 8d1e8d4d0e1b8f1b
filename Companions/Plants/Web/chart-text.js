import { dayAndTime, longDate, spanText } from "../text/dates.js";
import { counted, measured } from "../text/numbers.js";

const SPANS = { day: "day", week: "week", month: "month", year: "year" };

/**
 * What a chart shows, in a sentence or two, for who hears it.
 * @param {object} data  an answer of `/api/plants/ID/chart`
 * @param {"day"|"week"|"month"|"year"} span
 */
export function chartText(data, span) {
    const name = data.quantity[0].toUpperCase() + data.quantity.slice(1);
    const unit = data.unit === "%" ? " percent" : data.unit ? ` ${data.unit}` : "";
    if (data.points.length === 0) return `${name} over the last ${SPANS[span]}: no reading.`;
    const [first, last] = [data.points[0], data.points.at(-1)];
    const point = ([at, mean]) => `${measured(mean)}${unit} on ${dayAndTime(at)}`;
    const says = [
        `${name} over the last ${SPANS[span]}, ${counted(data.count, "reading")}: ${point(first)}, ${point(last)}.`,
    ];
    if (data.limits) says.push(`Limits ${data.limits.low} and ${data.limits.high}.`);
    if (data.waterings.length > 0) says.push(`${counted(data.waterings.length, "watering")}.`);
    if (data.gaps.length > 0) {
        says.push(`${counted(data.gaps.length, "gap")}, the longest ${spanText(data.longestGap)}.`);
    }
    if (data.doubtful?.length > 0) {
        says.push(`${counted(data.doubtful.length, "stretch", "stretches")} doubtful: the probe may have been out of the soil.`);
    }
    const cross = data.ahead?.crossing;
    if (cross) {
        says.push(`It should reach the limit on ${longDate(cross.at)}, `
            + `between ${longDate(cross.earliest)} and ${longDate(cross.latest)}.`);
    }
    return says.join(" ");
}
