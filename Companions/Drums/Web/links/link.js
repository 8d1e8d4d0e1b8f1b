import { t } from "../../language/text.js";
import { LINK } from "../engine-constants.js";

/** The answer of {@link Link.cue} for a cue that a newer one replaced before it was on its way. */
const REPLACED = { at: null };

/** Why a link is not there, in words for a person. *
 * @typedef {{
 *   notification: {bytes: Uint8Array, at: number},
 *   strike: {drum: number, velocity: number, at: number},
 *   note: {note: number, drum: number | null, velocity: number, at: number},
 *   lost: null, state: null,
 * }} LinkEvents
 */
export class LinkProblem extends Error {
    /** @param {string} words */
    constructor(words) {
        super(words);
        this.name = "LinkProblem";
    }
}

/**
 * What joins drums to the page. Events:
 *
 * - `notification` (detail: `{bytes: Uint8Array, at}`): a kit with a clock of its own sent these bytes, at most 20;
 *   `at` by `performance.now()`, as near to the arrival as the browser says it
 * - `strike` (detail: `{drum, velocity, at}`): a pad without a clock was hit; `velocity` 1 to 127, 0 where unknown
 * - `lost`: something between the page and the drums did not arrive, though the link is on
 * - `state`: {@link state} or {@link says} changed
 *
 * One that was `on` and is not reached any more is `lost`, and looks for its drums by itself; it is `on` again when it
 * has them, or a `problem` when it gave up.
 */
export class Link extends /** @type {Events<LinkEvents>} */ (EventTarget) {
    #state = "off";
    #waiting = null;

    /**
     * One of {@link LINK}.
     * @type {number}
     */
    kind = LINK.screen;
    /**
     * Of one of several drums of the kind: which; else null.
     * @type {string?}
     */
    get id() { return null; }

    /**
     * The id of the hub's device that the drums are, where they play through the hub; else null.
     * @type {string?}
     */
    get device() { return null; }

    /**
     * What a link over MIDI could be joined to.
     * @type {Array<{id: string, name: string}>}
     */
    get ports() { return []; }

    /** For a person, such as "BeeBop". */
    name = "";
    /** Whether the hub's own radio holds its drums. */
    isByHub = false;
    /** Whether its drums have lights, and a clock that reaction times are measured by. */
    hasOwnClock = false;
    /**
     * A sentence about the state where there is more to say, such as why it failed; else null.
     * @type {string?}
     */
    says = null;

    /** "off", "searching", "connecting", "on", "lost" or "problem". */
    get state() { return this.#state; }

    /** Whether drums are joined now. */
    get isOn() { return this.#state === "on"; }

    /**
     * Takes another state and tells it.
     * @param {string} state
     * @param {string?} [says]
     */
    become(state, says = null) {
        if (state === this.#state && says === this.says) return;
        this.#state = state;
        this.says = says;
        if (state !== "on") this.#refuseWaiting();
        this.dispatchEvent(new Event("state"));
    }

    /**
     * Joins the drums, or joins them again. Called while something is pressed.
     * @returns {Promise<boolean>}  whether they are joined; {@link says} has the reason where not
     */
    async connect() { return true; }

    /** Lets go of them. */
    disconnect() {}

    /**
     * Lights a drum.
     * @param {number} drum  0 to 3
     * @returns {Promise<{at: number?}>}  once it is on its way; `at`: when it was handed over, by `performance.now()`,
     *   null where a newer cue took its place before. It rejects while the link is not on.
     */
    async cue(drum) {
        return this.hasOwnClock ? this.#put(String(drum)) : { at: performance.now() };
    }

    /** Takes the light away: the song has stopped. Without a word where no drums are joined. */
    async clear() {
        if (this.hasOwnClock && this.isOn) await this.#put("4").catch(() => {});
    }

    /**
     * For a link whose drums have lights: hands one character of the kit's wire over.
     * @param {string} digit
     * @returns {Promise<void>}
     */
    async write(digit) {}

    /**
     * Tells what a kit sent.
     * @param {Uint8Array} bytes
     * @param {number} at
     */
    heard(bytes, at) {
        this.dispatchEvent(new CustomEvent("notification", { detail: { bytes, at } }));
    }

    /**
     * One digit is on its way at a time, and of those that wait only the newest: the drum shows one light, so an older
     * one would be seen too late.
     */
    #put(digit) {
        return new Promise((done, failed) => {
            if (!this.isOn) {
                failed(new LinkProblem(t`The drums are not connected.`));
                return;
            }
            const before = this.#waiting;
            this.#waiting = { digit, done, failed };
            if (before?.done) before.done(REPLACED);
            else if (!before) this.#writeWaiting();
        });
    }

    async #writeWaiting() {
        while (this.#waiting?.done) {
            const { digit, done, failed } = this.#waiting;
            this.#waiting = {}; // on its way
            const at = performance.now();
            try {
                await this.write(digit);
                done({ at });
            } catch (error) {
                failed(error);
            }
        }
        this.#waiting = null;
    }

    #refuseWaiting() {
        const waiting = this.#waiting;
        if (!waiting?.done) return;
        this.#waiting = {};
        waiting.failed(new LinkProblem(t`The drums are not connected.`));
    }
}
