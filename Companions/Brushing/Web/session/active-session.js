import { Problem } from "../../app/problem.js";
import { bytesOf } from "../../engine/base64.js";
import { ActiveSession } from "../../sessions/active-session.js";
import { ActiveSessions, bytesFrom } from "../../sessions/active-sessions.js";
import { clockTime } from "../../text/dates.js";
import { noteDone } from "../summary/done.js";
import { newID } from "../../offline/outbox-store.js";
import { PATH } from "../progress.js";
import { momentNow } from "./moment.js";
import { INPUT, OUTPUT } from "../engine-constants.js";
import { SessionGroup } from "./session-group.js";
import { t } from "../../language/text.js";

/** @typedef {import("./moment.js").Moment} Moment */

/**
 * The session of one person that runs on this device. What it is, how long it still takes and when it ends is for the engine
 * to say, which is given the time and what was pressed (session-group.js); here what it has recorded is stored on the disk before
 * the page goes on. Of it is stored besides: `{person: {id, name, face, timeZone}, isChildMode, cues, together}`, `together`:
 * the ids of all sessions that were begun with it, itself among them; null where it is the only one.
 *
 * Events, besides those of every session: `cue` (detail: "quarter", "step" or "end") at each change.
 */
export class ActiveBrushing extends ActiveSession {
    #engine;
    #isTakenUp = false;

    constructor(engine, stored, held) {
        super(activeSessions, stored, held);
        this.#engine = engine;
    }

