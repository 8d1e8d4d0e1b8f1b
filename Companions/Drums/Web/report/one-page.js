import { make } from "../../elements/make.js";

const ACROSS = 688; // pixels between the margins of an A4 page at 96 to the inch
const DOWN = 1010;
const LEAST = 0.6; // smaller than that nobody reads it
const STEPS = 5;

/**
 * By how much a paper is made smaller for all of it to stand on one A4 page: 1 where it does so as it is. It is laid out
 * as it will be printed, beside the window.
 * @param {HTMLElement} page
 */
export function fitOf(page) {
    const copy = /** @type {HTMLElement} */ (page.cloneNode(true));
    copy.style.setProperty("--fit", "1"); // where the page looks as printed already
    const place = make("div", { class: "paper-place paper-measure", "aria-hidden": true, inert: true }, copy);
    page.parentElement.after(place);
    let fit = 1;
    for (let step = 0; step < STEPS; step += 1) {
        place.style.setProperty("--across", `${ACROSS / fit}px`);
        const needed = DOWN / copy.scrollHeight;
        if (needed >= fit) break;
        fit = Math.max(LEAST, needed);
    }
    place.remove();
    return fit;
}
