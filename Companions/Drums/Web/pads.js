import { use } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/**
 * The four drums by their numbers, as a page tells them: a name for style sheets (`data-pad`), a word, the keys that
 * play it, and with `pad-<name>` of the sprite a shape, so that nobody needs the colours.
 */
export const PADS = [
    { name: "red", word: t`Red`, keys: ["f", "1"] },
    { name: "orange", word: t`Orange`, keys: ["g", "2"] },
    { name: "blue", word: t`Blue`, keys: ["h", "3"] },
    { name: "yellow", word: t`Yellow`, keys: ["j", "4"] },
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
