import { Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { newID } from "../offline/outbox-store.js";
import { outbox } from "../offline/outbox.js";
import { checksum } from "./checksum.js";
import { forgetSession, joined, readChunk, readContent, storeChunk } from "./content-store.js";
import { SessionUpload } from "./session-upload.js";
import { storedName } from "./stored-session.js";

/**
 * A session while it goes on, on this device. What it records is appended to its content: on the disk, and where the
 * companion wants it at the hub as well, each byte once; what an input costs, in time and in memory, does not depend on how
 * long the session is. It goes into the outbox when it ends. What it is, and when it ends, is for the companion that
 * extends this class; it tells `left()` what to switch off.
 *
 * Events: `ended` (detail: the id of the session, null where nothing of it is stored); `taken` when another page has
 * taken it; `handed` when another device has; `trouble` (detail: the problem) where this device cannot store it.
 */
export class ActiveSession extends EventTarget {
    #sessions;
    #held;
    #upload = null;
    #length; // of what was recorded, on the disk or not yet
    #checksum; // of that
    #pending = []; // recorded, and not on the disk yet
    #writing = Promise.resolve();
    #next = null;
    #isOver = false;
    #isEnding = false; // what was recorded is stored all the same
    #offered; // what the upload knows of: `{length, checksum}`

    /**
     * The header, stored with each chunk: `{id, name, person, startedAt, place, ahead, by: {profile, household}, length,
     * checksum, uploaded}`, and what the companion wants besides. `name`: under which it is stored; `place`: which it is of
     * those that were begun together, from 0; `by`: who was signed in when it began; `ahead`: how far the hub's clock was
     * ahead then, milliseconds; `length`, `checksum`: of what is on the disk; `uploaded`: how much of it the hub has.
     */
    stored;
    /**
     * Why this device does not store it, or null.
     * @type {Problem?}
     */
    trouble = null;
    /**
     * Why it could not be put into the outbox, or null: it is still stored then.
     * @type {Error?}
     */
    stuck = null;

    /**
     * @param {import("./active-sessions.js").ActiveSessions} sessions
     * @param {object} stored
     * @param {object} held  what {@link onePage} gave
     */
    constructor(sessions, stored, held) {
        super();
        this.#sessions = sessions;
        this.#held = held;
        this.stored = {
            name: storedName(sessions.slug, stored.by.household, stored.person), length: 0, checksum: 0, uploaded: 0, ...stored,
        };
        this.#length = this.stored.length;
        this.#checksum = this.stored.checksum;
        this.#offered = { length: this.#length, checksum: this.#checksum };
        if (sessions.isUploaded) this.#upload = new SessionUpload(this.#path, this.stored, {
            read: (offset, most) => readChunk(stored.id, offset, most),
            acknowledged: (offset) => {
                this.stored.uploaded = offset;
                this.acknowledged(offset);
            },
            elsewhere: () => this.elsewhere(),
        });
        held.taken.then(() => {
            this.leave();
            this.dispatchEvent(new Event("taken"));
        });
    }

    get isOver() { return this.#isOver; }

    /** Whether it is of the household that is signed in here. */
    get isOurs() { return isOurs(this.stored); }

    /** How many bytes were recorded. */
    get length() { return this.#length; }

    /** The hub's time, as far as it was known when the session began: a session has one clock from begin to end. */
    wallTime() { return Date.now() + this.stored.ahead; }

    /**
     * All that was recorded, which the engine is to take up.
     * @returns {Promise<Uint8Array>}
     */
    async content() { return joined([await readContent(this.stored.id), ...this.#pending]); }

    /**
     * Appends what was recorded, one after the other; what comes while the disk is busy goes together. The header goes with
     * it, also where nothing was recorded.
     * @param {Uint8Array} bytes
     * @returns {Promise<void>}  settles once they are on the disk, or `trouble` has said why not
     */
    append(bytes) {
        if (bytes.length > 0) this.#pending.push(bytes);
        this.#length += bytes.length;
        this.#checksum = checksum(bytes, this.#checksum);
        this.#next ??= this.#writing = this.#writing.then(() => this.#write());
        return this.#next;
    }

    async #write() {
        this.#next = null;
        if (this.#isOver && !this.#isEnding) return;
        const bytes = joined(this.#pending);
        this.#pending = [];
        const { length: offset, checksum: before } = this.stored;
        const chunk = bytes.length > 0 ? { offset, checksum: before, bytes } : null;
        const header = { ...this.stored, length: offset + bytes.length, checksum: checksum(bytes, before) };
        let isStored = true;
        try {
            await storeChunk(this.stored.name, header, chunk);
            Object.assign(this.stored, { length: header.length, checksum: header.checksum });
        } catch (error) {
            console.info(error);
            isStored = false;
            if (chunk) this.#pending.unshift(bytes);
            if (!this.trouble) {
                this.trouble = new Problem(507, { detail: this.#sessions.notStored });
                this.dispatchEvent(new CustomEvent("trouble", { detail: this.trouble }));
            }
        }
        this.#offer(bytes.subarray(this.#offered.length - offset), isStored);
    }

    /** The hub is sent what was recorded: where it is on the disk, or cannot be, never before. */
    #offer(bytes, isStored) {
        const { length: offset, checksum: before } = this.#offered;
        if (bytes.length > 0) {
            this.#upload?.add({ offset, checksum: before, bytes }, isStored);
            this.#offered = { length: offset + bytes.length, checksum: checksum(bytes, before) };
        }
        if (this.isWorthSending) this.#upload?.soon();
    }

    /** Sends the hub what it does not have, now that the page may go. */
    uploadLast() { this.#upload?.last(); }

    /** Whether enough was recorded for the hub to hear of it. */
    get isWorthSending() { return true; }

    /**
     * The hub has so many bytes of it.
     * @param {number} _offset
     */
    acknowledged(_offset) {}

    /** Another device has gone on with it. */
    elsewhere() { this.handOver(); }

    /**
     * Puts it into the outbox, unless a page that crashed had done so; then it no longer runs.
     * @param {Delivery} delivery
     *
     * @typedef {{path: string, title: string, noted: (content: Uint8Array) => Promise<void>}} Delivery
     *   `path`: of the companion's sessions; `noted`: stores what else there is of it
     */
    async deliver(delivery) {
        if (this.#isOver) return; // a tick that came while the end was being stored has ended it as well
        await this.#put(delivery);
        this.dispatchEvent(new CustomEvent("ended", { detail: this.stored.id }));
    }

    async #put({ path, title, noted }) {
        this.#isEnding = true;
        this.leave(false);
        await this.#writing;
        const { id, person, by, startedAt, length, checksum: total, uploaded } = this.stored;
        try {
            const content = await this.content();
            await noted(content);
            // What this device could not store while it went on goes into the outbox as it is in memory.
            const isOnDisk = this.#pending.length === 0;
            const before = (await outbox.entries()).find((entry) => entry.queue === id);
            if (!before) {
                await outbox.add({
                    queue: id, path, type: "application/octet-stream", by, title, about: { person: person.id, at: startedAt },
                    ...isOnDisk ? { upload: { path: this.#folder, id, length, checksum: total, uploaded, copy: newID() } }
                        : { bytes: content },
                });
            }
            await forgetSession(this.stored.name, (before ? before.upload : isOnDisk) ? null : id);
        } catch (error) {
            this.stuck = error;
            this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        }
        this.#held.release();
    }

    /** Ends it, and stores nothing of it. */
    async drop() {
        this.leave();
        await this.#forget();
        this.dispatchEvent(new CustomEvent("ended", { detail: null }));
    }

    /**
     * Another device has gone on with it: it is stored there, and nothing of it here.
     * @param {Delivery?} [delivery]  where something was recorded here that is not there: the hub is given that too, and
     *   what it refuses stays in the outbox
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
        this.#upload?.end();
        this.left();
        this.#sessions.hasLeft(this);
        if (release) this.#held.release();
    }

    /** Switches off what the companion has switched on for it. */
    left() {}

    get #folder() { return `/api/${this.#sessions.slug}/active`; }
    get #path() { return `${this.#folder}/${encodeURIComponent(this.stored.id)}`; }

    /** After what is being written: it would be there again. */
    async #forget() {
        await this.#writing;
        await forgetSession(this.stored.name, this.stored.id);
    }
}

/** @param {{by: {household: {id: string}}}} stored */
export const isOurs = ({ by }) => by.household.id === signIn.household?.id;
