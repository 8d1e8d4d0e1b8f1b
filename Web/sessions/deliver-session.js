import { Problem, unreachable } from "../app/problem.js";
import { notDelivered, notTheHub } from "../offline/delivery.js";
import { checksum } from "./checksum.js";
import { readChunk, readContent } from "./content-store.js";
import { CHUNK_BYTES } from "./session-upload.js";
import { appendChunk, hubPosition } from "./upload-protocol.js";
import { t } from "../language/text.js";

const EMPTY = new Uint8Array(0);

/**
 * What an entry of the outbox sends where that is a session on this device: the content of the session `id`, below `path`,
 * `length` bytes with this CRC-32, of which the hub has acknowledged `uploaded`; `copy`: the id under which it is sent where
 * the hub has other bytes of that session.
 * @typedef {{path: string, id: string, length: number, checksum: number, uploaded: number, copy: string}} Upload
 */

/**
 * Sends what the hub does not have of a session that has ended, and says that this is all. What came of it is as `send` of
 * delivery.js says it; what was sent stays sent where the link breaks in between. Where another device went on with it, it
 * is sent as a copy of this device's own, and the hub stores it beside the other.
 * @param {{id: string, sent: boolean, upload: Upload}} entry  `sent`: whether it was tried before
 */
export async function deliverSession({ id: key, sent, upload }) {
    const { path, id, copy, uploaded } = upload;
    const came = await sendTo(`${path}/${id}`, key, upload, sent || uploaded > 0);
    return came.came === "diverged" ? sendTo(`${path}/${copy}?session=${id}`, copy, upload, sent) : came;
}

/** Whether all of it is on this device, as it was recorded. */
async function isIntact({ id, length, checksum: total }) {
    const content = await readContent(id);
    return content.length === length && checksum(content) === total;
}

async function sendTo(path, key, upload, mayBeThere) {
    try {
        return await sendRest(path, key, upload, mayBeThere);
    } catch (error) {
        if (error instanceof Problem && error.unreachable) return { came: "away" };
        throw error;
    }
}

async function sendRest(path, key, upload, mayBeThere) {
    const { id, length, checksum: total } = upload;
    let offset = 0;
    if (mayBeThere) {
        const position = await hubPosition(path, { quiet: true });
        // Whoever may deliver it and not look at it is not told, and begins with what the hub has already.
        if (!position.answer.ok && ![403, 404].includes(position.status)) return notDelivered(position.answer, "");
        offset = position.offset;
    }
    if (offset < length && !await isIntact(upload)) {
        return { came: "refused", problem: new Problem(0, { title: t`Not complete`, detail: INCOMPLETE }) };
    }
    while (offset < length) {
        const chunk = await readChunk(id, offset, CHUNK_BYTES);
        const sent = await appendChunk(path, chunk, { quiet: true });
        if (!sent.ok) return notAppended(sent, await sent.answer.text(), path);
        if (sent.offset === null || sent.offset <= offset) return notTheHub(sent.status);
        offset = sent.offset;
    }
    if (offset > length) return { came: "diverged" };
    // Always the same request, so that the hub knows it by its key where its answer was lost.
    const end = await appendChunk(path, { offset, checksum: total, bytes: EMPTY }, { key, quiet: true });
    const body = await end.answer.text().catch((error) => { throw unreachable(error, "cut"); });
    if (!end.ok) return notAppended(end, body, path);
    if (end.answer.headers.get("Idempotency-Key") !== key) return notTheHub(end.status);
    return { came: "delivered", response: body === "" ? null : JSON.parse(body) };
}

/** A copy of this device's own meets nobody's: what the hub says of it stands. */
function notAppended({ status, answer }, body, path) {
    const isConflict = status === 409 && !path.includes("?session=");
    return isConflict ? { came: "diverged" } : notDelivered(answer, body);
}

const INCOMPLETE = t`This device no longer has what was recorded as it was: its browser was told to forget it, has no room, or its disk is damaged.`;
