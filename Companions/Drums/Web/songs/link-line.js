import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { links } from "../links/links.js";

/** How drums stand, where they have no words of their own for it. */
const STATES = {
    off: (name) => t`${name} is not connected`, searching: (name) => t`Looking for ${name}`,
    connecting: (name) => t`Connecting to ${name}`, on: (name) => t`Connected to ${name}`,
    lost: (name) => t`${name} is out of reach`, problem: (name) => t`${name} is not connected`,
};

/**
 * With which drums this page plays, and the way to others.
 * @param {AbortSignal} signal
 */
export function linkLine(signal) {
    const says = make("span", { class: "small link-says", role: "status" });
    const choose = button(t`Choose drums`, {
        kind: "quiet", press: async () => (await import("../links/chooser.js")).openLinkChooser({ closed: draw }),
    });
    const node = make("div", { class: "link-line" }, says, choose);
    let leaving = null;
    const draw = () => {
        leaving?.abort();
        leaving = new AbortController();
        const { current } = links;
        current?.addEventListener("state", draw, { signal: leaving.signal });
        says.dataset.state = current?.state ?? "on";
        fill(says, icon(current ? "radio" : "phone", "s"), make("span", {}, current
            ? current.says ?? STATES[current.state]?.(current.name) ?? current.name
            : t`On the screen, or keys F\u00A0G\u00A0H\u00A0J`));
    };
    links.addEventListener("change", draw, { signal });
    signal.addEventListener("abort", () => leaving?.abort());
    draw();
    return { node };
}
