import { session } from "../../house/session.js";

const AWAY = 15 * 60_000; // milliseconds: who comes back to a device after that may be somebody else

let hiddenSince = null;

/**
 * On a device that the family shares, asks who is there: now, and whenever it comes back after a quarter of an hour.
 */
export async function askOnFamilyDevice() {
    if (!session.isShared || session.people.length < 2) return;
    (await import("./who.js")).askWho({ mustAnswer: true });
}

document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
        hiddenSince = Date.now();
    } else if (session.person && hiddenSince !== null && Date.now() - hiddenSince >= AWAY) {
        askOnFamilyDevice();
    }
});
