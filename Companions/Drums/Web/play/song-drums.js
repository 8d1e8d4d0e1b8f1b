import { t } from "../../language/text.js";
import { crosstalkOf, keepMeasured, latencyOf, USUAL_CROSSTALK } from "../links/stored-links.js";
import { LINK } from "../engine-constants.js";
import { links } from "../links/links.js";
import { AskingAgain } from "./asking-again.js";
import { distributions, micros } from "./engine-says.js";

/** Which of the two that are always there is meant: a desk has keys, a phone has none. */
export function screenOrKeyboard() {
    return matchMedia("(any-pointer: coarse)").matches ? LINK.screen : LINK.keyboard; // not shown: a media query
}

/**
 * The drums that a song is played with, whichever link is current: lit when the engine says so, heard, asked again where
 * something got lost, and reported to the engine as they come and go.
 */
export class SongDrums {
    #engine;
    #active;
    #again = new AskingAgain();
    #link = null;
    #ends = new AbortController();

    /**
     * @param {object} engine  see engine/engine.js
     * @param {{isPlayed: () => boolean, took: (outputs: number, drum?: number) => void,
     *   shown: (step: number, at: number) => void, struck: (drum: number) => void, changed: () => void}} active
     *   `took`: the engine has taken an input, and said this; `shown`: a cue was put out; `struck`: a pad without a clock
     *   was hit; `changed`: the drums came or went
     */
    constructor(engine, active) {
        this.#engine = engine;
        this.#active = active;
    }

    /** Whether they have lights and a clock of their own, and are there: then they answer, and nothing else. */
    get haveLights() { return Boolean(this.#link?.hasOwnClock && this.#link.isOn); }

    /**
     * What the link says about itself, where there is more to say.
     * @returns {string?}
     */
    get says() { return this.#link?.says ?? null; }

    /** Quartiles of what the link has taken so far, milliseconds, or null. */
    get latency() { return distributions(this.#engine).latency; }

    /** Listens to them. */
    begin() {
        links.addEventListener("change", this.#relink);
        this.#relink();
    }

    /** Listens no longer. */
    end() {
        this.#ends.abort();
        links.removeEventListener("change", this.#relink);
    }

    /** Lights the drum that is asked for, where they have lights. */
    async light() {
        const { cueStep: step, cueDrum } = this.#engine.view("session");
        this.#again.asked(step, performance.now());
        try {
            const { at } = await this.#link.cue(cueDrum);
            if (at !== null) this.#active.shown(step, at);
        } catch {
            // A link that is lost says so itself, and the engine asks again when it is back.
            if (step === this.#engine.view("session").cueStep) this.#again.lost(performance.now());
        }
    }

    /** Takes the light away. */
    clear() {
        this.#link?.clear();
    }

    /**
     * Asks again for a drum whose answer did not come. To the engine, what got lost is a link that was lost for no time:
     * the reaction counts from when it is back.
     * @param {number} now  `performance.now()`
     */
    askAgain(now) {
        if (!this.#again.isDue(now) || !this.#active.isPlayed() || !this.#isUnanswered) return;
        const { call } = this.#engine;
        this.#again.count();
        const { kind } = this.#link;
        this.#active.took(call.linkLost(micros(now)) | call.linkBack(kind, latencyOf(kind), micros(now)));
    }

    /** Whether the music waits for drums that were asked, and are there. */
    get #isUnanswered() {
        const { isWaiting, isCueDue } = this.#engine.view("session");
        return this.haveLights && isWaiting === 1 && isCueDue === 1;
    }

    /** Tells the engine whether they are there, and how long they take, which may have been calibrated meanwhile. */
    tell() {
        if (!this.#active.isPlayed()) return;
        const { call } = this.#engine;
        const at = micros(performance.now());
        const link = this.#link;
        const kind = link?.kind ?? screenOrKeyboard();
        // Where nothing has changed, the engine takes no notice of either.
        this.#active.took(!link || link.isOn ? call.linkBack(kind, latencyOf(kind), at) : call.linkLost(at));
        const known = crosstalkOf(link?.name);
        for (let drum = 0; drum < 4; drum += 1) {
            const { milliseconds, percent } = known?.[drum] ?? USUAL_CROSSTALK;
            this.#active.took(call.crosstalk(drum, milliseconds, percent, at));
        }
        this.#active.changed();
    }

    /** Keeps for the chooser what the song measured of the link. */
    keepLatency() {
        const found = this.latency;
        if (!found || !this.#link) return;
        const [lower, median, upper] = [found.lower, found.median, found.upper].map((one) => Math.round(one * 10));
        keepMeasured(this.#link.kind, { count: found.n, lower, median, upper, at: Date.now() });
    }

    /** Another link is current, or none. */
    #relink = () => {
        const link = links.current;
        if (link === this.#link && link !== null) return;
        this.#ends.abort();
        this.#ends = new AbortController();
        const { signal } = this.#ends;
        const { call } = this.#engine;
        const was = this.#link;
        this.#link = link;
        link?.addEventListener("state", () => this.tell(), { signal });
        link?.addEventListener("lost", () => this.#again.lost(performance.now()), { signal });
        link?.addEventListener("notification", ({ detail: { bytes, at } }) => {
            if (this.#active.isPlayed()) this.#active.took(call.message(this.#engine.put(bytes), micros(at)));
        }, { signal });
        link?.addEventListener("strike", ({ detail: { drum, velocity, at } }) => {
            if (!this.#active.isPlayed() || this.#engine.view("session").isPaused === 1) return;
            this.#active.struck(drum);
            this.#active.took(call.strike(drum, velocity, link.kind, micros(at)), drum);
        }, { signal });
        if (was || link || this.#engine.view("session").link > LINK.keyboard) this.tell();
    };
}
