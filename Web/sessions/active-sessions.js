import { engine } from "../engine/engine.js";
import { now } from "../house/clock.js";
import { Problem } from "../house/problem.js";
import { session } from "../house/session.js";
import { onePage } from "../offline/one-page.js";
import { newID } from "../offline/outbox-store.js";
import { isOurs, resumed, storedBytes } from "./active-session.js";
import { storedSession } from "./stored-session.js";

/**
 * A companion's engine. For its active session to be stored here it exports `resume(count, wall, at)`, which takes up a
 * whole session from the buffer, and `resumeRecording(count, wall, at)`, which takes up a recording.
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
     * What is said where this device cannot keep what is recorded.
     * @type {string}
     */
    unkept;
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
     * @param {{slug: string, unkept: string, busy: string, isUploaded?: boolean,
     *   make: (engine: SessionEngine, kept: object, held: object) => object, now: () => number,
     *   isOver: (engine: SessionEngine) => boolean}} companion
     *   `busy`: what is said where another page has one; `make`: an active session of what is stored; `now`: the clock that
     *   is never set, as the engine counts it; `isOver`: whether the engine calls the one over that it has taken up
     */
    constructor({ slug, unkept, busy, isUploaded = false, make, now: at, isOver }) {
        this.slug = slug;
        this.unkept = unkept;
        this.isUploaded = isUploaded;
        this.#busy = busy;
        this.#make = make;
        this.#now = at;
        this.#isOver = isOver;
    }

    /**
     * What runs on this device, in whatever page, as it is kept; null where nothing does. One that was left for so long
     * that the engine calls it over is delivered, and in nobody's way.
     */
    look() {
        this.#looking ??= this.#look().finally(() => { this.#looking = null; });
        return this.#looking;
    }

    async #look() {
        if (this.#ours) return this.#ours.kept;
        const kept = await storedSession(this.slug);
        if (!kept || !await this.#isLeft(kept)) return kept;
        const run = await this.goOn();
        if (!run) return null;
        if (run === "elsewhere") return kept; // where more is known than was kept
        await run.goOn();
        return run.stuck ? kept : null;
    }

    /** Whether the engine calls it over, or nobody can go on with it. */
    async #isLeft(kept) {
        const [reader, stored] = await Promise.all([engine(this.slug), storedBytes(kept)]);
        return resumed(reader, stored, Date.now() + kept.ahead, this.#now()) !== 0 || this.#isOver(reader);
    }

    /**
     * Begins a session, unless one runs.
     * @param {object} more  what is kept of it besides `{id, ahead, startedAt, by}`
     * @param {(run: object) => Promise<void>} begin  throws where it cannot
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
            throw new Problem(0, { title: "Not begun", detail: this.#busy });
        }
        const ahead = now() - Date.now();
        const { profile, household } = session;
        const run = this.#make(reader, {
            id: newID(), ahead, startedAt: Date.now() + ahead,
            by: { profile: namedOnly(profile), household: namedOnly(household) }, ...more,
        }, held);
        try {
            await begin(run);
        } catch (error) {
            held.release();
            throw error;
        }
        this.current = run;
        return run.kept;
    }

    /**
     * Goes on with the session that this device has kept.
     * @param {{take?: boolean}} [options]  `take`: also from another page that runs it
     * @returns {Promise<object|"elsewhere"|null>}  null where none is kept
     */
    async goOn(options = {}) {
        const { take = false } = options;
        if (this.#ours) return this.#ours;
        if (!await storedSession(this.slug)) return null;
        const [held, reader] = await Promise.all([onePage(this.slug, { take }), engine(this.slug)]);
        if (!held) return "elsewhere";
        const kept = await storedSession(this.slug); // the other page may have ended it meanwhile
        if (!kept || this.current) {
            held.release();
            return this.#ours;
        }
        this.current = this.#make(reader, kept, held);
        return this.current;
    }

    /** Ends the session that runs on this device, in whatever page, and delivers it. */
    async end() {
        const run = await this.goOn({ take: true });
        if (!run) return;
        await run.goOn();
        await run.stop();
        if (run.stuck) throw run.stuck;
    }

    get #ours() { return this.current && isOurs(this.current.kept) ? this.current : null; }
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
