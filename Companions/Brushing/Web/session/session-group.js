import { momentNow } from "./moment.js";
import { INPUT } from "../engine-constants.js";

const TICK = 100; // milliseconds: how often the engine is asked what has become of the time

/**
 * Who brushes at this device now: one, or two who began together. What is pressed, and each look at the clock, goes to the
 * session of each in the same moment, so that their engines guide them through the same parts; each is recorded, and comes
 * to a result, by itself. The first who still brushes is the one whose engine is asked what to show.
 *
 * Events: `tick`; `cue` (detail: "quarter", "step" or "end") at each change; `pause` when it was paused or resumed; `alone`
 * (detail: the session) when somebody has stopped and another goes on; `ended` (detail: the ids of those of which something
 * is stored) when nobody does; `taken` when another page has taken it; `trouble` (detail: the problem) where this device
 * cannot store it.
 */
export class SessionGroup extends EventTarget {
    #timer = null;
    #stored = []; // ids of what has ended here
    #waiting; // for the end of so many
    #hasRung = false;

    /**
     * Those who began together, or were gone on with.
     * @type {import("./active-session.js").ActiveBrushing[]}
     */
    all;

    /** @param {import("./active-session.js").ActiveBrushing[]} all */
    constructor(all) {
        super();
        this.all = all;
        this.#waiting = all.length;
        for (const one of all) {
            const listen = (type, heed) => one.addEventListener(type,
                (event) => heed(event instanceof CustomEvent ? event.detail : null));
            listen("cue", (change) => this.#cue(one, change));
            listen("trouble", (problem) => this.#say("trouble", problem));
            listen("ended", (id) => this.#ended(one, id));
            listen("taken", () => { if (one === all[0]) this.#say("taken"); });
        }
    }

    /** Those who have not ended. */
    get brushing() { return this.all.filter((one) => !one.isOver && !one.isDone); }
    /** Whose engine says where they are. */
    get lead() { return this.brushing[0] ?? this.all[0]; }
    get isOver() { return this.all.every((one) => one.isOver); }
    get isPaused() { return this.lead.isPaused; }
    /** Whether so much was brushed that one would miss it. */
    get isWorthKeeping() { return this.brushing.some((one) => one.isWorthKeeping); }
    /** Whether nothing is read here: as soon as one of them does not. */
    get isChildMode() { return this.all.some(({ stored }) => stored.isChildMode); }
    get cues() { return this.lead.stored.cues; }
    /** Why this device does not store it, or null. */
    get trouble() { return this.all.find((one) => one.trouble)?.trouble ?? null; }

    /** Goes on with what was kept; called by who hears the events. */
    async goOn() {
        const at = momentNow();
        await Promise.all(this.all.map((one) => one.goOn(at)));
        if (!this.isOver) this.watch();
    }

    /** From now on the time passes. */
    watch() {
        if (this.#timer) return;
        this.#timer = setInterval(() => this.#act(INPUT.tick), TICK);
        document.addEventListener("visibilitychange", this.#look);
        addEventListener("pagehide", this.#look);
    }

    pause() { return this.#act(INPUT.pause); }
    resume() { return this.#act(INPUT.resume); }
    skip() { return this.#act(INPUT.skip); }
    stop() { return this.#act(INPUT.stop); }

    /**
     * One of them stops; who is left goes on.
     * @param {import("./active-session.js").ActiveBrushing} one
     */
    stopOne(one) { return one.act(INPUT.stop, momentNow()); }

    /** Switches the sounds of this session off or on. */
    async setSound(isOn) {
        await Promise.all(this.brushing.map((one) => one.setSound(isOn)));
    }

    /** A page that is hidden may never be seen again: what it has counted so far is stored. */
    #look = ({ type }) => this.#act(type === "pagehide" || document.hidden ? INPUT.seen : INPUT.tick);

    async #act(input) {
        if (this.isOver) return this.#unwatch();
        const at = momentNow();
        await Promise.all(this.all.map((one) => one.act(input, at)));
        if (this.brushing.length === 0) return;
        if (input === INPUT.pause || input === INPUT.resume) this.#say("pause");
        this.#say("tick");
    }

    /** Once for all of them: the end when nobody is left. */
    #cue(one, change) {
        if (change !== "end") return one === this.lead && this.#say("cue", change);
        if (this.brushing.length > 0 || this.#hasRung) return;
        this.#hasRung = true;
        this.#say("cue", change);
    }

    #ended(one, id) {
        if (id) this.#stored.push(id);
        this.#waiting -= 1;
        if (this.#waiting > 0) return this.brushing.length > 0 && this.#say("alone", one);
        this.#unwatch();
        this.#say("ended", this.all.map(({ stored }) => stored.id).filter((id) => this.#stored.includes(id)));
    }

    #unwatch() {
        clearInterval(this.#timer);
        document.removeEventListener("visibilitychange", this.#look);
        removeEventListener("pagehide", this.#look);
    }

    #say(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}
