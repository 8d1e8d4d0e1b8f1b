import { isAborted } from "../app/api.js";
import { button, whileBusy } from "./button.js";
import { make } from "./make.js";
import { problemNotice } from "./notice.js";
import { t } from "../language/text.js";

/**
 * A form of fields and one button. While it is sent the button is busy; problems that name fields are said at these,
 * of which the first takes the focus; any other stands above the button.
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
                if (!saidAtFields(options.fields, error)) {
                    trouble.replaceChildren(problemNotice(error));
                    trouble.hidden = false;
                }
            }
        });
    });
    return node;
}

/**
 * Says what the hub found at the fields that it names, and takes the focus to the first.
 * @returns {boolean} whether there is one of these
 */
function saidAtFields(fields, error) {
    const found = fields.flatMap((field) => {
        const one = (error.errors ?? []).find((each) => answersTo(field, each.field));
        return one ? [{ field, detail: one.detail }] : [];
    });
    for (const { field, detail } of found) field.problem(detail);
    found[0]?.field.input?.focus();
    return found.length > 0;
}

function answersTo(field, name) {
    return field.name === name || name.startsWith(`${field.name}.`) || name.startsWith(`${field.name}[`);
}

/** What is empty and may not be is said here: the one check that needs no hub. */
function complete(fields) {
    const empty = fields.filter((field) => field.input?.required && field.input.value.trim() === "");
    for (const field of empty) field.problem(t`Please fill this in.`);
    empty[0]?.input.focus();
    return empty.length === 0;
}
