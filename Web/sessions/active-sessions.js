import { engine } from "../engine/engine.js";
import { now } from "../app/clock.js";
import { Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { onePage } from "../offline/one-page.js";
import { newID } from "../offline/outbox-store.js";
import { isOurs } from "./active-session.js";
import { readContent } from "./content-store.js";
import { storedSessions } from "./stored-session.js";
import { t } from "../language/text.js";

/**
 * A companion's engine. For its active session to be stored here it exports `resumeSession(count, wallTime, at)`, which
 * takes up the session whose content is in the buffer: `wallTime` in UTC milliseconds, the hub's; `at` of the clock that is
 * never set, as the engine counts it. It answers 0, or the engine's number of why it cannot.
 * @typedef {Awaited<ReturnType<typeof engine>>} SessionEngine
 */

/**
 * The sessions of a companion on this device: one of a person, those that were begun together, in one page at a time.
 * @template {import("./active-session.js").ActiveSession & {goOn: () => Promise<any>, stop: () => Promise<any>}} [Active=any]
 */
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
     * @type {Active[]}
     */
    #running = [];

    /**
     * Whether the hub is sent a session while it goes on.
     * @type {boolean}
     */
    isUploaded;

    /**
     * @param {{slug: string, notStored: string, busy: string, isUploaded?: boolean,
     *   make: (engine: SessionEngine, stored: object, held: object) => Active, now: () => number,
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
     * What runs on this device, in whatever page, as it is stored. What was left for so long that the engine calls it over
     * is delivered, and in nobody's way.
     * @returns {Promise<any[]>}
     */
    lookAll() {
        this.#looking ??= this.#lookAll().finally(() => { this.#looking = null; });
        return this.#looking;
    }

    /** The first of them, or null. */
    async look() { return (await this.lookAll())[0] ?? null; }

    async #lookAll() {
        if (this.#ours.length > 0) return this.#ours.map(({ stored }) => stored);
        const all = await storedSessions(this.slug);
        const isLeft = await Promise.all(all.map((stored) => this.#isLeft(stored)));
        if (!isLeft.includes(true)) return all;
        const left = new Set(all.filter((_, i) => isLeft[i]).map(({ id }) => id));
        const actives = await this.#goOn({ isWanted: ({ id }) => left.has(id) });
        if (actives === "elsewhere") return all; // where more is known than was stored
        for (const active of actives) await active.goOn();
        const stuck = actives.filter((active) => active.stuck).map(({ stored }) => stored.id);
        return all.filter(({ id }) => !left.has(id) || stuck.includes(id));
    }

    /** Whether the engine calls it over, or nobody can go on with it. */
    async #isLeft(stored) {
        const [reader, content] = await Promise.all([engine(this.slug), readContent(stored.id)]);
        const { call } = reader;
        return call.resumeSession(reader.put(content), Date.now() + stored.ahead, this.#now()) !== 0 || this.#isOver(reader);
    }

    /**
     * Begins sessions together, one of a person, unless some run.
     * @param {Array<{person: {id: string}, [name: string]: any}>} all  what is kept of each besides `{id, place, ahead,
     *   startedAt, by}`
     * @param {(active: Active) => Promise<void>} begin  throws where it cannot: then none has begun
     * @returns {Promise<any[]>}  what is kept of those that run now
     */
    async beginAll(all, begin) {
        const before = await this.lookAll();
        if (before.length > 0) return before;
        const [held, readers] = await Promise.all([
            onePage(this.slug), Promise.all(all.map(() => engine(this.slug))),
        ]);
        const others = await storedSessions(this.slug); // begun in another page meanwhile
        if (!held || others.length > 0) {
            held?.release();
            if (others.length > 0) return others;
            throw new Problem(0, { title: t`Not started`, detail: this.#busy });
        }
        const ahead = now() - Date.now();
        const startedAt = Date.now() + ahead;
        const by = { profile: namedOnly(signIn.profile), household: namedOnly(signIn.household) };
        const shares = sharesOf(held, all.length);
        const actives = all.map((more, place) => this.#make(readers[place], {
            id: newID(), place, ahead, startedAt, by, ...more,
        }, shares[place]));
        try {
            for (const active of actives) await begin(active);
        } catch (error) {
            for (const active of actives) await active.drop();
            throw error;
        }
        this.#running = actives;
        return actives.map(({ stored }) => stored);
    }

    /**
     * Begins one session, unless one runs.
     * @param {{person: {id: string}, [name: string]: any}} more  as of {@link beginAll}
     * @param {(active: Active) => Promise<void>} begin
     * @returns {Promise<any>}  what is kept of the one that runs now
     */
    async begin(more, begin) { return (await this.beginAll([more], begin))[0]; }

    /**
     * Goes on with the sessions that this device has kept.
     * @param {{take?: boolean}} [options]  `take`: also from another page that runs them
     * @returns {Promise<Active[]|"elsewhere">}
     */
    goOnAll(options) { return this.#goOn(options); }

    /**
     * Goes on with the one that this device has kept.
     * @param {{take?: boolean}} [options]
     * @returns {Promise<Active|"elsewhere"|null>}  null where none is stored
     */
    async goOn(options) {
        const actives = await this.#goOn(options);
        return actives === "elsewhere" ? actives : actives[0] ?? null;
    }

    /**
     * @param {{take?: boolean, isWanted?: (stored: {id: string}) => boolean}} [options]
     * @returns {Promise<Active[]|"elsewhere">}
     */
    async #goOn(options = {}) {
        const { take = false, isWanted = () => true } = options;
        if (this.#running.length > 0) return this.#ours;
        if ((await storedSessions(this.slug)).length === 0) return [];
        const held = await onePage(this.slug, { take });
        if (!held) return "elsewhere";
        // The other page may have ended them meanwhile.
        const all = (await storedSessions(this.slug)).filter((stored) => isWanted(stored));
        const readers = await Promise.all(all.map(() => engine(this.slug)));
        if (all.length === 0 || this.#running.length > 0) {
            held.release();
            return this.#ours;
        }
        const shares = sharesOf(held, all.length);
        this.#running = all.map((stored, i) => this.#make(readers[i], stored, shares[i]));
        return this.#running;
    }

    /** Ends the sessions that run on this device, in whatever page, and delivers them. */
    async end() {
        const actives = await this.#goOn({ take: true });
        if (actives === "elsewhere") return; // another page took them in this moment
        for (const active of actives) {
            await active.goOn();
            await active.stop();
        }
        const stuck = actives.find((active) => active.stuck);
        if (stuck) throw stuck.stuck;
    }

    /**
     * This page runs it no longer.
     * @param {Active} active
     */
    hasLeft(active) { this.#running = this.#running.filter((one) => one !== active); }

    get #ours() { return this.#running.filter(({ stored }) => isOurs(stored)); }
}

/**
 * What {@link onePage} gave, for several sessions: it is let go with the last of them.
 * @param {{release: () => void, taken: Promise<void>}} held
 * @param {number} count
 */
function sharesOf(held, count) {
    const using = new Set(Array(count).keys());
    return [...using].map((share) => ({
        taken: held.taken,
        release: () => {
            if (using.delete(share) && using.size === 0) held.release();
        },
    }));
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
