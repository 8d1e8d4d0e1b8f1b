import { isAborted } from "../house/api.js";
import { button, whileBusy } from "./button.js";
import { make } from "./make.js";
import { problemNotice } from "./notice.js";

/**
 * A form of fields and one button. While it is sent the button is busy; a problem that names a field is said at that
 * field, which takes the focus; any other stands above the button.
 * @param {{fields: Array<{name: string, node: Node, input?: HTMLElement, problem: (words: string?) => void}>,
 *   word: string, icon?: string, size?: "l", isPlain?: boolean, className?: string, before?: Node, send: () => Promise<any>}} options
 * @returns {HTMLFormElement}
 */
export function form(options) {
    const trouble = make("div", { "aria-live": "assertive" });
    trouble.hidden = true;
    const send = button(options.word, {
        kind: options.isPlain ? undefined : "primary", type: "submit", icon: options.icon, size: options.size,
        wide: options.size === "l",
    });
    const node = make("form", { class: options.className ?? "form", novalidate: true },
        options.before, options.fields.map((field) => field.node), trouble, send);
    node.addEventListener("submit", (event) => {
        event.preventDefault();
        whileBusy(send, async () => {
            trouble.hidden = true;
            for (const field of options.fields) field.problem(null);
            if (!complete(options.fields)) return;
            try {
                await options.send();
            } catch (error) {
                if (isAborted(error)) return;
                const field = options.fields.find((one) => error.field && answersTo(one, error.field));
                if (field) {
                    field.problem(error.message);
                    field.input?.focus();
                } else {
                    trouble.replaceChildren(problemNotice(error));
                    trouble.hidden = false;
                }
            }
        });
    });
    return node;
}

function answersTo(field, name) {
    return field.name === name || name.startsWith(`${field.name}.`) || name.startsWith(`${field.name}[`);
}

/** What is empty and may not be is said here: the one check that needs no hub. */
function complete(fields) {
    const empty = fields.filter((field) => field.input?.required && field.input.value.trim() === "");
    for (const field of empty) field.problem("Please fill this in.");
    empty[0]?.input.focus();
    return empty.length === 0;
}
