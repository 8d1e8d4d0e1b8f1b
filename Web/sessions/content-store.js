import { answered, transact } from "../offline/database.js";
import { checksum } from "./checksum.js";

const HEADERS = "active-sessions";
/** The name of the store of chunks, for whoever deletes a session's content together with something else. */
export const CHUNKS = "session-chunks";
const STORES = [HEADERS, CHUNKS];
const ROWS = 256; // rows that are read at once

/**
 * Bytes of a session from an offset on, with the CRC-32 of all bytes before them.
 * @typedef {{offset: number, checksum: number, bytes: Uint8Array}} Chunk
 */

/**
 * The headers of the active sessions whose names begin so: all but their content.
 * @param {string} beginning
 * @returns {Promise<any[]>}
 */
export function storedHeaders(beginning) {
    const named = IDBKeyRange.bound(beginning, `${beginning}\uffff`);
    return transact([HEADERS], "readonly", (t) => answered(t.objectStore(HEADERS).getAll(named)));
}

/**
 * Stores the header of an active session, and with it what it has grown by. It costs what is new, however long the session
 * is. A chunk for an offset at which there is one is refused: two pages would write one session.
 * @param {string} name
 * @param {{id: string}} header
 * @param {Chunk?} chunk
 * @returns {Promise<void>}  resolves once it is on the disk
 */
export async function storeChunk(name, header, chunk) {
    await transact(STORES, "readwrite", async (t) => {
        await answered(t.objectStore(HEADERS).put(header, name));
        if (!chunk) return;
        const { offset, checksum: before, bytes } = chunk;
        await answered(t.objectStore(CHUNKS).add({ checksum: before, bytes }, [header.id, offset]));
    });
}

/**
 * Forgets an active session.
 * @param {string} name
 * @param {string?} id  of the session whose content goes too; null where that waits to be delivered
 */
export async function forgetSession(name, id) {
    await transact(STORES, "readwrite", (t) => {
        t.objectStore(HEADERS).delete(name);
        if (id) deleteChunks(t, id);
    });
}

/**
 * Deletes a session's content, in a transaction that has the store of chunks.
 * @param {IDBTransaction} transaction
 * @param {string} id
 */
export function deleteChunks(transaction, id) {
    transaction.objectStore(CHUNKS).delete(all(id));
}

/**
 * A part of a session's content. Pieces that were stored together stay together, so that it ends where an event does.
 * @param {string} id
 * @param {number} offset
 * @param {number} most  bytes; more only where a single piece is
 * @returns {Promise<Chunk?>}  null where there is nothing from that offset on
 */
export function readChunk(id, offset, most) {
    return transact([CHUNKS], "readonly", async (t) => {
        const chunks = t.objectStore(CHUNKS);
        const range = IDBKeyRange.bound([id, 0], [id, offset]);
        const first = await answered(chunks.openKeyCursor(range, "prev"));
        if (!first) return null;
        const start = first.key[1];
        const rows = await answered(chunks.getAll(IDBKeyRange.bound([id, start], [id, Infinity]), ROWS));
        const known = offset - start;
        const skipped = rows[0].bytes.subarray(0, known);
        const parts = [rows[0].bytes.subarray(known)];
        let count = parts[0].length;
        for (const { bytes } of rows.slice(1)) {
            if (count + bytes.length > most) break;
            parts.push(bytes);
            count += bytes.length;
        }
        return count === 0 ? null : { offset, checksum: checksum(skipped, rows[0].checksum), bytes: joined(parts) };
    });
}

/**
 * A session's whole content: what an engine goes on with after a reload.
 * @param {string} id
 * @returns {Promise<Uint8Array>}
 */
export function readContent(id) {
    return transact([CHUNKS], "readonly", async (t) => {
        const rows = await answered(t.objectStore(CHUNKS).getAll(all(id)));
        return joined(rows.map(({ bytes }) => bytes));
    });
}

/**
 * @param {Uint8Array[]} parts
 * @returns {Uint8Array}  a copy
 */
export function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

const all = (id) => IDBKeyRange.bound([id, 0], [id, Infinity]);
