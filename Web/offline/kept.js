import { answered, transact } from "./database.js";

let isKeeping = false;

/**
 * What the last visit knew, so that a page opens without the hub: names and values as they were, and no secret. A
 * browser that keeps nothing answers null each time.
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function kept(name) {
    try {
        return await transact(["kept"], "readonly", (t) => answered(t.objectStore("kept").get(name))) ?? null;
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
 * @param {any} value
 */
export async function keep(name, value) {
    if (!isKeeping) return;
    await transact(["kept"], "readwrite", (t) => (isKeeping ? answered(t.objectStore("kept").put(value, name)) : null))
        .catch(() => {});
}

/** Forgets all of it: who signs out leaves no names on the device. The outbox stays. */
export async function forgetKept() {
    isKeeping = false;
    await transact(["kept"], "readwrite", (t) => answered(t.objectStore("kept").clear())).catch(() => {});
}
