const FIRST = 10_000; // milliseconds without an answer; twice as long each time after, for nobody may be there
const LOST = 1000; // milliseconds where it is known that something did not arrive; likewise
const MOST = 5; // times for one drum

/**
 * When a kit is asked again for a drum that it has not answered. What it sends, or is sent, may get lost on its way
 * without the link being lost; a kit that has answered has forgotten its cue, so that nobody could go on.
 */
export class AskingAgain {
    #step = -1;
    #times = 0;
    #due = Infinity;

    /**
     * The kit is asked for a drum now.
     * @param {number} step
     * @param {number} at  `performance.now()`
     */
    asked(step, at) {
        if (step !== this.#step) this.#times = 0;
        this.#step = step;
        this.#due = this.#times < MOST ? at + FIRST * 2 ** this.#times : Infinity;
    }

    /**
     * Something did not arrive: perhaps this.
     * @param {number} at
     */
    lost(at) {
        if (this.#due < Infinity) this.#due = Math.min(this.#due, at + LOST * 2 ** this.#times);
    }

    /**
     * Whether it has been waited for long enough, if it is still not answered.
     * @param {number} at
     */
    isDue(at) { return at >= this.#due; }

    /** It is asked for once more. */
    count() { this.#times += 1; }
}
