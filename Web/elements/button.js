import { icon } from "./icon.js";
import { make } from "./make.js";

/**
 * A button with a word on it, and an icon before the word where one helps.
 * @param {string} word
 * @param {{icon?: string, kind?: "primary"|"quiet"|"danger", size?: "l", wide?: boolean, type?: string,
 *   press?: (button: HTMLButtonElement) => any}} [options]
 *   `press` may return a promise: until it settles the button is busy and cannot be pressed again.
 * @returns {HTMLButtonElement}
 */
export function button(word, options = {}) {
    const node = make("button", {
        class: "button", type: options.type ?? "button",
        data: { kind: options.kind, size: options.size, wide: options.wide ? "" : undefined },
    }, options.icon && icon(options.icon, options.size === "l" ? undefined : "s"), word);
    if (options.press) node.addEventListener("click", () => whileBusy(node, () => options.press(node)));
    return node;
}

/**
 * A square button of 44 px with an icon only; its name is for screen readers.
 * @param {string} name
 * @param {string} iconName
 * @param {(button: HTMLButtonElement) => any} press
 */
export function iconButton(name, iconName, press) {
    const node = make("button", { class: "icon-button", type: "button", "aria-label": name, title: name },
        icon(iconName));
    node.addEventListener("click", () => whileBusy(node, () => press(node)));
    return node;
}

/**
 * Runs work with the button busy: it keeps its focus, says so to screen readers and answers no second press.
 * @param {HTMLButtonElement} node
 * @param {() => any} work
 */
export async function whileBusy(node, work) {
    if (node.getAttribute("aria-busy") === "true") return;
    const result = work();
    if (!(result instanceof Promise)) return;
    node.setAttribute("aria-busy", "true");
    try {
        await result;
    } finally {
        node.removeAttribute("aria-busy");
    }
}
