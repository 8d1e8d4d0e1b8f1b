import { make } from "./make.js";

/**
 * A switch with words before it.
 * @param {{name: string, hint?: string|Node, on: boolean, change: (on: boolean) => any}} options
 * @returns {{node: HTMLLabelElement, input: HTMLInputElement}}
 */
export function toggle({ name, hint, on, change }) {
    const input = make("input", { type: "checkbox", role: "switch", checked: on });
    input.addEventListener("change", () => change(input.checked));
    const node = make("label", { class: hint ? "switch tall" : "switch" }, input, make("i"),
        make("span", { class: "words" },
            hint ? [make("span", { class: "name" }, name), make("span", { class: "fine" }, hint)] : name));
    return { node, input };
}
