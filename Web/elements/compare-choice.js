import { icon } from "./icon.js";
import { fill, make } from "./make.js";
import { t } from "../language/text.js";

/**
 * Which earlier stretch a chart lies over: none, the one just before, or the same a year ago.
 * @param {(against: ""|"before"|"year") => any} choose
 * @returns {{node: HTMLElement, show: (before: string, against: ""|"before"|"year", hasYear?: boolean) => void}}  `show`:
 *   what the one just before is called, and which is the one
 */
export function compareChoice(choose) {
    const select = make("select", { class: "input", on: { change: () => choose(select.value) } });
    return {
        node: make("label", { class: "chart-compare" }, make("span", { class: "small" }, t`Compare with`),
            make("span", { class: "with-arrow" }, select, icon("down", "s"))),
        show: (before, against, hasYear = true) => {
            fill(select, make("option", { value: "" }, t`Nothing else`), make("option", { value: "before" }, before),
                hasYear && make("option", { value: "year" }, t`A year ago`));
            select.value = against;
        },
    };
}
