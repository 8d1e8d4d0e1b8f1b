import { session } from "../../app/session.js";

const AWAY = 15 * 60_000; // milliseconds: who comes back to a device after that may be somebody else

let hiddenSince = null;

/**
 * On a device that the family shares, asks who is there: now, and whenever it comes back after a quarter of an hour.
 */
export async function askOnFamilyDevice() {
    if (!session.isShared || session.people.length < 2) return;
    (await import("./who.js")).askWho({ mustAnswer: true });
}

/**
 * Tells the hub, which is there again, who said to be here while it was away. A grown-up’s password it has yet to see:
 * then the question is asked anew.
 */
export async function tellWhoWasAssumed() {
    const person = session.assumed;
    session.assumed = null;
    if (!person || person.id === session.profile?.id && person.role === "child") return;
    try {
        await session.switchTo(person.id);
    } catch {
        askOnFamilyDevice();
    }
}

document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
        hiddenSince = Date.now();
    } else if (session.person && hiddenSince !== null && Date.now() - hiddenSince >= AWAY) {
        askOnFamilyDevice();
    }
});
