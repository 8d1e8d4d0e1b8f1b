const A_SECOND = 100; // messages: nobody's hands hit a tenth as often

/** Counts what drums send: what is more than any hands can play is not heard, and the song goes on. */
export class Flood {
    #from = -Infinity;
    #count = 0;

    /**
     * Counts one.
     * @param {number} at  `performance.now()`
     * @returns {boolean}  whether it is one too many
     */
    isOver(at) {
        if (at - this.#from >= 1000) {
            this.#from = at;
            this.#count = 0;
        }
        this.#count += 1;
        return this.#count > A_SECOND;
    }
}
