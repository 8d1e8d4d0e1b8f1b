/**
 * With which drums this page plays. The screen's pads and the keyboard are always there besides; `current` is what is
 * lit and answers first, null where only those play. Event `change` when another one is current; the link's own
 * `state` event says the rest.
 */
class Links extends EventTarget {
    #current = null;

    /** @type {import("./link.js").Link?} */
    get current() { return this.#current; }

    /** Plays with this link from now on; null: with the screen and the keyboard. */
    use(link) {
        if (link === this.#current) return;
        this.#current?.disconnect();
        this.#current = link;
        this.dispatchEvent(new Event("change"));
    }
}

/** The links of this page. */
export const links = new Links();
