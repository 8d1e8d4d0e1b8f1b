import { exchange } from "../app/api.js";
import { checksumDigits } from "./checksum.js";

const PATIENCE = 30_000; // milliseconds for an answer, and besides
const SLOWEST = 10; // bytes in a millisecond of the slowest network that is waited for

// How a session is sent while it grows, after the IETF draft "Resumable Uploads for HTTP"
// (draft-ietf-httpbis-resumable-upload-05); docs/adr/0020-a-session-is-appended.md says what is the hub's own.

/**
 * How far the hub is with a session.
 * @param {string} path
 * @param {{quiet?: boolean}} [options]
 * @returns {Promise<{status: number, offset: number, isActive: boolean, isOver: boolean, answer: Response}>}
 *   `isOver`: nobody may go on with it; `status` 404 where the hub has nothing of it
 * @throws {import("../app/problem.js").Problem} where the hub is away
 */
export async function hubPosition(path, options = {}) {
    const answer = await exchange("HEAD", path, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    const field = (name) => answer.headers.get(name);
    return {
        status: answer.status, offset: answer.ok ? Number(field("Upload-Offset")) : 0, answer,
        isActive: field("Upload-Active") === "?1", isOver: field("Upload-Complete") === "?1",
    };
}

/**
 * Appends a chunk.
 * @param {string} path
 * @param {import("./content-store.js").Chunk} chunk
 * @param {{key?: string, isComplete?: boolean, headers?: Record<string, string>, keepalive?: boolean, quiet?: boolean}} [options]
 *   `isComplete`: they are the last; `key`: they are, and this is the `Idempotency-Key` of the session's end; `headers`:
 *   besides the protocol's own
 * @returns {Promise<{ok: boolean, status: number, offset: number?, answer: Response}>}  `offset`: how far the hub is, null
 *   where it does not say
 * @throws {import("../app/problem.js").Problem} where the hub is away
 */
export async function appendChunk(path, { offset, checksum, bytes }, options = {}) {
    const { key, isComplete = Boolean(key), headers, keepalive, quiet } = options;
    const answer = await exchange("PATCH", path, {
        bytes, keepalive, quiet, signal: AbortSignal.timeout(PATIENCE + bytes.length / SLOWEST),
        headers: {
            "Content-Type": "application/partial-upload", "Upload-Offset": String(offset),
            "Upload-Checksum": checksumDigits(checksum), "Upload-Complete": isComplete ? "?1" : "?0",
            ...key && { "Idempotency-Key": key }, ...headers,
        },
    });
    const said = answer.headers.get("Upload-Offset");
    return { ok: answer.ok, status: answer.status, offset: said === null ? null : Number(said), answer };
}
