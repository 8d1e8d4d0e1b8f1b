import { make } from "../elements/make.js";
import { clockTime, localDay, startOf } from "../words/dates.js";
import { counted } from "../words/numbers.js";

const FROM = 6;
const TO = 22;

/**
 * The day from six to ten on a ruled scale: a dot for what was done, a line for now.
 * @param {Array<{at: number}>} events  UTC milliseconds, of this day
 * @param {number} now
 */
export function dayRuler(events, now) {
    const begin = startOf(localDay(now), FROM);
    const end = startOf(localDay(now), TO);
    const x = (at) => `${Math.min(100, Math.max(0, ((at - begin) / (end - begin)) * 100))}%`;
    const ticks = Array.from({ length: TO - FROM + 1 }, (_, i) => FROM + i).map((hour) => {
        const at = x(begin + ((hour - FROM) / (TO - FROM)) * (end - begin));
        const third = hour % 3 === 0;
        return make("svg:line", { class: third ? "tick-3" : "tick", x1: at, x2: at, y1: third ? 24 : 30, y2: 40 });
    });
    const names = [6, 9, 12, 15, 18, 21].map((hour) => make("svg:text", {
        x: x(begin + ((hour - FROM) / (TO - FROM)) * (end - begin)), y: 54, "text-anchor": hour === FROM ? "start" : "middle",
    }, hour));
    const late = (now - begin) / (end - begin) > 0.8;
    return make("svg:svg", {
        class: "ruler", role: "img",
        "aria-label": `The day from ${FROM} to ${TO}: ${counted(events.length, "thing")} done, now ${clockTime(now)}`,
    }, ticks,
    events.map((event) => make("svg:circle", { class: "done", cx: x(event.at), cy: 12, r: 5 })),
    make("svg:line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: 40 }),
    make("svg:text", { x: x(now), y: 17, dx: late ? -7 : 7, "text-anchor": late ? "end" : "start", "font-weight": 600 }, clockTime(now)),
    names);
}
