const KEY = "tandem.signing-out";

/**
 * Whether somebody signed out here and the hub does not know yet. Their cookie is still this browser's: no page can
 * take it away, so the hub must hear it before anything else is asked in its name.
 */
export function isLeaving() {
    try {
        return localStorage.getItem(KEY) !== null;
    } catch {
        return false;
    }
}

/**
 * Notes it, or that the hub knows it.
 * @param {boolean} is
 */
export function setLeaving(is) {
    try {
        if (is) localStorage.setItem(KEY, "1");
        else localStorage.removeItem(KEY);
    } catch {
        // A browser that keeps nothing keeps no names either, and its cookie ends with its window.
    }
}
