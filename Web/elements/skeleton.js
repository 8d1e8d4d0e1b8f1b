import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * The sentence of a header, before it is known.
 * @param {string} what  such as t`people`: "Loading people"
 */
export function sayingSkeleton(what) {
    return make("div", { class: "skeleton", role: "status", "aria-label": t`Loading ${what}` },
        make("i", { data: { size: "l" }, vars: { w: "86%" } }), make("i", { data: { size: "l" }, vars: { w: "54%" } }));
}

/** Rows with a picture, a name and a bar, before they are known. */
export function rowsSkeleton(count) {
    const rows = Array.from({ length: count }, (_, i) => make("div", { class: "skeleton", data: { row: "" } },
        make("i", { data: { size: "art" } }), make("i", { vars: { w: `${30 + (i * 17) % 26}%` } }), make("i")));
    return make("div", { class: "rows", "aria-hidden": true }, rows);
}

/** Lines of text, before they are known. */
export function linesSkeleton(...widths) {
    return make("div", { class: "skeleton", role: "status", "aria-label": t`Loading` },
        widths.map((w) => make("i", { vars: { w: `${w}%` } })));
}

/** A chart's place, before it is known. */
export function chartSkeleton() {
    return make("div", { class: "skeleton chart-skeleton", role: "status", "aria-label": t`Loading chart` }, make("i"));
}
