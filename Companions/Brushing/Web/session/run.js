import { engine } from "../../engine/engine.js";
import { now } from "../../house/clock.js";
import { Problem } from "../../house/problem.js";
import { session } from "../../house/session.js";
import { onePage } from "../../offline/one-page.js";
import { outbox } from "../../offline/outbox.js";
import { endRunning, keepRunning } from "../../offline/running.js";
import { clockTime } from "../../words/dates.js";
import { bytesOf } from "../../engine/base64.js";
import { noteDone } from "../summary/done.js";
import { PATH } from "../progress.js";
import { keptRun, nameOf } from "./kept-run.js";
import { segmentsOf } from "./segments.js";

const NAME = "brushing";
const TICK = 100; // milliseconds: how often the engine is asked what has become of the time

/** What a call of the engine's `handle` may say, as bits. */
const OUTPUT = { recorded: 1, repetition: 2, step: 4, ended: 8 };
/** What can be done to a session, as the engine numbers it. */
const INPUT = { tick: 0, pause: 1, resume: 2, skip: 3, stop: 4, finish: 5, seen: 8 };
const FINISHED = 1; // the engine's number of an end that was reached

/**
 * The session that runs on this device. What it is, how long it still takes and when it ends is for the engine to say,
 * which is told the time and what was pressed; here what it has recorded is kept on the disk before the page goes on.
 *
 * Events: `tick`; `cue` (detail: "quarter", "step" or "end") at each change; `pause` when it was paused or resumed;
 * `ended` (detail: the id of the session, null where nothing was brushed); `taken` when another page has taken it;
 * `trouble` (detail: the problem) where this device cannot keep it.
 */
class Run extends EventTarget {
    #engine;
    #held;
    #timer = null;
    #saving = Promise.resolve();
    #isOver = false;

    /**
     * `{id, person: {id, name, face, timeZone}, by: {profile, household}, isChildMode, cues, ahead, startedAt, bytes}`
     * as it is kept; `by`: who was signed in when it began.
     */
    kept;
    /** Why this device does not keep it, or null. @type {Problem?} */
    trouble = null;
    /** Why it could not be put into the outbox, or null: it is still kept then. @type {Error?} */
    stuck = null;

    constructor(engine, kept, held) {
        super();
        this.#engine = engine;
        this.#held = held;
        this.kept = kept;
        held.taken.then(() => {
            this.#leave();
            this.dispatchEvent(new Event("taken"));
        });
    }

