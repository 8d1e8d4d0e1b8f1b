import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { t } from "../../language/text.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { outbox } from "../../offline/outbox.js";
import { doneHere, storedPath } from "./done.js";

const WAITS = t`What was played here is sent as soon as the hub answers.`;

/**
 * What became of what was played here of a song with which another device has gone on: that it waits, or its score.
 * @param {string} id  the session's @param {AbortSignal} signal
 */
export function ownScore(id, signal) {
    const node = make("div", { class: "delivery", "aria-live": "polite" });
    const draw = async () => {
        const entry = (await outbox.entries().catch(() => [])).find((one) => one.queue === id);
        if (signal.aborted) return;
        fill(node, deliveryNotice(entry, WAITS) ?? (doneHere(id)?.storedAs && notice({
            icon: "check", title: t`What was played here is kept too`, words: t`It is a song of its own, beside the other’s.`,
            actions: [make("a", { class: "button", href: storedPath(id) }, t`Every beat of it`)],
        })));
    };
    for (const type of /** @type {const} */ (["changed", "delivered", "failed"])) outbox.addEventListener(type, draw, { signal });
    draw();
    return node;
}
