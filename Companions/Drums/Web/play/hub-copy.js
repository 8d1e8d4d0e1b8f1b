import { live } from "../../house/live.js";

const EVERY = 2000; // milliseconds, at most so often
const LARGEST_LAST = 60_000; // bytes that a browser still sends for a page that goes
const GONE = [401, 403, 404, 410]; // answers that no later try changes

/**
 * The hub's copy of a song while it is played, so that a tab that was closed, a phone that broke, loses nothing of it.
 * It is a copy: what counts is on this device, and delivered from here.
 */
export class HubCopy {
    #path;
    #activePath;
    #run;
    #timer = null;
    #its = null; // how many bytes the hub has that are not from here
    #isOff = false;

    /**
     * @param {string} id  the session's
     * @param {{recorded: () => {bytes: Uint8Array, beats: number}?, taken: (beats: number) => void,
     *   elsewhere: () => void}} run  `recorded`: what is; `taken`: called when the hub has so many beats of it;
     *   `elsewhere`: when another device has gone on with it
     */
    constructor(id, run) {
        this.#path = `/api/drums/running/${encodeURIComponent(id)}`;
        this.#activePath = `/api/drums/active/${encodeURIComponent(id)}`;
        this.#run = run;
    }

    /** Something was recorded: it is sent in a moment, together with what comes until then. */
    changed() {
        if (!this.#isOff) this.#timer ??= setTimeout(() => this.#send(), EVERY);
    }

    /** The page goes: what was not sent yet is sent with its last breath. */
    last() {
        if (this.#isOff || this.#timer === null) return;
        this.#stop();
        const recorded = this.#run.recorded();
        if (recorded && recorded.bytes.length <= LARGEST_LAST) this.#put(recorded, { keepalive: true }).catch(() => {});
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
        const recorded = this.#run.recorded();
        if (!recorded) return;
        try {
            if (this.#its) return await this.#look();
            const answer = await this.#put(recorded);
            if (answer.status === 409 && !this.#isOff) await this.#look();
        } catch {
            // The hub is away: the next beat tries again, and the whole goes through the outbox.
        }
    }

    /**
     * The hub has other than was sent from here. Where that grows, another device is played on; where it does not,
     * nobody plays there, and what is played here counts, as where the hub has closed it meanwhile: that is then
     * shorter than what is delivered.
     */
    async #look() {
        const answer = await self.fetch(this.#activePath,
            { method: "HEAD", credentials: "same-origin", cache: "no-store" });
        // Over already: what is played here counts when it is delivered.
        const isOver = answer.ok && answer.headers.get("Upload-Active") !== "?1";
        if (isOver || GONE.includes(answer.status)) return this.end();
        if (!answer.ok) return this.changed();
        const its = Number(answer.headers.get("Upload-Offset"));
        if (this.#its !== null && its > this.#its && !this.#isOff) {
            this.end();
            this.#run.elsewhere();
        }
        this.#its = its;
        this.changed(); // looks again
    }

    async #put({ bytes, beats }, more = {}) {
        const answer = await self.fetch(this.#path, {
            method: "PUT", body: bytes, credentials: "same-origin", cache: "no-store",
            headers: { "Content-Type": "application/octet-stream" }, ...more,
        });
        if (answer.ok) this.#run.taken(beats);
        return answer;
    }
}
