import { signIn } from "../../app/sign-in.js";

const AWAY = 15 * 60_000; // milliseconds: who comes back to a device after that may be somebody else

let hiddenSince = null;

/**
 * On a device that the family shares, asks who is there: now, and whenever it comes back after a quarter of an hour.
 */
export async function askOnFamilyDevice() {
    if (!signIn.isShared || signIn.people.length < 2) return;
    (await import("./who.js")).askWho({ mustAnswer: true });
}

/**
 * Tells the hub, which is there again, who said to be here while it was away. A grown-up’s password it has yet to see:
 * then the question is asked anew.
 */
export async function tellWhoWasAssumed() {
    const person = signIn.assumed;
    signIn.assumed = null;
    if (!person || person.id === signIn.profile?.id && person.role === "child") return;
    try {
        await signIn.switchTo(person.id);
    } catch {
        askOnFamilyDevice();
    }
}

document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
        hiddenSince = Date.now();
    } else if (signIn.person && hiddenSince !== null && Date.now() - hiddenSince >= AWAY) {
        askOnFamilyDevice();
    }
});
