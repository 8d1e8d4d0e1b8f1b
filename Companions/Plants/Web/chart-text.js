import { dayAndTime, longDate, shortDate, spanText } from "../text/dates.js";
import { measured } from "../text/numbers.js";
import { t } from "../language/text.js";

const OVER = {
    day: (name) => t`${name} over the last day.`, week: (name) => t`${name} over the last week.`,
    month: (name) => t`${name} over the last month.`, year: (name) => t`${name} over the last year.`,
};

const DAY = 86_400_000;

/**
 * Which time a point stands for: a moment, or the day or the week that begins there.
 * @param {number} at  UTC milliseconds
 * @param {number} bucket  of the chart, milliseconds
 */
export function pointTime(at, bucket) {
    // The hub's days are those of UTC: noon lies in that one which most of the day belongs to.
    if (bucket < DAY) return dayAndTime(at);
    return bucket === DAY ? shortDate(at + DAY / 2) : t`Week from ${shortDate(at + DAY / 2)}`;
}

/**
 * What a chart shows, in a sentence or two, for who hears it.
 * @param {object} data  an answer of `/api/plants/ID/chart`
 * @param {"day"|"week"|"month"|"year"|"decade"} span
 * @param {string} name  of what was measured
 */
export function chartText(data, span, name) {
    const over = data.to < data.now || span === "decade"
        ? t`${name} from ${shortDate(data.from)} to ${shortDate(data.to - 1)}.` : OVER[span](name);
    if (data.points.length === 0) return `${over} ${t`There is no reading.`}`;
    const [first, last] = [data.points[0], data.points.at(-1)];
    const value = (mean) => (data.unit === "%" ? t`${measured(mean)} percent` : `${measured(mean)} ${data.unit ?? ""}`.trim());
    const says = [
        over, t`${data.count} readings.`,
        t`From ${value(first[1])} (${pointTime(first[0], data.bucket)}) to ${value(last[1])} (${pointTime(last[0], data.bucket)}).`,
    ];
    if (Number.isFinite(data.limits?.low) && Number.isFinite(data.limits?.high)) {
        says.push(t`Limits ${data.limits.low} and ${data.limits.high}.`);
    }
    if (data.earlier) {
        says.push(data.earlier.points.length === 0 ? t`There is nothing to compare it with.`
            : t`Compared with ${shortDate(data.from - data.earlier.shift)} to ${shortDate(data.to - data.earlier.shift - 1)}, which had a mean of ${value(meanOf(data.earlier.points))}; this one has ${value(meanOf(data.points))}.`);
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
