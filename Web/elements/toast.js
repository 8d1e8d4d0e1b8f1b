import { messageOf } from "../app/problem.js";
import { button } from "./button.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

const STAYS = 8000; // milliseconds
const MOST = 2;
let shelf = null;
/** How each that is there is taken away. @type {WeakMap<Element, () => void>} */
const leaving = new WeakMap();

/**
 * Says in passing that something is done, and lets it be undone.
 * @param {string} words
 * @param {{icon?: string, undo?: () => Promise<any>, undoWord?: string, key?: string, gone?: () => any}} [options]
 *   `key`: one that says the same of the same thing takes the place of the one before; `gone`: it can be undone no longer
 */
export function toast(words, options = {}) {
    shelf ??= make("div", { class: "toasts", role: "status", "aria-live": "polite", popover: "manual" });
    if (!shelf.isConnected) document.body.append(shelf);
    // Shown anew it lies over a sheet that was opened since.
    if (shelf.matches(":popover-open")) shelf.hidePopover();
    shelf.showPopover();
    const node = make("div", { class: "toast", data: { key: options.key } },
        icon(options.icon ?? "check"),
        make("span", { class: "words" }, words),
        options.undo && button(options.undoWord ?? t`Undo`, {
            press: async () => {
                isUndone = true;
                try {
                    await options.undo();
                    leave();
                } catch (error) {
                    leave();
                    toast(messageOf(error), { icon: "warning" });
                }
            },
        }));
    let timer;
    let isUndone = false;
    let isGone = false;
    const leave = () => {
        clearTimeout(timer);
        node.remove();
        if (!isUndone && !isGone) options.gone?.();
        isGone = true;
    };
    leaving.set(node, leave);
    const start = () => {
        clearTimeout(timer);
        timer = setTimeout(leave, STAYS);
    };
    // Who reads slowly, or is about to press, is not hurried.
    node.addEventListener("pointerenter", () => clearTimeout(timer));
    node.addEventListener("focusin", () => clearTimeout(timer));
    node.addEventListener("pointerleave", start);
    node.addEventListener("focusout", start);
    if (options.key) leaving.get([...shelf.children].find((one) => one.dataset.key === options.key))?.();
    shelf.append(node);
    while (shelf.children.length > MOST) leaving.get(shelf.firstElementChild)();
    start();
}
