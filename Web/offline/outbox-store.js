import { Problem } from "../app/problem.js";
import { CHUNKS, deleteChunks, readContent } from "../sessions/content-store.js";
import { isDue } from "./back-off.js";
import { answered, transact } from "./database.js";
import { t } from "../language/text.js";

const STORES = ["outbox", "outbox-bytes", CHUNKS];

/**
 * Every entry, the oldest first, without its bytes.
 * @returns {Promise<object[]>}
 */
export function allEntries() {
    return transact(["outbox"], "readonly", (t) => answered(t.objectStore("outbox").getAll()));
}

/**
 * The bytes of one, which are a session's where it sends one.
 * @param {{order: number, upload?: {id: string}}} entry
 * @returns {Promise<ArrayBuffer|Uint8Array>}
 */
export function entryBytes({ order, upload }) {
    if (upload) return readContent(upload.id);
    return transact(["outbox-bytes"], "readonly", (t) => answered(t.objectStore("outbox-bytes").get(order)));
}

/**
 * Keeps an entry; resolves once it is on the disk.
 * @param {object} entry
 * @param {ArrayBuffer|ArrayBufferView} bytes  none where it sends a session
 * @throws {Problem} in words when there is no room, or the browser keeps nothing
 */
export async function keepEntry(entry, bytes) {
    try {
        await transact(STORES, "readwrite", async (t) => {
            const order = await answered(t.objectStore("outbox").add(entry));
            await answered(t.objectStore("outbox-bytes").add(copyOf(bytes), order));
        });
    } catch (error) {
        throw await roomProblem(error, bytes.byteLength);
    }
}

/**
 * Takes one for sending: that it may reach the hub from now on is on the disk before it leaves. In one transaction, so
 * that whoever takes it back meanwhile either was quicker, or finds it marked.
 * @param {number} order
 * @param {boolean} force  also before its time
 * @returns {Promise<{came: "gone"}|{came: "later"}|{came: "taken", entry: object}>}  `entry` as it was before
 */
export function take(order, force) {
    return transact(["outbox"], "readwrite", async (t) => {
        const entries = t.objectStore("outbox");
        const entry = await answered(entries.get(order));
        if (!entry || entry.failed) return { came: "gone" }; // another tab was here
        if (!force && !isDue(entry.notBefore, Date.now())) return { came: "later" };
        if (!entry.sent) await answered(entries.put({ ...entry, sent: true }));
        return { came: "taken", entry };
    });
}

/**
 * Puts another entry in the place of one, or nothing.
 * @param {string} id
 * @param {(entry: object) => object|null} to  another `id` takes the bytes with it: it is another request
 * @returns {Promise<boolean>}  true when it was there
 */
export function change(id, to) {
    return transact(STORES, "readwrite", async (t) => {
        const entries = t.objectStore("outbox");
        const bytes = t.objectStore("outbox-bytes");
        const entry = await answered(entries.index("id").get(id));
        if (!entry) return false;
        const next = to(entry);
        if (next) await answered(entries.put(next));
        else await answered(entries.delete(entry.order));
        if (!next && entry.upload) deleteChunks(t, entry.upload.id);
        if (!next) await answered(bytes.delete(entry.order));
        else if (next.id !== id) await answered(bytes.put(new ArrayBuffer(0), entry.order));
        return true;
    });
}

/** An id that nothing else has, 32 hexadecimal digits. */
export function newID() {
    // Not `randomUUID`, which a plain page does not have.
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Only what the view shows, and a copy of its own: IndexedDB would keep the whole buffer behind it. */
function copyOf(bytes) {
    return bytes instanceof ArrayBuffer ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        .slice().buffer;
}

/** Why it could not be stored, in words; 507 is what a server would say (RFC 4918, 11.5). */
async function roomProblem(error, size) {
    if (error?.name !== "QuotaExceededError") {
        console.error(error);
        return new Problem(507, {
            title: t`Not kept`,
            detail: t`This browser could not keep it, so it was not saved. In a private window nothing is kept for long.`,
        });
    }
    return new Problem(507, {
        title: t`No room on this device`,
        detail: t`This device has no room for another ${Math.max(1, Math.ceil(size / 1000))} kB, so this was not saved. What is already waiting stays. Free some room, or bring this device to the hub so that it can be sent.`,
    });
}