    /** What the engine says: the functions of Browser/SessionExports.swift. */
    get says() { return this.#engine.call; }
    get isPaused() { return this.says.isPaused() === 1; }
    get isOver() { return this.#isOver; }

    /** Where one is: everything that a stage draws. */
    get view() {
        const { says } = this;
        return {
            kind: says.stepKind(), repetition: says.repetition() - 1, repetitions: says.repetitions(),
            remaining: says.remainingMilliseconds(), fraction: says.fraction(), segment: says.segmentIndex(),
            surface: says.zonePart(),
            isPaused: this.isPaused,
        };
    }

    /** The parts of the routine in their order, as {@link segmentsOf} tells them. */
    get segments() { return segmentsOf(this.says); }

    /** How much of a part is done, 0 to 1. */
    done(segment) { return this.says.segmentDone(segment); }

    async begin(routine, offset) {
        const { call } = this.#engine;
        call.setID(this.#engine.put(bytesFrom(this.kept.id)));
        call.setPerson(this.#engine.put(new TextEncoder().encode(this.kept.person.id)));
        if (call.setRoutine(this.#engine.put(routine)) !== 0) {
            throw new Problem(0, { title: "Not begun", detail: "This routine cannot be brushed. Choose another one." });
        }
        const outputs = call.begin(this.#wall(), performance.now(), offset);
        if (outputs < 0) {
            throw new Problem(0, { title: "Not begun", detail: "This page cannot begin a session for them." });
        }
        await this.#took(outputs);
        this.#watch();
    }

    /** Goes on with what was kept; called by who hears the events. */
    async goOn() {
        if (this.#timer) return;
        const fault = this.says.resume(this.#engine.put(this.kept.bytes), this.#wall(), performance.now());
        if (fault !== 0) return this.#deliver(); // nobody can go on with it; the hub says why
        this.#watch();
        await this.#save();
        if (this.says.isDone()) await this.#end();
    }

    pause() { return this.#act(INPUT.pause); }
    resume() { return this.#act(INPUT.resume); }
    skip() { return this.#act(INPUT.skip); }
    stop() { return this.#act(INPUT.stop); }

    /** Whether so much was brushed that one would miss it. */
    get isWorthKeeping() { return this.says.isWorthKeeping() === 1; }

    /** Switches the sounds of this session off or on. */
    async setSound(isOn) {
        this.kept.cues = { ...this.kept.cues, sound: isOn };
        await this.#save();
    }

    #watch() {
        this.#timer = setInterval(() => this.#act(INPUT.tick), TICK);
        document.addEventListener("visibilitychange", this.#look);
        addEventListener("pagehide", this.#look);
    }

    /** A page that is hidden may never be seen again: what it has counted so far is kept. */
    #look = ({ type }) => this.#act(type === "pagehide" || document.hidden ? INPUT.seen : INPUT.tick);

    async #act(input) {
        if (this.#isOver) return;
        if (input === INPUT.tick && !isOurs(this.kept)) return this.#leave(); // it was paused when they signed out
        const outputs = this.says.handle(input, this.#wall(), performance.now());
        if (outputs & (OUTPUT.recorded | OUTPUT.ended) || input !== INPUT.tick) await this.#took(outputs, input);
        else this.dispatchEvent(new Event("tick"));
    }

    async #took(outputs, input) {
        if (outputs & OUTPUT.recorded) await this.#save();
        if (this.#isOver) return;
        if (this.says.isDone()) return this.#end();
        if (outputs & OUTPUT.step) this.#cue("step");
        else if (outputs & OUTPUT.repetition) this.#cue("quarter");
        if (input === INPUT.pause || input === INPUT.resume) this.dispatchEvent(new Event("pause"));
        this.dispatchEvent(new Event("tick"));
    }

    #cue(detail) {
        this.dispatchEvent(new CustomEvent("cue", { detail }));
    }

    async #end() {
        if (this.#isOver) return;
        const isWorthKeeping = this.isWorthKeeping;
        if (this.says.endReason() === FINISHED) this.#cue("end");
        this.says.handle(INPUT.finish, this.#wall(), performance.now());
        await this.#save();
        if (isWorthKeeping) return this.#deliver();
        this.#leave();
        await endRunning(nameOf(this.kept.by.household));
        this.dispatchEvent(new CustomEvent("ended", { detail: null }));
    }

    /** Into the outbox, unless a page that crashed had done so; then it no longer runs. */
    async #deliver() {
        this.#leave(false);
        const { id, person, by, startedAt, bytes } = this.kept;
        try {
            const isThere = (await outbox.entries()).some((entry) => entry.lane === id);
            await noteDone(this.kept);
            if (!isThere) {
                await outbox.add({
                    lane: id, path: PATH, type: "application/octet-stream", bytes, by,
                    title: `${person.name} brushed, ${clockTime(startedAt)}`,
                    about: { person: person.id, at: startedAt },
                });
            }
            await endRunning(nameOf(by.household));
        } catch (error) {
            this.stuck = error;
            this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        }
        this.#held.release();
        this.dispatchEvent(new CustomEvent("ended", { detail: id }));
    }

    /** Keeps what the engine has recorded; one after the other. */
    #save() {
        this.kept.bytes = this.#engine.answer(this.says.encode());
        const kept = { ...this.kept };
        const name = nameOf(kept.by.household);
        this.#saving = this.#saving.then(() => !this.#isOver && keepRunning(name, kept)).catch((error) => {
            console.info(error);
            if (this.trouble) return;
            this.trouble = new Problem(507, {
                detail: "This device cannot keep what is brushed while it runs: leave this page open until the end.",
            });
            this.dispatchEvent(new CustomEvent("trouble", { detail: this.trouble }));
        });
        return this.#saving;
    }

    #leave(release = true) {
        this.#isOver = true;
        clearInterval(this.#timer);
        document.removeEventListener("visibilitychange", this.#look);
        removeEventListener("pagehide", this.#look);
        if (current === this) current = null;
        if (release) this.#held.release();
    }

    /** The hub's time, as far as it was known when the session began: a session has one clock from begin to end. */
    #wall() { return Date.now() + this.kept.ahead; }
}

let current = null;
let looking = null;

const isOurs = ({ by }) => by.household.id === session.household?.id;

/**
 * What runs on this device, in whatever page, as it is kept; null where nothing does. One that was left for so long
 * that the engine calls it over is delivered, and in nobody's way.
 */
export function lookRun() {
    looking ??= look().finally(() => { looking = null; });
    return looking;
}

async function look() {
    if (current && isOurs(current.kept)) return current.kept;
    const kept = await keptRun();
    if (!kept || !await isOver(kept)) return kept;
    const run = await goOn();
    if (!run) return null;
    if (run === "elsewhere") return kept; // where more is known than was kept
    await run.goOn();
    return run.stuck ? kept : null;
}

async function isOver({ bytes, ahead }) {
    const reader = await engine(NAME);
    const { call } = reader;
    return call.resume(reader.put(bytes), Date.now() + ahead, performance.now()) !== 0 || call.isDone() === 1;
}

/**
 * Begins a session, unless one runs.
 * @param {object} person  of the desk
 * @returns {Promise<{id: string, name: string}>}  whose session it is that runs now
 */
export async function beginRun(person) {
    const before = await lookRun();
    if (before) return before.person;
    const [held, brushing] = await Promise.all([onePage(NAME), engine(NAME)]);
    const other = await keptRun(); // begun in another page meanwhile
    if (!held || other) {
        held?.release();
        if (other) return other.person;
        throw new Problem(0, { title: "Not begun", detail: "Somebody brushes in another window of this device." });
    }
    const ahead = now() - Date.now();
    const { profile, household } = session;
    const run = new Run(brushing, {
        id: newID(), ahead, startedAt: Date.now() + ahead, cues: person.cues, isChildMode: person.isChildMode,
        person: { id: person.id, name: person.name, face: person.face, timeZone: person.timeZone },
        by: { profile: namedOnly(profile), household: namedOnly(household) }, bytes: null,
    }, held);
    try {
        await run.begin(bytesOf(person.routine.bytes), -new Date().getTimezoneOffset());
    } catch (error) {
        held.release();
        throw error;
    }
    current = run;
    return run.kept.person;
}

const namedOnly = ({ id, name }) => ({ id, name });

/** Ends the session that runs on this device, in whatever page, and delivers it. */
export async function endRun() {
    const run = await goOn({ take: true });
    if (!run) return;
    await run.goOn();
    await run.stop();
    if (run.stuck) throw run.stuck;
}

/**
 * Goes on with the session that this device has kept.
 * @param {{take?: boolean}} [options]  `take`: also from another page that runs it
 * @returns {Promise<Run|"elsewhere"|null>}  null where none is kept
 */
export async function goOn({ take = false } = {}) {
    if (current && isOurs(current.kept)) return current;
    if (!await keptRun()) return null;
    const [held, brushing] = await Promise.all([onePage(NAME, { take }), engine(NAME)]);
    if (!held) return "elsewhere";
    const kept = await keptRun(); // the other page may have ended it meanwhile
    if (!kept || current) {
        held.release();
        return current && isOurs(current.kept) ? current : null;
    }
    current = new Run(brushing, kept, held);
    return current;
}

function newID() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesFrom(hex) {
    return Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16));
}
