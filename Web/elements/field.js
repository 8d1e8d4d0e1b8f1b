import { iconButton } from "./button.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

let count = 0;

/**
 * A labelled field with a place for its hint and its problem.
 * @param {{label: string, name: string, type?: string, value?: string, hint?: string, autocomplete?: string,
 *   required?: boolean, attributes?: object}} options  `name`: as the hub's problems name it
 */
export function field(options) {
    const id = `field-${count += 1}`;
    const input = make("input", {
        class: "input", id, name: options.name, type: options.type ?? "text", value: options.value ?? "",
        autocomplete: options.autocomplete ?? "off", required: options.required, ...options.attributes,
    });
    const box = options.type === "password" ? withEye(input) : input;
    return withProblem(options.name, input, id, (said) => make("div", { class: "field" },
        make("label", { for: id }, options.label), box,
        options.hint && make("span", { class: "hint", id: `${id}-hint` }, options.hint), said));
}

/**
 * A labelled field of several lines, such as for a certificate.
 * @param {{label: string, name: string, rows?: number}} options  `name`: as the hub's problems name it
 */
export function textArea({ label, name, rows = 3 }) {
    const id = `field-${count += 1}`;
    const input = make("textarea", { class: "input", id, name, rows, spellcheck: "false" });
    return withProblem(name, input, id, (said) => make("div", { class: "field" }, make("label", { for: id }, label), input, said));
}

/**
 * Gives a control the place where its problem is said.
 * @returns {{name: string, node: HTMLElement, input: HTMLInputElement|HTMLTextAreaElement, value: string,
 *   problem: (words: string?) => void}}
 */
function withProblem(name, input, id, build) {
    const said = make("p", { class: "problem", id: `${id}-problem`, hidden: true });
    const node = build(said);
    const hint = node.querySelector(".hint")?.id;
    const problem = (words) => {
        said.hidden = !words;
        said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
        if (words) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
        const described = [words && said.id, hint].filter(Boolean).join(" ");
        if (described) input.setAttribute("aria-describedby", described);
        else input.removeAttribute("aria-describedby");
    };
    problem(null);
    input.addEventListener("input", () => problem(null));
    return { name, node, input, problem, get value() { return input.value; } };
}

function withEye(input) {
    const eye = iconButton(t`Show password`, "eye", () => {
        const show = input.type === "password";
        input.type = show ? "text" : "password";
        eye.setAttribute("aria-pressed", String(show));
    });
    eye.setAttribute("aria-pressed", "false");
    return make("span", { class: "with-button" }, input, eye);
}
