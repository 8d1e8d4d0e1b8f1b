const KEY = "tandem.welcomed";

/** Whether this browser has been through the wizard, or past it. */
export function isWelcomed() {
    try {
        return localStorage.getItem(KEY) !== null;
    } catch {
        return true; // A browser that keeps nothing is not led through it at every visit.
    }
}

/** Remembers that the wizard need not come by itself again. */
export function setWelcomed() {
    try {
        localStorage.setItem(KEY, "1");
    } catch {
        // It is then offered in Settings only.
    }
}
