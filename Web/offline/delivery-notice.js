import { make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { t } from "../language/text.js";

/**
 * Where a session stands that was just ended here: that it waits on this device, or that the hub did not take it.
 * @param {object?} entry  of the outbox; null once the hub has it
 * @param {string} waits  what is said while it waits
 * @returns {Node?}
 */
export function deliveryNotice(entry, waits) {
    if (!entry) return null;
    if (!entry.failed) return notice({ icon: "clock", state: "unknown", title: t`Kept on this device`, words: waits });
    return notice({
        icon: "warning", state: "problem", title: t`The hub did not take it`, words: entry.failed.detail,
        actions: [make("a", { class: "button", href: "/settings#s-waiting-to-be-sent" }, t`What waits here`)],
    });
}
