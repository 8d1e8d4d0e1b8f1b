import { isLeaving } from "../app/leaving.js";
import { answered, transact } from "./database.js";

const PREFIX = "tandem.cache.";
const OF = " of "; // between a name and whose it is, on the disk alone
/** The cache of file-cache.js; not `tandem-`, which the service worker takes for a build's. */
export const FILE_CACHE = "cached-files";
let isCaching = false;

/**
 * What the last visit loaded, so that a page opens without the hub: names and values as they were, and no secret. It is
 * read at once, before anything is drawn, and so lies in localStorage; and in IndexedDB besides, since a browser that is
 * killed takes the last seconds of localStorage with it. A browser that stores nothing answers null each time.
 * @param {string} name
 * @returns {any}
 */
export function cached(name) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + name));
    } catch {
        return null;
    }
}

/** From now on somebody is signed in, and {@link store} caches. */
export function startCaching() {
    isCaching = true;
}

/**
 * Caches a value under a name, in place of what was there. Nothing while nobody is signed in: an answer that was on its
 * way when somebody signed out does not bring their names back.
 * @param {string} name
 * @param {any} value  what JSON can hold; with `of`, it is theirs, see {@link cachedFor}
 */
export function store(name, value) {
    if (!isCaching) return;
    try {
        localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
        // Full, or a browser that keeps nothing: the next visit asks the hub.
    }
    transact(["cache"], "readwrite", (t) => {
        if (!isCaching) return null;
        const store = t.objectStore("cache");
        if (value?.of) store.put(value, name + OF + value.of);
        return answered(store.put(value, name));
    }).catch(() => {});
}

/**
 * What was cached under a name for one of those who use this device, where another has used it since.
 * @param {string} name
 * @param {string?} of  as it was cached
 * @returns {Promise<any>}  null where there is nothing
 */
export async function cachedFor(name, of) {
    if (!of) return null;
    return await transact(["cache"], "readonly", (t) => answered(t.objectStore("cache").get(name + OF + of)))
        .catch(() => null) ?? null;
}

/** Brings back from the disk what a browser that was killed has lost. */
export async function restoreCached() {
    try {
        await transact(["cache"], "readonly", async (t) => {
            const store = t.objectStore("cache");
            const [names, values] = await Promise.all([answered(store.getAllKeys()), answered(store.getAll())]);
            if (isCaching || isLeaving()) return; // the hub has answered meanwhile, or somebody goes
            names.forEach((name, at) => {
                if (!name.includes(OF)) localStorage.setItem(PREFIX + name, JSON.stringify(values[at]));
            });
        });
    } catch {
        // A browser that stores nothing has nothing to bring back.
    }
}

/**
 * Forgets what was cached for everybody but some: what is an adult's leaves the device before a child holds it.
 * @param {(of: string) => boolean} stays  of whom it stays, as it was cached
 */
export async function forgetCachedOf(stays) {
    try {
        const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
        for (const name of names) {
            const of = name.startsWith(PREFIX) ? JSON.parse(localStorage.getItem(name))?.of : null;
            if (of && !stays(of)) localStorage.removeItem(name);
        }
    } catch {
        // A browser that stores nothing has nothing to forget.
    }
    await transact(["cache"], "readwrite", async (t) => {
        const store = t.objectStore("cache");
        const [names, values] = await Promise.all([answered(store.getAllKeys()), answered(store.getAll())]);
        names.forEach((name, at) => { if (values[at]?.of && !stays(values[at].of)) store.delete(name); });
    }).catch(() => {});
}

/** Forgets all of it: who signs out leaves no names on the device. The outbox stays. */
export async function clearCached() {
    isCaching = false;
    try {
        const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
        for (const name of names) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
    } catch {
        // A browser that stores nothing has nothing to forget.
    }
    await globalThis.caches?.delete(FILE_CACHE).catch(() => {});
    await transact(["cache"], "readwrite", (t) => answered(t.objectStore("cache").clear())).catch(() => {});
}
