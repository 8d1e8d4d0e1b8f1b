import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";

const HOLD = 1000; // milliseconds

/**
 * A button that wants to be held, so that a small hand does not press it by mistake; a ring fills meanwhile. Who uses
 * no pointer is asked instead.
 * @param {string} name
 * @param {string} iconName
 * @param {() => any} act  held for a second
 * @param {() => any} ask  pressed by a keyboard or a screen reader
 */
export function holdButton(name, iconName, act, ask) {
    let timer = null;
    const node = make("button", { class: "hold", type: "button", "aria-label": name }, icon(iconName));
    const release = () => {
        clearTimeout(timer);
        delete node.dataset.held;
    };
    node.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        node.dataset.held = "";
        timer = setTimeout(() => {
            release();
            act();
        }, HOLD);
    });
    for (const type of ["pointerup", "pointerleave", "pointercancel"]) node.addEventListener(type, release);
    node.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press is this one's own
    node.addEventListener("click", (event) => { if (event.detail === 0) ask(); });
    return node;
}
