import { keepLast, lastUsed } from "./stored-links.js";
import { LINK } from "../engine-constants.js";

const RESTORING = 1500; // milliseconds: the fullscreen view does not wait longer for drums of the last visit

/**
 * With which drums this page plays. The screen's pads and the keyboard are always there besides; `current` is what is
 * lit and answers first, null where only those play. Event `change` when another one is current; the link's own
 * `state` event says the rest.
 */
class Links extends EventTarget {
    #current = null;
    #restored = null;

    /** @type {import("./link.js").Link?} */
    get current() { return this.#current; }

    /** Plays with this link from now on; null: with the screen and the keyboard. */
    use(link) {
        this.#restored = Promise.resolve(); // somebody has chosen: what was used before is not brought back
        this.#take(link);
        this.#store();
    }

    #take(link) {
        if (link === this.#current) return;
        this.#current?.removeEventListener("state", this.#store);
        this.#current?.disconnect();
        this.#current = link;
        link?.addEventListener("state", this.#store);
        this.dispatchEvent(new Event("change"));
    }

    /** Remembers what is used, under the name that it has once it is on. */
    #store = () => {
        const link = this.#current;
        if (!link) keepLast({ kind: LINK.screen, id: null, name: "" });
        else if (link.isOn) keepLast({ kind: link.kind, id: link.id ?? null, name: link.name });
    };

    /**
     * Joins what was used last where that needs nobody's press. It never throws, and takes no longer than a moment: a
     * link that needs longer is current already, and says itself when it is on.
     */
    async restore() {
        // not shown: for the console
        this.#restored ??= this.#restore().catch((error) => console.info("The drums of last time stay away.", error));
        await Promise.race([this.#restored, new Promise((done) => { setTimeout(done, RESTORING); })]);
    }

    async #restore() {
        const last = lastUsed();
        if (!last || this.#current) return;
        const { linkOfBefore } = await import("./before.js");
        const link = await linkOfBefore(last);
        if (!link || this.#current || lastUsed() !== last) return;
        this.#take(link);
        await link.connect();
    }
}

/** The links of this page. */
export const links = new Links();
