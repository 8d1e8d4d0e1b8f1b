const KEY = "tandem.reminder-bar";

/** Whether a reminder is shown over the open page of this device. */
export function isBarWanted() {
    try {
        return localStorage.getItem(KEY) !== "off";
    } catch {
        return true;
    }
}

/**
 * Kept in this browser only.
 * @param {boolean} isWanted
 */
export function wantBar(isWanted) {
    try {
        if (isWanted) localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, "off");
    } catch {
        // A browser that keeps nothing shows it again next time.
    }
    dispatchEvent(new Event("tandem-reminder-bar"));
}
