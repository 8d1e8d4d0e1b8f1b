/** How the pads are joined to the page, as the engine numbers it. */
export const LINK = { screen: 0, keyboard: 1, bluetooth: 2, wifi: 3, midi: 4, bluetoothMIDI: 5 };

/**
 * What joins drums to the page. Events:
 *
 * - `notification` (detail: `{bytes: Uint8Array, at}`): a kit with a clock of its own sent these bytes; `at` by
 *   `performance.now()`, as near to the arrival as the browser says it
 * - `strike` (detail: `{drum, velocity, at}`): a pad without a clock was hit; `velocity` 1 to 127, 0 where unknown
 * - `state`: {@link state} or {@link says} changed
 */
export class Link extends EventTarget {
    #state = "off";

    /** One of {@link LINK}. @type {number} */
    kind = LINK.screen;
    /** For a person, such as "BeeBop". */
    name = "";
    /** What the link takes from the pad to the page, tenths of a millisecond, as calibration found it; 0: not known. */
    latencyTenths = 0;
    /** A sentence about the state where there is more to say, such as why it failed; else null. @type {string?} */
    says = null;

    /** "off", "searching", "connecting", "on", "lost" or "problem". */
    get state() { return this.#state; }

    /** Takes another state and tells it. @param {string} state @param {string?} [says] */
    become(state, says = null) {
        if (state === this.#state && says === this.says) return;
        this.#state = state;
        this.says = says;
        this.dispatchEvent(new Event("state"));
    }

    /** Joins the drums, or joins them again. Called while something is pressed. */
    async connect() {}

    /** Lets go of them. */
    disconnect() {}

    /**
     * Lights a drum.
     * @param {number} drum  0 to 3
     * @returns {Promise<void>}  settles when it is on its way
     */
    async cue(drum) {}

    /** Takes the light away: the song has stopped. */
    async clear() {}
}
