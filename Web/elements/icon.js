import { address } from "./address.js";
import { make } from "./make.js";

/**
 * One icon of the sprite. It is decoration: the word beside it, or the control's label, says what it means.
 * @param {string} name  a symbol of pictures/icons.svg
 * @param {"xs"|"s"|"l"} [size]
 */
export function icon(name, size) {
    return make("svg:svg", { class: "icon", data: { size }, "aria-hidden": true }, use(name));
}

/**
 * A drawing of the sprite (`art-fern` and its like) that takes its size and colour from its class.
 * @param {string} name
 * @param {string} className
 */
export function art(name, className) {
    return make("svg:svg", { class: className, "aria-hidden": true }, use(name));
}

/** The wordmark. */
export function wordmark(className) {
    return make("svg:svg", { class: className, role: "img", "aria-label": "Tandem" }, use("word"));
}

/** The sign of the app, for the top of the rail: a phone, which has none, does not load it. */
export function sign(size) {
    return make("img", { src: address("pictures/app-icon.svg"), alt: "", width: size, height: size, loading: "lazy" });
}

/**
 * A symbol of pictures/icons.svg, which the page itself holds.
 * @param {string} name
 * @param {object} [attributes]
 */
export function use(name, attributes) {
    return make("svg:use", { href: `#icon-${name}`, ...attributes });
}
