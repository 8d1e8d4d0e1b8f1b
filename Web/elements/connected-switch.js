import { live } from "../app/live.js";
import { toggle } from "./switch.js";
import { t } from "../language/text.js";

/**
 * The connect switch of the original: opens and closes the live connection of this page.
 * @param {AbortSignal} signal
 * @param {{hint?: boolean}} [options]
 */
export function connectedSwitch(signal, options = {}) {
    const words = () => ({
        off: t`Off: values stay as they were loaded`, connecting: t`Connecting`,
        open: t`New values are shown as they come`, lost: t`Looking for the hub`,
    })[live.state];
    const hint = options.hint ? document.createTextNode(words()) : undefined;
    const { node, input } = toggle({
        name: t`Connected`, hint, on: live.wanted, change: (on) => (on ? live.connect() : live.disconnect()),
    });
    live.addEventListener("state", () => {
        input.checked = live.wanted;
        if (hint) hint.textContent = words();
    }, { signal });
    return node;
}
