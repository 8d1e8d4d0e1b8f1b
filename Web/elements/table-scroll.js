import { fadeEnds } from "./fade-ends.js";
import { make } from "./make.js";

/**
 * A long table in a region of its own, which scrolls, by keys too, and shows that it goes on.
 * @param {string} label  what it is a table of
 * @param {HTMLTableElement} table
 */
export function tableScroll(label, table) {
    const node = make("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": label }, table);
    fadeEnds(node);
    return node;
}
