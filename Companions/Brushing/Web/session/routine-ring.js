import { t } from "../../language/text.js";
import { make } from "../../elements/make.js";
import { clockOf } from "../../text/durations.js";
import { teeth } from "./teeth.js";

const RADIUS = 146;
const GAP = 3.4; // degrees between two parts

/**
 * A routine as a ring of its parts around the 28 teeth, with its length in the middle.
 * @param {{steps: Array<object>, plannedSeconds: number}} routine  as the hub tells it
 */
export function routineRing(routine) {
    return partsRing(partsOf(routine), { over: teeth("ring"), figure: clockOf(routine.plannedSeconds) });
}

/** What of a routine is on, each repetition by itself, in seconds. */
export function partsOf({ steps }) {
    return steps.filter((step) => step.isOn).flatMap(({ repetitions, seconds }) =>
        Array.from({ length: repetitions }, () => ({ length: seconds, done: 1 })));
}

/**
 * @param {Array<{length: number, done: number}>} parts  `done`: 0 to 1
 * @param {{under?: SVGElement[], over: SVGElement[], figure?: string}} look  what is drawn below the ring and in it,
 *   and the minutes that stand in the middle
 */
export function partsRing(parts, { under, over, figure }) {
    const whole = parts.reduce((sum, { length }) => sum + length, 0) || 1;
    const gap = parts.length > 1 ? Math.min(GAP, 120 / parts.length) : 0;
    let from = 0;
    const arcs = parts.map(({ length, done }) => {
        const [first, last] = [from + gap / 2, from + length / whole * 360 - gap / 2 - (gap ? 0 : 0.1)];
        from += length / whole * 360;
        const middle = first + (last - first) * done;
        return [
            done < 1 && make("svg:path", { class: "step-arc undone", d: arc(middle, last) }),
            done > 0 && make("svg:path", { class: "step-arc", d: arc(first, middle) }),
        ].filter(Boolean);
    });
    return make("div", { class: "ring" },
        make("svg:svg", { viewBox: "0 0 320 320", "aria-hidden": true }, under ?? [], arcs, over),
        figure && make("div", { class: "ring-text" }, make("b", {}, figure), make("span", {}, t`minutes`)));
}

/** @param {number} from @param {number} to  degrees from the top, with the clock */
function arc(from, to) {
    const at = (degrees) => {
        const angle = degrees * Math.PI / 180;
        return `${(160 + RADIUS * Math.sin(angle)).toFixed(1)} ${(160 - RADIUS * Math.cos(angle)).toFixed(1)}`;
    };
    return `M${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`;
}
