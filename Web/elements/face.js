import { address } from "./address.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

/** The faces that are drawn, each with its word: symbols `face-...` of pictures/faces.svg. */
export const FACES = [
    ["bear", t`Bear`], ["fox", t`Fox`], ["cat", t`Cat`], ["dog", t`Dog`], ["rabbit", t`Rabbit`], ["owl", t`Owl`],
    ["frog", t`Frog`], ["lion", t`Lion`], ["elephant", t`Elephant`], ["penguin", t`Penguin`], ["pig", t`Pig`],
    ["hedgehog", t`Hedgehog`],
];

/**
 * A person's face, or the first letter of the name. It is decoration: the name stands beside it.
 * @param {{name: string, face?: string, icon?: string}} person  `icon`: of what is nobody, such as everybody
 * @param {"s"|"l"} [size]
 */
export function face(person, size) {
    const isDrawn = FACES.some(([name]) => name === person.face);
    return make("span", { class: "face", data: { size }, "aria-hidden": true },
        person.icon ? icon(person.icon, "s") : isDrawn ? drawing(person.face) : letterOf(person.name.trim()));
}

/** @param {string} name  one of {@link FACES} */
export function drawing(name) {
    return make("svg:svg", { class: "icon", "aria-hidden": true },
        make("svg:use", { href: `${address("pictures/faces.svg")}#face-${name}` }));
}

/** What one takes for the first letter, with all that belongs to it. */
function letterOf(name) {
    if (/^[A-Za-z](?:[ -~]|$)/.test(name)) return name[0].toUpperCase(); // nothing can belong to it
    return [...new Intl.Segmenter("en").segment(name)][0]?.segment.toUpperCase() ?? "?";
}
