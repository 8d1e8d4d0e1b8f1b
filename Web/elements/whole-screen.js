import { DrawnAnew } from "../app/router.js";
import { wakeLock } from "./wake-lock.js";
import { t } from "../language/text.js";

/**
 * Gives an active session the whole screen for as long as its page is open: nothing of the app stands beside it, and
 * the display stays lit while it goes on.
 * @param {import("../sessions/active-session.js").ActiveSession & {isPaused: boolean}} active
 * @param {AbortSignal} signal  of the page
 * @param {{left: () => void}} heeds  `left`: somebody has left while it runs
 * @returns {{show: () => void}}  `show`: to be called when the run went on, or paused
 */
export function wholeScreen(active, signal, { left }) {
    const awake = wakeLock(signal);
    document.documentElement.dataset.session = "";
    signal.addEventListener("abort", () => {
        if (signal.reason instanceof DrawnAnew) return; // nobody has left
        delete document.documentElement.dataset.session;
        if (!active.isOver) left();
    });
    return { show: () => (active.isPaused ? awake.release() : awake.hold()) };
}

/** A living list, which costs less at each key than looking through the page for one that is open. */
const dialogs = document.getElementsByTagName("dialog");
const isDialogOpen = () => Array.prototype.some.call(dialogs, ({ open }) => open);

/**
 * What a key means to such a run.
 * @param {KeyboardEvent} event
 * @returns {string?}  its name, letters small; null where it is for a dialog, the browser, or the control that the keyboard
 *   has chosen
 */
export function keyOf(event) {
    if (isDialogOpen() || event.ctrlKey || event.metaKey || event.altKey) return null;
    // not shown: a selector
    const isControl = event.target instanceof Element && event.target.matches("button:focus-visible, a:focus-visible");
    if (isControl && event.key === " ") return null;
    return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
