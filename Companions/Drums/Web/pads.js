import { use } from "../elements/icon.js";
import { make } from "../elements/make.js";

/**
 * The four drums by their numbers, as a page tells them: a name for style sheets (`data-pad`), a word, the keys that
 * play it, and with `pad-<name>` of the sprite a shape, so that nobody needs the colours.
 */
export const PADS = [
    { name: "red", word: "Red", keys: ["f", "1"] },
    { name: "orange", word: "Orange", keys: ["g", "2"] },
    { name: "blue", word: "Blue", keys: ["h", "3"] },
    { name: "yellow", word: "Yellow", keys: ["j", "4"] },
];

/**
 * The shape of a drum.
 * @param {number} drum
 * @param {string} [className]
 */
export function padShape(drum, className) {
    const { name } = PADS[drum];
    return make("svg:svg", { class: className, data: { pad: name }, "aria-hidden": true },
        use(`pad-${name}`));
}
