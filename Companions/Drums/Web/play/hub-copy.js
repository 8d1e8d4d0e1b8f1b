import { live } from "../../house/live.js";

const EVERY = 2000; // milliseconds, at most so often
const LARGEST_LAST = 60_000; // bytes that a browser still sends for a page that goes

/**
 * The hub's copy of a song while it is played, so that a tab that was closed, a phone that broke, loses nothing of it.
 * It is a copy: what counts is on this device, and delivered from here.
 */
export class HubCopy {
    #path;
    #bytes;
    #elsewhere;
    #timer = null;
    #isOff = false;

    /**
     * @param {string} id  the session's
     * @param {() => Uint8Array} bytes  what is recorded
     * @param {() => void} elsewhere  called when another device has gone on with it
     */
    constructor(id, bytes, elsewhere) {
        this.#path = `/api/drums/running/${encodeURIComponent(id)}`;
        this.#bytes = bytes;
        this.#elsewhere = elsewhere;
    }

    /** Something was recorded: it is sent in a moment, together with what comes until then. */
    changed() {
        if (!this.#isOff) this.#timer ??= setTimeout(() => this.#send(), EVERY);
    }

    /** The page goes: what was not sent yet is sent with its last breath. */
    last() {
        if (this.#isOff || this.#timer === null) return;
        this.#stop();
        const bytes = this.#bytes();
        if (bytes && bytes.length <= LARGEST_LAST) this.#put(bytes, { keepalive: true }).catch(() => {});
    }

    /** It is over here, and delivered or dropped. */
    end() {
        this.#isOff = true;
        this.#stop();
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#timer = null;
    }

    async #send() {
        this.#timer = null;
        if (live.state !== "open") return; // it is tried again with the next beat
        const bytes = this.#bytes();
        if (!bytes) return;
        try {
            const answer = await this.#put(bytes);
            if (answer.status !== 409 || this.#isOff) return;
            this.end();
            // Closed by the hub meanwhile: what is delivered later from here is longer, and takes its place.
            const its = await fetch(this.#path, { credentials: "same-origin", cache: "no-store" });
            if (its.ok) this.#elsewhere();
        } catch {
            // The hub is away: the next beat tries again, and the whole goes through the outbox.
        }
    }

    #put(bytes, more = {}) {
        return fetch(this.#path, {
            method: "PUT", body: bytes, credentials: "same-origin", cache: "no-store",
            headers: { "Content-Type": "application/octet-stream" }, ...more,
        });
    }
}
