import { button, iconButton } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";

const FROM = 3;
const BEAT = 1_000; // milliseconds

/**
 * Three, two, one over the whole screen, for the brush to get to the mouth. Who does not read sees figures alone.
 * @param {{name: string, isChildMode: boolean}} who  who brushes, or the names of those who do; whether they do not read
 * @param {HTMLElement} screen  whose colours it has
 * @param {AbortSignal} signal  ends it
 * @returns {Promise<boolean>}  false where it was called off
 */
export function getReady({ name, isChildMode }, screen, signal) {
    let resolve;
    const promise = new Promise((done) => { resolve = done; });
    const words = t`Get ready, ${name}`;
    const figure = make("b", { "aria-live": "assertive" });
    const cancel = () => end(false);
    const dialog = make("dialog", { class: "get-ready", "aria-label": words },
        make("p", { class: isChildMode ? "unseen" : "say" }, words), figure,
        isChildMode ? iconButton(t`Cancel`, "close", cancel) : button(t`Cancel`, { size: "l", press: cancel }));
    let timer;
    const end = (isReady) => {
        clearTimeout(timer);
        dialog.remove();
        resolve(isReady);
    };
    const count = (left) => {
        if (left === 0) return end(true);
        figure.textContent = String(left);
        timer = setTimeout(() => count(left - 1), BEAT);
    };
    dialog.addEventListener("cancel", cancel);
    signal.addEventListener("abort", cancel, { once: true });
    screen.append(dialog);
    dialog.showModal();
    count(FROM);
    return promise;
}