    /** Where one is: everything that a fullscreen view draws, as Browser/SessionExports.swift writes it. */
    get view() { return this.#engine.view("session"); }
    get isPaused() { return this.view.isPaused === 1; }
    /** Whether the engine calls it over. */
    get isDone() { return this.view.isDone === 1; }

    /** The parts of the routine in their order, and how much of each is done. */
    get segments() { return this.#engine.rows("segments"); }

    /** @param {Uint8Array} routine @param {number} offset  minutes east of Greenwich @param {Moment} at */
    async begin(routine, offset, at) {
        const { call } = this.#engine;
        this.#isTakenUp = true;
        call.setID(this.#engine.put(bytesFrom(this.stored.id)));
        call.setPerson(this.#engine.put(new TextEncoder().encode(this.stored.person.id)));
        if (call.setRoutine(this.#engine.put(routine)) !== 0) {
            throw new Problem(0, { title: t`Not started`, detail: t`This routine does not work. Please choose another one.` });
        }
        const outputs = call.begin(this.#wall(at), at.monotonic, offset);
        if (outputs < 0) {
            throw new Problem(0, { title: t`Not started`, detail: t`You cannot start brushing for this person here.` });
        }
        await this.#took(outputs);
    }

    /**
     * Goes on with what was kept.
     * @param {Moment} [at]
     */
    async goOn(at = momentNow()) {
        if (this.#isTakenUp) return;
        this.#isTakenUp = true;
        const content = await this.content();
        if (this.isOver) return;
        // Where nobody can go on with it, the hub says why.
        const error = this.#engine.call.resumeSession(this.#engine.put(content), this.#wall(at), at.monotonic);
        if (error !== 0) return this.#deliver();
        await this.#save();
        if (this.isDone) await this.#end();
    }

    stop() { return this.act(INPUT.stop, momentNow()); }

    /** Whether so much was brushed that one would miss it. */
    get isWorthKeeping() { return this.view.isWorthKeeping === 1; }

    /** Switches the sounds of this session off or on. */
    async setSound(isOn) {
        this.stored.cues = { ...this.stored.cues, sound: isOn };
        await this.#save();
    }

    /**
     * What was pressed, or that somebody has looked at the clock.
     * @param {number} input  of {@link INPUT}
     * @param {Moment} at
     */
    async act(input, at) {
        if (this.isOver) return;
        if (input === INPUT.tick && !this.isOurs) return this.leave(); // it was paused when they signed out
        const outputs = this.#engine.call.handle(input, this.#wall(at), at.monotonic);
        if (outputs & (OUTPUT.recorded | OUTPUT.ended) || input !== INPUT.tick) await this.#took(outputs);
    }

    /** The hub's time: a session has one clock from begin to end. */
    #wall({ wall }) { return wall + this.stored.ahead; }

    /** A change is heard before it is stored, which takes as long as the disk does: the screen shows it by then. */
    async #took(outputs) {
        if (!this.isDone) {
            if (outputs & OUTPUT.stepChanged) this.#cue("step");
            else if (outputs & OUTPUT.repetitionChanged) this.#cue("quarter");
        }
        if (outputs & OUTPUT.recorded) await this.#save();
        if (!this.isOver && this.isDone) await this.#end();
    }

    #cue(detail) {
        this.dispatchEvent(new CustomEvent("cue", { detail }));
    }

    async #end() {
        if (this.isOver) return;
        const isWorthKeeping = this.isWorthKeeping;
        if (this.view.isFinished) this.#cue("end");
        this.#engine.call.handle(INPUT.finish, this.wallTime(), performance.now());
        await this.#save();
        if (isWorthKeeping) return this.#deliver();
        await this.drop();
    }

    #deliver() {
        const { person, startedAt } = this.stored;
        return this.deliver({
            path: PATH, title: t`${person.name} brushed, ${clockTime(startedAt)}`,
            noted: (bytes) => noteDone({ ...this.stored, bytes }),
        });
    }

    /** Keeps what the engine has recorded. */
    #save() {
        return this.append(this.#engine.answer(this.#engine.call.sessionFrom(this.length)));
    }
}

const activeSessions = new ActiveSessions({
    slug: "brushing",
    notStored: t`This device cannot save while you brush. Please leave this page open until the end.`,
    busy: t`Somebody is brushing in another window on this device.`,
    make: (engine, stored, held) => new ActiveBrushing(engine, stored, held),
    now: () => performance.now(),
    isOver: (engine) => engine.view("session").isDone === 1,
});

let group = null;

/** @param {ActiveBrushing[]} all */
function groupOf(all) {
    if (!group || group.isOver || all.some((one) => !group.all.includes(one))) group = new SessionGroup(all);
    return group;
}

/**
 * What runs on this device, in whatever page, as it is stored. What was left for so long that the engine calls it over is
 * delivered, and in nobody's way.
 * @returns {Promise<any[]>}
 */
export const findSessions = () => activeSessions.lookAll();

/**
 * Begins a session, or two that are guided together, each of its own person; unless some run.
 * @param {Array<object>} people  of the overview; they follow the routine of the first
 * @returns {Promise<Array<{id: string, name: string}>>}  who brushes now
 */
export async function beginSessions(people) {
    const [{ routine, cues }] = people;
    const ids = people.map(() => newID());
    let at = null;
    const all = await activeSessions.beginAll(people.map(({ id, name, face, timeZone, isChildMode }, i) => ({
        id: ids[i], cues, isChildMode, person: { id, name, face, timeZone }, together: people.length > 1 ? ids : null,
    })), (active) => {
        at ??= momentNow();
        return active.begin(bytesOf(routine.bytes), -new Date().getTimezoneOffset(), at);
    });
    const running = all.some(({ id }) => ids.includes(id)) && await goOn();
    if (running instanceof SessionGroup) running.watch();
    return all.map(({ person }) => person);
}

/** Ends the sessions that run on this device, in whatever page, and delivers them. */
export const endSessions = () => activeSessions.end();

/**
 * Goes on with the sessions that this device has kept.
 * @param {{take?: boolean}} [options]  `take`: also from another page that runs them
 * @returns {Promise<SessionGroup|"elsewhere"|null>}  null where none is stored
 */
export async function goOn(options) {
    const all = await activeSessions.goOnAll(options);
    if (all === "elsewhere") return all;
    return all.length > 0 ? groupOf(all) : null;
}
