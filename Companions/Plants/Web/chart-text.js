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
 * @param {string} name  of what was measured
 */
export function chartText(data, span, name) {
    const over = data.to < data.now ? t`${name} from ${longDate(data.from)} to ${longDate(data.to - 1)}.` : OVER[span](name);
    if (data.points.length === 0) return `${over} ${t`There is no reading.`}`;
    const [first, last] = [data.points[0], data.points.at(-1)];
    const value = (mean) => (data.unit === "%" ? t`${measured(mean)} percent` : `${measured(mean)} ${data.unit ?? ""}`.trim());
    const says = [
        over, t`${data.count} readings.`,
        t`From ${value(first[1])} (${dayAndTime(first[0])}) to ${value(last[1])} (${dayAndTime(last[0])}).`,
    ];
    if (Number.isFinite(data.limits?.low) && Number.isFinite(data.limits?.high)) {
        says.push(t`Limits ${data.limits.low} and ${data.limits.high}.`);
    }
    if (data.earlier) {
        says.push(data.earlier.points.length === 0 ? t`There is nothing to compare it with.`
            : t`Compared with ${longDate(data.from - data.earlier.shift)} to ${longDate(data.to - data.earlier.shift - 1)}, which had a mean of ${value(meanOf(data.earlier.points))}; this one has ${value(meanOf(data.points))}.`);
    }
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

/** The mean of a curve's points, as the eye takes it. */
function meanOf(points) {
    return points.reduce((sum, [, mean]) => sum + mean, 0) / Math.max(1, points.length);
}
