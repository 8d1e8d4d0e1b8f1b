import { exchange } from "../../app/api.js";
import { messageOf, Problem } from "../../app/problem.js";
import { toast } from "../../elements/toast.js";
import { t } from "../../language/text.js";
import { recordings } from "./recordings.js";

/** What was removed here a moment ago, and can still be undone. @type {Map<string, () => void>} */
const pending = new Map();

/** Whether somebody has just removed it here. @param {string} id */
export const isRemovedHere = (id) => pending.has(id);

/**
 * Removes a recording, which can be undone as long as a sentence about it stands there; then the hub removes it, with its
 * samples. A page that is closed meanwhile does so at once.
 * @param {{id: string}} recording
 * @param {string} name
 */
export function removeRecording({ id }, name) {
    const now = () => {
        pending.delete(id);
        removeEventListener("pagehide", now);
        send(id);
    };
    pending.set(id, now);
    addEventListener("pagehide", now);
    recordings.dispatchEvent(new Event("change"));
    toast(t`${name} is removed.`, {
        icon: "trash", gone: () => { if (pending.has(id)) now(); },
        undo: async () => {
            pending.delete(id);
            removeEventListener("pagehide", now);
            recordings.dispatchEvent(new Event("change"));
        },
    });
}

async function send(id) {
    try {
        const answer = await exchange("DELETE", `/api/lab/recordings/${encodeURIComponent(id)}`, { keepalive: true });
        // Another device was quicker: it is gone all the same.
        if (!answer.ok && answer.status !== 404) throw new Problem(answer.status, await answer.json().catch(() => ({})));
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
    recordings.soon();
}
