import { PADS, padShape } from "../pads.js";

/**
 * A place for the shape of one drum, or none. All four stand in it and one is seen: another one costs no layout, and nothing
 * that comes into the page.
 * @param {HTMLElement} place
 * @param {string} [className]  of the shapes
 * @returns {(drum: number?) => void}  shows one
 */
export function shownShape(place, className) {
    place.classList.add("shapes");
    const shapes = PADS.map((_, drum) => padShape(drum, className));
    place.append(...shapes);
    let shown = null;
    return (drum) => {
        if (drum === shown) return;
        if (shown !== null) shapes[shown].removeAttribute("data-shown");
        if (drum !== null) shapes[drum].setAttribute("data-shown", "");
        shown = drum;
    };
}
