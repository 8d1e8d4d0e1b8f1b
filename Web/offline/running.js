import { answered, transact } from "./database.js";

const STORE = "running";

/**
 * What a companion's session has seen so far, so that a reload, a crash or a page that the phone threw away loses
 * nothing of it. One under each name; it stays until {@link endRunning}.
 * @param {string} name  such as the companion's
 * @param {any} value  what IndexedDB can hold
 * @returns {Promise<void>}  resolves once it is on the disk
 */
export async function keepRunning(name, value) {
    await transact([STORE], "readwrite", (t) => answered(t.objectStore(STORE).put(value, name)));
}

/**
 * What runs under a name, or null.
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function running(name) {
    return await transact([STORE], "readonly", (t) => answered(t.objectStore(STORE).get(name))) ?? null;
}

/**
 * It has ended, and what is to stay of it is kept elsewhere.
 * @param {string} name
 */
export async function endRunning(name) {
    await transact([STORE], "readwrite", (t) => answered(t.objectStore(STORE).delete(name)));
}
