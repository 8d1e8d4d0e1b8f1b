import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { minuteText } from "../../text/civil.js";

const FROM = 6; // hours; the scale grows to midnight for who plays outside of them
const TO = 22;

/**
 * The hours of a day on a ruled scale, with a dot for each song.
 * @param {number[]} minutes  since midnight, local
 */
export function dayHours(minutes) {
    const isLate = minutes.some((minute) => minute < FROM * 60 || minute > TO * 60);
    const [from, to] = isLate ? [0, 24] : [FROM, TO];
    const x = (hour) => `${((hour - from) / (to - from)) * 100}%`;
    const hours = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    return make("svg:svg", {
        class: "ruler", role: "img", "aria-label": t`Played at ${minutes.map(minuteText).join(", ")}`,
    },
    hours.map((hour) => make("svg:line", {
        class: hour % 3 === 0 ? "tick-3" : "tick", x1: x(hour), x2: x(hour), y1: hour % 3 === 0 ? 24 : 30, y2: 40,
    })),
    hours.filter((hour) => hour % 3 === 0 && hour > from).map((hour) => make("svg:text", {
        x: x(hour), y: 54, "text-anchor": hour === to ? "end" : "middle",
    }, hour)),
    make("svg:text", { x: 0, y: 54 }, from),
    minutes.map((minute) => make("svg:circle", { class: "done", cx: x(minute / 60), cy: 12, r: 5 })));
}
