import { signIn } from "../app/sign-in.js";
import { go } from "../app/shell.js";
import { push } from "./push.js";
import { reminders } from "./reminders.js";

/**
 * Lets a press on a notification open a page here, when the service worker asks for it. A page that nobody is signed in
 * to does not answer, and the worker opens another; one that runs a session stays with it.
 */
export function followNotifications() {
    navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
        if (data?.type === "CHANGED") reminders.soon();
        if (data?.type === "NOT_TAKEN") push.mend().catch(() => {}); // the next visit tries again
        if (data?.type !== "OPEN" || !signIn.person || !data.path.startsWith("/")) return;
        ports[0]?.postMessage(true);
        if (document.documentElement.dataset.session === undefined) go(data.path);
    });
    navigator.serviceWorker?.startMessages();
}
