import { chartAxis } from "../elements/chart-axis.js";
import { clockTime, localDay, monthName, shortDate, startOf, weekdayDate } from "../text/dates.js";

const DAY = 86_400_000;
const PIXELS_A_LABEL = 58;

/**
 * The ticks of the time axis, at round local times, thinned to what the width bears.
 * @param {"day"|"week"|"month"|"year"|"decade"} span
 * @param {number} from  UTC milliseconds
 * @param {number} to
 * @param {number} width  CSS pixels
 * @returns {Array<{value: number, label: string}>}
 */
export function timeTicks(span, from, to, width) {
    const most = Math.max(2, Math.floor(width / PIXELS_A_LABEL));
    if (span === "day") return hours(from, to, most);
    if (span === "year") return months(from, to, most);
    if (span === "decade") return years(from, to, most);
    const days = Math.ceil((to - from) / DAY);
    const step = [1, 2, 3, 4, 5, 7, 10, 14].find((n) => days / n <= most) ?? 14;
    const ticks = [];
    for (let day = localDay(to); startOf(day) >= from; day -= step) {
        const value = startOf(day);
        if (value <= to) ticks.push({ value, label: days <= 16 ? weekdayDate(value) : shortDate(value) });
    }
    return ticks.reverse();
}

function hours(from, to, most) {
    const step = [2, 3, 4, 6, 12].find((n) => (to - from) / 3_600_000 / n <= most) ?? 12;
    const ticks = [];
    for (let day = localDay(from); day <= localDay(to); day += 1) {
        for (let hour = 0; hour < 24; hour += step) {
            const value = startOf(day, hour);
            if (value < from || value > to) continue;
            ticks.push({ value, label: hour === 0 ? weekdayDate(value) : clockTime(value) });
        }
    }
    return ticks;
}

function months(from, to, most) {
    const firsts = [];
    for (let day = localDay(from); day <= localDay(to); day += 1) {
        if (new Date(day * DAY).getUTCDate() === 1 && startOf(day) >= from) firsts.push(startOf(day));
    }
    const step = Math.max(1, Math.ceil(firsts.length / most));
    return firsts.filter((_, i) => i % step === 0).map((value) => ({ value, label: monthName(value) }));
}

/** The turns of years; of few years their middles too. */
function years(from, to, most) {
    const halves = [];
    for (let day = localDay(from); day <= localDay(to); day += 1) {
        const date = new Date(day * DAY);
        if (date.getUTCDate() !== 1 || date.getUTCMonth() % 6 !== 0 || startOf(day) < from) continue;
        halves.push({ value: startOf(day), isTurn: date.getUTCMonth() === 0, year: String(date.getUTCFullYear()) });
    }
    const turns = halves.filter(({ isTurn }) => isTurn);
    if (turns.length <= 3 && halves.length <= most) {
        return halves.map(({ value, isTurn, year }) => ({ value, label: isTurn ? year : monthName(value) }));
    }
    const step = Math.max(1, Math.ceil(turns.length / most));
    return turns.filter((_, i) => (turns.length - 1 - i) % step === 0).map(({ value, year }) => ({ value, label: year }));
}

/**
 * Until when the axis goes: the hub's end, and beyond it what is ahead, as far as the past leaves room for.
 * @param {{from: number, to: number, now: number, ahead: any}} chart
 * @param {"day"|"week"|"month"|"year"|"decade"} span
 */
export function axisEnd({ from, to, now, ahead }, span) {
    if (!ahead) return to;
    const screen = (now - from) * (span === "week" ? 0.95 : 0.5);
    const wanted = Math.max(ahead.points.at(-1)?.[0] ?? to, ahead.crossing?.latest ?? to) + (now - from) * 0.04;
    return Math.max(to, Math.min(wanted, now + screen));
}

/**
 * From where to where the percent axis goes: round tens about everything that is drawn, at least forty wide.
 * @param {{points: Array, limits: {low, high}, ahead: any, earlier?: any}} chart
 * @returns {{min: number, max: number}}
 */
export function percentRange(chart) {
    const values = [chart.limits?.low, chart.limits?.high, ...chart.points.flatMap(([, , min, max]) => [min, max]),
        ...(chart.earlier?.points ?? []).map(([, mean]) => mean),
        ...(chart.ahead?.points ?? []).flatMap(([, , low, high]) => [low, high])].filter(Number.isFinite);
    if (values.length === 0) return { min: 0, max: 100 };
    const min = Math.max(0, Math.floor((Math.min(...values) - 4) / 10) * 10);
    const max = Math.min(100, Math.ceil((Math.max(...values) + 4) / 10) * 10);
    return { min: Math.min(min, Math.max(0, max - 40)), max };
}

/**
 * The axis of what is no percent, such as warmth or light: round values about everything that is drawn.
 * @param {{points: Array, earlier?: any}} chart
 */
export function valueAxis(chart) {
    const values = [...chart.points.flatMap(([, , min, max]) => [min, max]), ...(chart.earlier?.points ?? []).map(([, mean]) => mean)]
        .filter(Number.isFinite);
    return values.length === 0 ? chartAxis(0, 1, { isWhole: true }) : chartAxis(Math.min(...values), Math.max(...values), { isWhole: true });
}

/** The names of ticks, of which the highest has the unit. @param {Array<{label: string}>} ticks @param {string} [unit] */
export function namedOnce(ticks, unit) {
    return ticks.map(({ label }, i) => (unit && i === ticks.length - 1 ? `${label} ${unit}` : label));
}
