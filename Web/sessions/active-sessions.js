import { engine } from "../engine/engine.js";
import { now } from "../app/clock.js";
import { Problem } from "../app/problem.js";
import { session } from "../app/session.js";
import { onePage } from "../offline/one-page.js";
import { newID } from "../offline/outbox-store.js";
import { isOurs, resumed, storedBytes } from "./active-session.js";
import { storedSession } from "./stored-session.js";
import { t } from "../language/text.js";

/**
 * A companion's engine. For its active session to be stored here it exports `resume(count, wallTime, at)`, which takes up
 * a whole session from the buffer, and `resumeRecording(count, wallTime, at)`, which takes up a recording.
 * @typedef {Awaited<ReturnType<typeof engine>>} SessionEngine
 */

/** The sessions of a companion on this device: one at a time, in one page at a time. */
export class ActiveSessions {
    #make;
    #now;
    #isOver;
    #busy;
    #looking = null;

    /**
     * The companion's.
     * @type {string}
     */
    slug;
    /**
     * The message where this device cannot store what is recorded.
     * @type {string}
     */
    notStored;
    /**
     * What runs in this page.
     * @type {import("./active-session.js").ActiveSession?}
     */
    current = null;

    /**
     * Whether the hub is sent a session while it goes on.
     * @type {boolean}
     */
    isUploaded;

    /**
     * @param {{slug: string, notStored: string, busy: string, isUploaded?: boolean,
     *   make: (engine: SessionEngine, stored: object, held: object) => object, now: () => number,
     *   isOver: (engine: SessionEngine) => boolean}} companion
     *   `busy`: what is said where another page has one; `make`: an active session of what is stored; `now`: the clock that
     *   is never set, as the engine counts it; `isOver`: whether the engine calls the one over that it has taken up
     */
    constructor({ slug, notStored, busy, isUploaded = false, make, now: at, isOver }) {
        this.slug = slug;
        this.notStored = notStored;
        this.isUploaded = isUploaded;
        this.#busy = busy;
        this.#make = make;
        this.#now = at;
        this.#isOver = isOver;
    }

    /**
     * What runs on this device, in whatever page, as it is stored; null where nothing does. One that was left for so
     * long that the engine calls it over is delivered, and in nobody's way.
     */
    look() {
        this.#looking ??= this.#look().finally(() => { this.#looking = null; });
        return this.#looking;
    }

    async #look() {
        if (this.#ours) return this.#ours.stored;
        const stored = await storedSession(this.slug);
        if (!stored || !await this.#isLeft(stored)) return stored;
        const active = await this.goOn();
        if (!active) return null;
        if (active === "elsewhere") return stored; // where more is known than was stored
        await active.goOn();
        return active.stuck ? stored : null;
    }

    /** Whether the engine calls it over, or nobody can go on with it. */
    async #isLeft(stored) {
        const [reader, recording] = await Promise.all([engine(this.slug), storedBytes(stored)]);
        return resumed(reader, recording, Date.now() + stored.ahead, this.#now()) !== 0 || this.#isOver(reader);
    }

    /**
     * Begins a session, unless one runs.
     * @param {object} more  what is kept of it besides `{id, ahead, startedAt, by}`
     * @param {(active: object) => Promise<void>} begin  throws where it cannot
     * @returns {Promise<object>}  what is kept of the session that runs now
     */
    async begin(more, begin) {
        const before = await this.look();
        if (before) return before;
        const [held, reader] = await Promise.all([onePage(this.slug), engine(this.slug)]);
        const other = await storedSession(this.slug); // begun in another page meanwhile
        if (!held || other) {
            held?.release();
            if (other) return other;
            throw new Problem(0, { title: t`Not started`, detail: this.#busy });
        }
        const ahead = now() - Date.now();
        const { profile, household } = session;
        const active = this.#make(reader, {
            id: newID(), ahead, startedAt: Date.now() + ahead,
            by: { profile: namedOnly(profile), household: namedOnly(household) }, ...more,
        }, held);
        try {
            await begin(active);
        } catch (error) {
            held.release();
            throw error;
        }
        this.current = active;
        return active.stored;
    }

    /**
     * Goes on with the session that this device has kept.
     * @param {{take?: boolean}} [options]  `take`: also from another page that runs it
     * @returns {Promise<object|"elsewhere"|null>}  null where none is stored
     */
    async goOn(options = {}) {
        const { take = false } = options;
        if (this.#ours) return this.#ours;
        if (!await storedSession(this.slug)) return null;
        const [held, reader] = await Promise.all([onePage(this.slug, { take }), engine(this.slug)]);
        if (!held) return "elsewhere";
        const stored = await storedSession(this.slug); // the other page may have ended it meanwhile
        if (!stored || this.current) {
            held.release();
            return this.#ours;
        }
        this.current = this.#make(reader, stored, held);
        return this.current;
    }

    /** Ends the session that runs on this device, in whatever page, and delivers it. */
    async end() {
        const active = await this.goOn({ take: true });
        if (!active) return;
        await active.goOn();
        await active.stop();
        if (active.stuck) throw active.stuck;
    }

    get #ours() { return this.current && isOurs(this.current.stored) ? this.current : null; }
}

const namedOnly = ({ id, name }) => ({ id, name });

/**
 * The bytes of such an id.
 * @param {string} hex
 * @returns {Uint8Array}
 */
export function bytesFrom(hex) {
    return Uint8Array.from(hex.match(/../g).map((pair) => Number.parseInt(pair, 16)));
}
