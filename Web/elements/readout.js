import { make } from "./make.js";

/**
 * One of a list of readouts: its name, its value, and a line below it.
 * @param {string} name
 * @param {string} value
 * @param {string?} [unit]
 * @param {string?} [below]
 */
export function readout(name, value, unit, below) {
    return make("div", {}, make("dt", {}, name), make("dd", {}, value, unit && make("span", { class: "unit" }, unit)),
        below && make("dd", {}, below));
}
