import { Problem } from "../../app/problem.js";
import { bytesFrom } from "../../sessions/active-sessions.js";
import { checksum } from "../../sessions/checksum.js";
import { appendChunk } from "../../sessions/upload-protocol.js";
import { alignClock, byDeviceClock, deviceNow } from "../recordings/clock.js";
import { asGuest, askAsGuest } from "./guest-api.js";

const EACH = 1000; // milliseconds between two pieces
const PIECE = 128 << 10; // bytes of one request
const AGAIN = 2000; // milliseconds after which the hub is asked again, when it is away

/**
 * What this phone measures in the runs of a class, sent while it does. The engine makes the bytes; what the hub does not
 * have yet stays here until it has.
 *
 * Events: `change` when more was sent, or cannot be (`trouble` says why).
 */
export class GuestRecording extends EventTarget {
    #engine;
    #token;
    #signal;
    #bytes = new Uint8Array(0);
    #kinds = [];
    #timer = null;
    #sending = null;
    #counted = { offset: 0, checksum: 0 };

    /** Which run this is of, from 1; 0 before the first. */
    run = 0;
    isMeasuring = false;
    /** Whether the hub has all of it. */
    isWhole = true;
    /** Bytes of it that the hub has. */
    receivedBytes = 0;
    /** @type {Partial<import("../../app/problem.js").Problem>?} */
    trouble = null;

    /**
     * @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} engine  one of its own
     * @param {string} token
     * @param {AbortSignal} signal  ends it when this phone leaves the class
     */
    constructor(engine, token, signal) {
        super();
        this.#engine = engine;
        this.#token = token;
        this.#signal = signal;
        signal.addEventListener("abort", () => this.stop());
        alignClock(engine, () => {}, () => askAsGuest("GET", "/clock", { token, signal }));
    }

    /** The clock of the samples: this phone's own. */
    now() { return deviceNow(); }

    /** When something of the hub's clock is by this phone's, UTC milliseconds. @param {number} microseconds  the hub's */
    here(microseconds) { return byDeviceClock(this.#engine, microseconds); }

    /** Samples of this run. */
    get samples() { return this.#kinds.reduce((sum, kind) => sum + this.#engine.call.recorded(kind), 0); }

    /**
     * Begins the recording of a run.
     * @param {MotionLab.GuestStateResponse} state
     * @param {Array<{kind: number, source: number}>} streams
     */
    begin(state, streams) {
        const { call } = this.#engine;
        call.begin(state.hertz);
        call.setID(this.#engine.put(bytesFrom(state.recording.id)));
        call.setPerson(this.#engine.put(encoded(state.guest)));
        call.setExperiment(this.#engine.put(encoded(state.experiment)));
        for (const { kind, source } of streams) call.addStream(kind, source, state.hertz);
        this.#kinds = streams.map(({ kind }) => kind);
        if (call.beginRecording(this.now(), -new Date().getTimezoneOffset()) !== 0) throw new Error("this cannot be recorded"); // not shown: no header of ours is refused
        call.recordClock(this.now());
        this.#bytes = new Uint8Array(0);
        this.#counted = { offset: 0, checksum: 0 };
        Object.assign(this, { run: state.run.number, receivedBytes: 0, isWhole: false, isMeasuring: true, trouble: null });
        this.#timer = setInterval(() => this.#send(), EACH);
        this.#send();
    }

    sample(...values) { if (this.isMeasuring) this.#engine.call.sample(...values); }

    /** Ends what is measured; what was not sent still is. */
    stop() {
        if (!this.isMeasuring) return;
        this.isMeasuring = false;
        clearInterval(this.#timer);
        const { call } = this.#engine;
        call.recordClock(this.now());
        call.endRecording(this.now());
        this.#send();
        this.dispatchEvent(new Event("change"));
    }

    #take() {
        const more = this.#engine.answer(this.#engine.call.takeRecording());
        if (more.length === 0) return;
        const all = new Uint8Array(this.#bytes.length + more.length);
        all.set(this.#bytes);
        all.set(more, this.#bytes.length);
        this.#bytes = all;
    }

    /** One request at a time, until the hub has what there is. */
    #send() {
        this.#take();
        this.#sending ??= this.#sendAll().finally(() => {
            this.#sending = null;
            this.dispatchEvent(new Event("change"));
        });
        return this.#sending;
    }

    async #sendAll() {
        const { run } = this;
        const path = `/api/lab/guest/runs/${run}`;
        while (run === this.run && !this.isWhole && (this.receivedBytes < this.#bytes.length || !this.isMeasuring)) {
            const offset = this.receivedBytes;
            const bytes = this.#bytes.slice(offset, offset + PIECE);
            const isComplete = !this.isMeasuring && offset + bytes.length === this.#bytes.length;
            const chunk = { offset, checksum: this.#checksumBefore(offset), bytes };
            try {
                const sent = await appendChunk(path, chunk, { isComplete, quiet: true, headers: asGuest(this.#token) });
                if (run !== this.run) return;
                if (sent.offset !== null) this.receivedBytes = sent.offset;
                if (!sent.ok) throw new Problem(sent.status, await sent.answer.json().catch(() => ({})));
                this.isWhole = isComplete;
                this.trouble = null;
            } catch (error) {
                if (!await this.#goesOn(error)) return;
            }
            this.dispatchEvent(new Event("change"));
        }
    }

    /** The CRC-32 of all bytes before an offset; each is counted once, as a rule. */
    #checksumBefore(offset) {
        const known = this.#counted.offset <= offset ? this.#counted : { offset: 0, checksum: 0 };
        this.#counted = { offset, checksum: checksum(this.#bytes.subarray(known.offset, offset), known.checksum) };
        return this.#counted.checksum;
    }

    /** Whether it is worth trying again. */
    async #goesOn(error) {
        this.trouble = error;
        this.dispatchEvent(new Event("change"));
        if (error.type?.endsWith("#completed-upload")) this.stop();
        // Another number of the same bytes: it is gone on from there.
        const isBehind = error.type?.endsWith("#mismatching-upload-offset");
        if (!isBehind && !error.unreachable && error.status !== 429 && error.status < 500) return false;
        if (this.#signal.aborted && error.unreachable) return false; // the page goes
        await new Promise((done) => { setTimeout(done, AGAIN); });
        return true;
    }
}

const encoded = (words) => new TextEncoder().encode(words);
