import { make } from "../elements/make.js";
import { clockTime, localDay, startOf } from "../text/dates.js";
import { t } from "../language/text.js";

const FROM = 6; // hours; the scale grows to midnight for who is up outside of them
const TO = 22;
const LABEL = 0.17; // what the time takes of the scale's width, on a phone
const NEAR = 0.02; // what touches the line

/**
 * The day from six to ten on a ruled scale: a dot for what was done, a hollow one for what is to come, a line for now.
 * @param {Array<{at: number, isAhead?: boolean}>} events  UTC milliseconds, of this day
 * @param {number} now
 */
export function dayRuler(events, now) {
    const today = localDay(now);
    const all = [now, ...events.map((event) => event.at)];
    const from = all.some((at) => at < startOf(today, FROM)) ? 0 : FROM;
    const to = all.some((at) => at > startOf(today, TO)) ? 24 : TO;
    const begin = startOf(today, from);
    const end = to === 24 ? startOf(today + 1) : startOf(today, to);
    const x = (at) => `${Math.min(100, Math.max(0, ((at - begin) / (end - begin)) * 100))}%`;
    const ticks = Array.from({ length: to - from + 1 }, (_, i) => from + i).map((hour) => {
        const at = x(startOf(today, hour));
        const third = hour % 3 === 0;
        return make("svg:line", { class: third ? "tick-3" : "tick", x1: at, x2: at, y1: third ? 24 : 30, y2: 40 });
    });
    const names = [0, 6, 9, 12, 15, 18, 21].filter((hour) => hour >= from).map((hour) => make("svg:text", {
        x: x(startOf(today, hour)), y: 54, "text-anchor": hour === from ? "start" : "middle",
    }, hour));
    const ahead = events.filter(({ isAhead }) => isAhead).length;
    // The time stands beside the line for now, or above it where a dot is there: farther off it would seem to be a dot's.
    const shares = events.map(({ at }) => (at - begin) / (end - begin));
    const here = (now - begin) / (end - begin);
    const isFree = (side) => shares.every((share) => (share - here) * side <= -NEAR || (share - here) * side >= LABEL);
    const isLate = here > 1 - LABEL;
    const side = !isLate && isFree(1) ? 1 : here > LABEL && isFree(-1) ? -1 : 0;
    const words = side === 0
        ? { y: -6, "text-anchor": isLate ? "end" : here < LABEL ? "start" : "middle" }
        : { y: 17, dx: side * 9, "text-anchor": side > 0 ? "start" : "end" };
    return make("svg:svg", {
        class: "ruler", role: "img",
        "aria-label": dayText({ from: String(from), to: String(to), done: events.length - ahead, ahead, time: clockTime(now) }),
    }, ticks,
    events.map(({ at, isAhead }) => make("svg:circle", { class: isAhead ? "plan" : "done", cx: x(at), cy: 12, r: 5 })),
    make("svg:line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: 40 }),
    make("svg:text", { x: x(now), ...words, "font-weight": 600 }, clockTime(now)),
    names);
}

/** The ruler for who does not see it. */
function dayText({ from, to, done, ahead, time }) {
    return ahead > 0 ? t`The day from ${from} to ${to}: ${done} done, ${ahead} to come, now ${time}`
        : t`The day from ${from} to ${to}: ${done} done, now ${time}`;
}
