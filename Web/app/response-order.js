/**
 * Tells stale responses from current ones. A response is stale once something was stored that may not be in it, or
 * once a request that was sent after its own has been answered.
 *
 *     const isCurrent = order.sent();
 *     const response = await get(path);
 *     if (!isCurrent()) return load();
 */
export class ResponseOrder {
    #sent = 0; // how many requests were
    #oldest = 0; // of these, the first whose response is still current

    /**
     * A request is being sent.
     * @returns {() => boolean}  to be called once, with the response here: whether that is current. Those of requests that
     *   were sent before are stale from then on
     */
    sent() {
        const number = this.#sent += 1;
        return () => {
            if (number < this.#oldest) return false;
            this.#oldest = number;
            return true;
        };
    }

    /** Something was stored: responses to what was sent until now are stale. */
    stored() {
        this.#oldest = this.#sent + 1;
    }
}
