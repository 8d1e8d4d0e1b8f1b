import { Problem } from "../../app/problem.js";
import { bytesOf } from "../../engine/base64.js";
import { ActiveSession, resumed } from "../../sessions/active-session.js";
import { ActiveSessions, bytesFrom } from "../../sessions/active-sessions.js";
import { clockTime } from "../../text/dates.js";
import { noteDone } from "../summary/done.js";
import { PATH } from "../progress.js";
import { segmentsOf } from "./segments.js";
import { t } from "../../language/text.js";

const TICK = 100; // milliseconds: how often the engine is asked what has become of the time

/** What a call of the engine's `handle` may say, as bits. */
const OUTPUT = { recorded: 1, repetition: 2, step: 4, ended: 8 };
/** What can be done to a session, as the engine numbers it. */
const INPUT = { tick: 0, pause: 1, resume: 2, skip: 3, stop: 4, finish: 5, seen: 8 };
const FINISHED = 1; // the engine's number of an end that was reached

/**
 * The session that runs on this device. What it is, how long it still takes and when it ends is for the engine to say,
 * which is given the time and what was pressed; here what it has recorded is stored on the disk before the page goes
 * on. Of it is stored besides: `{person: {id, name, face, timeZone}, isChildMode, cues}`.
 *
 * Events, besides those of every session: `tick`; `cue` (detail: "quarter", "step" or "end") at each change; `pause`
 * when it was paused or resumed.
 */
class ActiveBrushing extends ActiveSession {
    #engine;
    #timer = null;

    constructor(engine, stored, held) {
        super(activeSessions, stored, held);
        this.#engine = engine;
    }

    /** What the engine says: the functions of Browser/SessionExports.swift. */
    get says() { return this.#engine.call; }
    get isPaused() { return this.says.isPaused() === 1; }

    /** Where one is: everything that a fullscreen view draws. */
    get view() {
        const { says } = this;
        return {
            kind: says.stepKind(), repetition: says.repetition() - 1, repetitions: says.repetitions(),
            place: says.place(),
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
        call.setID(this.#engine.put(bytesFrom(this.stored.id)));
        call.setPerson(this.#engine.put(new TextEncoder().encode(this.stored.person.id)));
        if (call.setRoutine(this.#engine.put(routine)) !== 0) {
            throw new Problem(0, { title: t`Not started`, detail: t`This routine does not work. Please choose another one.` });
        }
        const outputs = call.begin(this.wallTime(), performance.now(), offset);
        if (outputs < 0) {
            throw new Problem(0, { title: t`Not started`, detail: t`You cannot start brushing for this person here.` });
        }
        await this.#took(outputs);
        this.#watch();
    }

    /** Goes on with what was kept; called by who hears the events. */
    async goOn() {
        if (this.#timer) return;
        const stored = await this.storedBytes();
        if (this.#timer || this.isOver) return;
        // Where nobody can go on with it, the hub says why.
        if (resumed(this.#engine, stored, this.wallTime(), performance.now()) !== 0) return this.#deliver(null);
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
        this.stored.cues = { ...this.stored.cues, sound: isOn };
        await this.#save();
    }

    #watch() {
        this.#timer = setInterval(() => this.#act(INPUT.tick), TICK);
        document.addEventListener("visibilitychange", this.#look);
        addEventListener("pagehide", this.#look);
    }

    /** A page that is hidden may never be seen again: what it has counted so far is stored. */
    #look = ({ type }) => this.#act(type === "pagehide" || document.hidden ? INPUT.seen : INPUT.tick);

    async #act(input) {
        if (this.isOver) return;
        if (input === INPUT.tick && !this.isOurs) return this.leave(); // it was paused when they signed out
        const outputs = this.says.handle(input, this.wallTime(), performance.now());
        if (outputs & (OUTPUT.recorded | OUTPUT.ended) || input !== INPUT.tick) await this.#took(outputs, input);
        else this.dispatchEvent(new Event("tick"));
    }

    async #took(outputs, input) {
        if (outputs & OUTPUT.recorded) await this.#save();
        if (this.isOver) return;
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
        if (this.isOver) return;
        const isWorthKeeping = this.isWorthKeeping;
        if (this.says.endReason() === FINISHED) this.#cue("end");
        this.says.handle(INPUT.finish, this.wallTime(), performance.now());
        await this.#save();
        if (isWorthKeeping) return this.#deliver();
        await this.drop();
    }

    #deliver(whole = this.#engine.answer(this.says.encode())) {
        const { person, startedAt } = this.stored;
        return this.deliver({
            path: PATH, title: `${person.name} brushed, ${clockTime(startedAt)}`, bytes: whole,
            noted: (bytes) => noteDone({ ...this.stored, bytes }),
        });
    }

    /** Keeps what the engine has recorded. */
    #save() {
        return this.append(this.#engine.answer(this.says.recordingFrom(this.length)));
    }

    left() {
        clearInterval(this.#timer);
        document.removeEventListener("visibilitychange", this.#look);
        removeEventListener("pagehide", this.#look);
    }
}

const activeSessions = new ActiveSessions({
    slug: "brushing",
    notStored: t`This device cannot save while you brush. Please leave this page open until the end.`,
    busy: t`Somebody is brushing in another window on this device.`,
    make: (engine, stored, held) => new ActiveBrushing(engine, stored, held),
    now: () => performance.now(),
    isOver: ({ call }) => call.isDone() === 1,
});

/**
 * What runs on this device, in whatever page, as it is stored; null where nothing does. One that was left for so long
 * that the engine calls it over is delivered, and in nobody's way.
 */
export const findSession = () => activeSessions.look();

/**
 * Begins a session, unless one runs.
 * @param {object} person  of the overview
 * @returns {Promise<{id: string, name: string}>}  whose session it is that runs now
 */
export async function beginSession(person) {
    const stored = await activeSessions.begin({
        cues: person.cues, isChildMode: person.isChildMode,
        person: { id: person.id, name: person.name, face: person.face, timeZone: person.timeZone },
    }, (active) => active.begin(bytesOf(person.routine.bytes), -new Date().getTimezoneOffset()));
    return stored.person;
}

/** Ends the session that runs on this device, in whatever page, and delivers it. */
export const endSession = () => activeSessions.end();

/**
 * Goes on with the session that this device has kept.
 * @param {{take?: boolean}} [options]  `take`: also from another page that runs it
 * @returns {Promise<ActiveBrushing|"elsewhere"|null>}  null where none is stored
 */
export const goOn = (options) => activeSessions.goOn(options);
