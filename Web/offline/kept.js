import { answered, transact } from "./database.js";

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

/** Keeps a value under a name, in place of what was there. @param {string} name @param {any} value */
export async function keep(name, value) {
    await transact(["kept"], "readwrite", (t) => answered(t.objectStore("kept").put(value, name))).catch(() => {});
}

/** Forgets all of it: who signs out leaves no names on the device. The outbox stays. */
export async function forgetKept() {
    await transact(["kept"], "readwrite", (t) => answered(t.objectStore("kept").clear())).catch(() => {});
}
