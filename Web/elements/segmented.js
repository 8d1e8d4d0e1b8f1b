import { make } from "./make.js";

/**
 * One of a few, all in sight.
 * @template {string} Value
 * @param {string} label
 * @param {Array<{value: Value, word: string}>} choices
 * @param {Value} value
 * @param {(value: Value) => any} choose
 * @param {{areChips?: boolean}} [look]  `areChips`: more than fit into one line of a phone
 * @returns {HTMLElement & {show: (value: Value?) => void}}  `show`: that one is the one, without choosing it
 */
export function segmented(label, choices, value, choose, look) {
    const node = make("div", { class: look?.areChips ? "chips" : "segmented", role: "group", "aria-label": label });
    node.append(...choices.map((choice) => make("button", {
        type: "button", class: look?.areChips ? "chip" : undefined,
        on: {
            click: () => {
                node.show(choice.value);
                choose(choice.value);
            },
        },
    }, choice.word)));
    node.show = (chosen) => [...node.children].forEach((one, i) => {
        one.setAttribute("aria-pressed", String(choices[i].value === chosen));
    });
    node.show(value);
    return node;
}
