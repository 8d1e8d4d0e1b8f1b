import { iconButton } from "./button.js";
import { make } from "./make.js";
import { toast } from "./toast.js";
import { t } from "../language/text.js";

/**
 * A line of text as it is, with a button that copies it.
 * @param {string} text
 * @param {string} name  what it is, for the button: "Copy the token"
 */
export function copyLine(text, name) {
    const code = make("code", { tabindex: "0" }, withWholeOptions(text));
    return make("div", { class: "line" }, code, iconButton(name, "copy", async () => {
        if (await copy(text, code)) toast(t`Copied.`, { icon: "copy" });
        else toast(t`Selected: now copy it with your keyboard or a long press.`, { icon: "copy" });
    }));
}

/**
 * Words of which no option of a command, such as `--data`, is parted at its hyphens.
 * @param {string} text
 */
export function withWholeOptions(text) {
    return text.split(/(--[\w-]+)/).map((piece, index) => index % 2 ? make("span", { class: "whole" }, piece) : piece);
}

/** Off localhost and without TLS a browser gives pages no clipboard: the text is selected instead. */
async function copy(text, node) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        getSelection().selectAllChildren(node);
        return document.execCommand("copy");
    }
}
