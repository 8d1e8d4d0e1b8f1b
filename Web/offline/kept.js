const PREFIX = "tandem.kept.";
let isKeeping = false;

/**
 * What the last visit knew, so that a page opens without the hub: names and values as they were, and no secret. It is
 * read at once, before anything is drawn, and so lies in localStorage; what must survive a power cut is the outbox's. A
 * browser that keeps nothing answers null each time.
 * @param {string} name
 * @returns {any}
 */
export function kept(name) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + name));
    } catch {
        return null;
    }
}

/** From now on somebody is signed in, and {@link keep} keeps. */
export function beginKeeping() {
    isKeeping = true;
}

/**
 * Keeps a value under a name, in place of what was there. Nothing while nobody is signed in: an answer that was on its
 * way when somebody signed out does not bring their names back.
 * @param {string} name
 * @param {any} value  what JSON can hold; undefined forgets the name
 */
export function keep(name, value) {
    if (!isKeeping) return;
    try {
        if (value === undefined) localStorage.removeItem(PREFIX + name);
        else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
        // Full, or a browser that keeps nothing: the next visit asks the hub.
    }
}

/** Forgets all of it: who signs out leaves no names on the device. The outbox stays. */
export function forgetKept() {
    isKeeping = false;
    try {
        const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
        for (const name of names) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
    } catch {
        // A browser that keeps nothing has nothing to forget.
    }
}
