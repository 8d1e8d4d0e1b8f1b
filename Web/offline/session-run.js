import { Problem } from "../house/problem.js";
import { session } from "../house/session.js";
import { runName } from "./kept-run.js";
import { outbox } from "./outbox.js";
import { endRunning, keepRunning } from "./running.js";

/**
 * A session that runs on this device: kept on its disk while it runs, put into the outbox when it ends. What it is, and
 * when it ends, is for the companion that extends this class; it tells `left()` what to switch off.
 *
 * Events: `ended` (detail: the id of the session, null where nothing of it is kept); `taken` when another page has
 * taken it; `handed` when another device has; `trouble` (detail: the problem) where this device cannot keep it.
 */
export class SessionRun extends EventTarget {
    #runs;
    #held;
    #saving = Promise.resolve();
    #next = null;
    #isOver = false;

    /**
     * What is kept: `{id, person, startedAt, ahead, by: {profile, household}, bytes}`, and what the companion wants
     * besides. `by`: who was signed in when it began; `ahead`: how far the hub's clock was ahead then, milliseconds.
     */
    kept;
    /**
     * Why this device does not keep it, or null.
     * @type {Problem?}
     */
    trouble = null;
    /**
     * Why it could not be put into the outbox, or null: it is still kept then.
     * @type {Error?}
     */
    stuck = null;

    /** @param {import("./runs.js").Runs} runs @param {object} kept @param {object} held  what {@link onePage} gave */
    constructor(runs, kept, held) {
        super();
        this.#runs = runs;
        this.#held = held;
        this.kept = kept;
        held.taken.then(() => {
            this.leave();
            this.dispatchEvent(new Event("taken"));
        });
    }

    get isOver() { return this.#isOver; }

    /** Whether it is of the household that is signed in here. */
    get isOurs() { return isOurs(this.kept); }

    /** The hub's time, as far as it was known when the session began: a session has one clock from begin to end. */
    wall() { return Date.now() + this.kept.ahead; }

    /**
     * Keeps what the session has recorded, one after the other; what comes while the disk is busy goes together.
     * @param {Uint8Array} bytes
     * @returns {Promise<void>}  settles once they are on the disk, or `trouble` has said why not
     */
    save(bytes) {
        this.kept.bytes = bytes;
        this.#next ??= this.#saving = this.#saving.then(() => {
            this.#next = null;
            return this.#isOver ? null : keepRunning(this.#name, { ...this.kept });
        }).catch((error) => {
            console.info(error);
            if (this.trouble) return;
            this.trouble = new Problem(507, { detail: this.#runs.unkept });
            this.dispatchEvent(new CustomEvent("trouble", { detail: this.trouble }));
        });
        return this.#next;
    }

    /**
     * Puts it into the outbox, unless a page that crashed had done so; then it no longer runs.
     * @param {{path: string, title: string, noted: () => Promise<void>}} delivery  `noted`: what else is kept of it
     */
    async deliver(delivery) {
        if (this.#isOver) return; // a tick that came while the end was being kept has ended it as well
        await this.#put(delivery);
        this.dispatchEvent(new CustomEvent("ended", { detail: this.kept.id }));
    }

    async #put({ path, title, noted }) {
        this.leave(false);
        const { id, person, by, startedAt, bytes } = this.kept;
        try {
            const isThere = (await outbox.entries()).some((entry) => entry.lane === id);
            await noted();
            if (!isThere) {
                await outbox.add({
                    lane: id, path, type: "application/octet-stream", bytes, by, title,
                    about: { person: person.id, at: startedAt },
                });
            }
            await this.#forget();
        } catch (error) {
            this.stuck = error;
            this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        }
        this.#held.release();
    }

    /** Ends it, and keeps nothing of it. */
    async drop() {
        this.leave();
        await this.#forget();
        this.dispatchEvent(new CustomEvent("ended", { detail: null }));
    }

    /**
     * Another device has gone on with it: it is kept there, and nothing of it here.
     * @param {object?} [delivery]  as {@link deliver} takes it, where something was recorded here that is not there: the
     *   hub is given that too, and what it refuses stays in the outbox
     */
    async handOver(delivery = null) {
        if (delivery) await this.#put(delivery);
        else {
            this.leave();
            await this.#forget();
        }
        this.dispatchEvent(new Event("handed"));
    }

    /**
     * This page runs it no longer.
     * @param {boolean} [release]  lets another page run it
     */
    leave(release = true) {
        this.#isOver = true;
        this.left();
        if (this.#runs.current === this) this.#runs.current = null;
        if (release) this.#held.release();
    }

    /** Switches off what the companion has switched on for it. */
    left() {}

    get #name() { return runName(this.#runs.slug, this.kept.by.household); }

    /** After what is being written: it would be there again. */
    async #forget() {
        await this.#saving;
        await endRunning(this.#name);
    }
}

/** @param {{by: {household: {id: string}}}} kept */
export const isOurs = ({ by }) => by.household.id === session.household?.id;
