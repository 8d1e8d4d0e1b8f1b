import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { isAborted, rights } from "../../app/api.js";
import { live } from "../../app/live.js";

/**
 * A part of a page that is drawn from what the hub answers: its shape while it is asked, its problem with a way to
 * try again, its content.
 * @param {() => Promise<any>} load
 * @param {(answer: any) => any} draw  returns children
 * @param {AbortSignal} signal  of the screen: until it is left, what failed is tried again when the hub is back
 * @param {{isSeldom?: boolean}} [options]  `isSeldom`: it is empty as a rule: it takes no room
 *   until there is something, nor while the hub is away
 * @returns {{node: HTMLElement, reload: () => Promise<void>}}
 */
export function loaded(load, draw, signal, options = {}) {
    const { isSeldom = false } = options;
    let isMissing = false;
    const node = make("div", { class: "stack", hidden: isSeldom }, !isSeldom && linesSkeleton(50, 90, 70));
    const reload = async () => {
        try {
            fill(node, draw(await load()));
            node.hidden = node.childElementCount === 0;
            isMissing = false;
        } catch (error) {
            if (isAborted(error)) return;
            isMissing = true;
            node.hidden = isSeldom && error?.unreachable === true;
            fill(node, calmNotice(error, { retry: reload }));
        }
    };
    rights.addEventListener("confirmed", () => { if (isMissing) reload(); }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && isMissing) reload();
    }, { signal });
    reload();
    return { node, reload };
}
