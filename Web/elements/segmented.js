import { make } from "./make.js";

/**
 * One of a few, all in sight.
 * @param {string} label
 * @param {Array<{value: string, word: string}>} choices
 * @param {string} value
 * @param {(value: string) => any} choose
 */
export function segmented(label, choices, value, choose) {
    const node = make("div", { class: "segmented", role: "group", "aria-label": label });
    node.append(...choices.map((choice) => make("button", {
        type: "button", "aria-pressed": choice.value === value,
        on: {
            click: (event) => {
                for (const one of node.children) one.setAttribute("aria-pressed", String(one === event.currentTarget));
                choose(choice.value);
            },
        },
    }, choice.word)));
    return node;
}
