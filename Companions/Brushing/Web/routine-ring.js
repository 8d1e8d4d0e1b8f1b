import { make } from "../elements/make.js";
import { clockOf } from "./durations.js";
import { teeth } from "./teeth.js";

const RADIUS = 146;
const GAP = 3.4; // degrees between two parts

/**
 * A routine as a ring of its parts around the 28 teeth, with its length in the middle.
 * @param {{steps: Array<{kind: string, repetitions: number, seconds: number, isOn: boolean}>, plannedSeconds: number}} routine
 */
export function routineRing(routine) {
    const parts = routine.steps.filter((step) => step.isOn)
        .flatMap(({ repetitions, seconds }) => Array.from({ length: repetitions }, () => seconds));
    const whole = parts.reduce((sum, one) => sum + one, 0) || 1;
    const gap = parts.length > 1 ? Math.min(GAP, 120 / parts.length) : 0;
    let from = 0;
    const arcs = parts.map((seconds) => {
        const to = from + seconds / whole * 360;
        const d = arc(from + gap / 2, Math.min(to - gap / 2, from + 359.9));
        from = to;
        return make("svg:path", { class: "step-arc", d });
    });
    return make("div", { class: "ring" },
        make("svg:svg", { viewBox: "0 0 320 320", "aria-hidden": true }, arcs, teeth("ring")),
        make("div", { class: "ring-words" }, make("b", {}, clockOf(routine.plannedSeconds)), make("span", {}, "minutes")));
}

/** @param {number} from @param {number} to  degrees from the top, with the clock */
function arc(from, to) {
    const at = (degrees) => {
        const angle = degrees * Math.PI / 180;
        return `${(160 + RADIUS * Math.sin(angle)).toFixed(1)} ${(160 - RADIUS * Math.cos(angle)).toFixed(1)}`;
    };
    return `M${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`;
}
