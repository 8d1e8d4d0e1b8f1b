import { live } from "../app/live.js";
import { joined } from "./content-store.js";
import { appendChunk, hubPosition } from "./upload-protocol.js";

const EVERY = 2000; // milliseconds, at most so often
const LARGEST_LAST = 60_000; // bytes that a browser still sends for a page that goes, and that are in memory at most
/** Bytes of a request: a link that breaks often wants small ones, since the hub stores no part of one. */
export const CHUNK_BYTES = 32_768;
const FINAL = [401, 403, 404, 410]; // answers that no later request changes

/**
 * Sends an active session to the hub while it grows, so that a tab that was closed, a phone that broke, loses nothing of
 * it. Each byte is sent once: where an answer was lost, the hub is asked how far it is. What counts is on this device, and
 * what is left is sent when the session ends (deliver-session.js).
 */
export class SessionUpload {
    #path;
    #session;
    #recent = []; // what the hub has not acknowledged, as far as it is in memory
    #length; // of what may be sent
    #offset; // how far the hub is
    #isKnown; // whether it said so in its last answer
    #timer = null;
    #isSending = false;
    #theirs = null; // how many bytes the hub has where it has others than this page
    #lastLength = 0; // of what the last request of a page that went said, which nobody may have answered
    #isOff = false;

    /**
     * @param {string} path  of the session
     * @param {{length: number, uploaded: number}} start  `uploaded`: what the hub has acknowledged of it
     * @param {{read: (offset: number, most: number) => Promise<import("./content-store.js").Chunk?>,
     *   acknowledged: (offset: number) => void, elsewhere: () => void}} session
     *   `read`: from the disk; `acknowledged`: called when the hub has so many bytes stored; `elsewhere`: when another
     *   device has gone on with it
     */
    constructor(path, { length, uploaded }, session) {
        this.#path = path;
        this.#session = session;
        this.#length = length;
        this.#offset = uploaded;
        this.#isKnown = uploaded === 0 || length === 0; // a page that opens asks how far the hub is
    }

    /**
     * The session has grown, and what is new may be sent.
     * @param {import("./content-store.js").Chunk} chunk
     * @param {boolean} isStored  whether it can be read from the disk
     */
    add(chunk, isStored) {
        this.#length = chunk.offset + chunk.bytes.length;
        if (this.#isOff) return;
        this.#recent.push({ ...chunk, isStored });
        let count = this.#recent.reduce((sum, { bytes }) => sum + bytes.length, 0);
        while (count > LARGEST_LAST && this.#recent[0].isStored) count -= this.#recent.shift().bytes.length;
    }

    /** There is something to send: in a moment, together with what comes until then. */
    soon() {
        if (!this.#isOff) this.#timer ??= setTimeout(() => this.#send(), EVERY);
    }

    /**
     * The page goes: what the hub has not acknowledged is sent with the last request that it may make. That is also what a
     * request carries that is on its way, since the browser breaks it off; where it arrived, the hub has it twice and says so.
     */
    last() {
        this.#stop();
        if (this.#isOff || this.#theirs !== null || this.#length <= this.#lastLength) return;
        const chunk = this.#fromMemory(LARGEST_LAST);
        if (!chunk) return;
        this.#isKnown = false;
        this.#lastLength = this.#length;
        appendChunk(this.#path, chunk, { keepalive: true, quiet: true }).catch(() => {});
    }

    /** Nothing more is sent from here. */
    end() {
        this.#isOff = true;
        this.#recent = [];
        this.#stop();
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#timer = null;
    }

    async #send() {
        this.#timer = null;
        if (this.#isSending) return this.soon();
        if (live.state !== "open") return; // it is tried again with the next input
        this.#isSending = true;
        try {
            if (this.#theirs !== null || !this.#isKnown) await this.#ask();
            while (this.#maySend && await this.#sendChunk());
        } catch {
            this.#isKnown = false; // the hub is away, or its answer was lost: it is asked with the next input
        } finally {
            this.#isSending = false;
        }
    }

    get #maySend() {
        return this.#isKnown && this.#theirs === null && !this.#isOff && this.#offset < this.#length;
    }

    /** @returns {Promise<boolean>}  whether there may be more to send */
    async #sendChunk() {
        const chunk = this.#fromMemory(CHUNK_BYTES) ?? await this.#session.read(this.#offset, CHUNK_BYTES);
        if (!chunk || this.#isOff) return false;
        const { ok, status, offset, answer } = await appendChunk(this.#path, chunk);
        if (this.#isOff) return false;
        if (ok && offset !== null) {
            this.#acknowledge(offset);
            return true;
        }
        if (status === 409) {
            // Another number of the same bytes, as after a backup was restored: it is gone on from there.
            if ((await answer.json()).reason === "offset") this.#isKnown = false;
            await this.#ask();
            this.soon();
        } else if (FINAL.includes(status)) this.end();
        return false;
    }

    /**
     * Asks how far the hub is. Where it has more than was sent from here, or another way, it is asked again in a moment:
     * where that grows, another device is used; where it does not, nobody is there, and what is recorded here counts, as
     * where the hub has closed it meanwhile.
     */
    async #ask() {
        const wasKnown = this.#isKnown;
        const { status, answer, offset, isActive, isOver } = await hubPosition(this.#path);
        if (this.#isOff) return;
        if (status === 404 && !wasKnown) return this.#acknowledge(0);
        if (isOver || FINAL.includes(status)) return this.end();
        if (!answer.ok) return this.soon();
        if (this.#theirs === null && !wasKnown && offset <= this.#length) return this.#acknowledge(offset);
        if (!isActive) return this.end();
        if (this.#theirs !== null && offset > this.#theirs) {
            this.end();
            return this.#session.elsewhere();
        }
        this.#theirs = offset;
        this.soon();
    }

    #acknowledge(offset) {
        this.#offset = offset;
        this.#isKnown = true;
        while (this.#recent[0] && this.#recent[0].offset + this.#recent[0].bytes.length <= offset) this.#recent.shift();
        this.#session.acknowledged(offset);
    }

    /** What comes next, where all of it is in memory. */
    #fromMemory(most) {
        const first = this.#recent.findIndex(({ offset }) => offset === this.#offset);
        if (first < 0) return null;
        const parts = [];
        let count = 0;
        for (const { bytes } of this.#recent.slice(first)) {
            if (parts.length > 0 && count + bytes.length > most) break;
            parts.push(bytes);
            count += bytes.length;
        }
        const { offset, checksum } = this.#recent[first];
        return { offset, checksum, bytes: joined(parts) };
    }
}
