import { keep, kept } from "../offline/kept.js";
import { get } from "./api.js";
import { live } from "./live.js";
import { session } from "./session.js";

const SOON = 400; // milliseconds: changes that come together are asked for once

/**
 * What the hub told last about a companion, kept on the device while pages come and go. It is asked for again when the
 * hub says that something changed. An event `change` when it was told anew.
 */
export class Told extends EventTarget {
    #slug;
    #path;
    #loading = null;
    #again = false;
    #timer = null;
    #household = null;
    #puts = 0; // how often something was taken to be told

    /** The hub's answer, or null before the first. */
    told = null;

    /** @param {string} slug  the companion's @param {string} path  what is asked for */
    constructor(slug, path) {
        super();
        this.#slug = slug;
        this.#path = path;
        live.addEventListener("changed", ({ detail }) => { if (detail.companion === slug) this.soon(); });
        live.addEventListener("reset", () => { if (this.told) this.soon(); });
        session.addEventListener("change", () => { if (this.#household !== session.household?.id) this.told = null; });
    }

    /** Asks the hub and waits for it; two calls at once are one request. */
    async load() {
        if (this.#loading) {
            this.#again = true;
            return this.#loading;
        }
        this.#loading = this.#ask();
        try {
            await this.#loading;
        } finally {
            this.#loading = null;
            if (this.#again) {
                this.#again = false;
                this.soon();
            }
        }
    }

    /** Asks the hub in a moment, without a word when it cannot be reached: the strip says that. */
    soon() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.load().catch(() => {}), SOON);
    }

    /** Takes what the last visit was told, each value with its age, until the hub has told it anew. */
    recall() {
        if (this.told) return;
        const last = kept(this.#slug);
        if (last && last.household === session.household?.id) this.put(last.told);
    }

    /** Takes something to be what the hub told. */
    put(told) {
        this.#puts += 1;
        this.told = told;
        this.#household = session.household?.id;
        keep(this.#slug, { household: this.#household, told });
        this.dispatchEvent(new Event("change"));
    }

    async #ask() {
        const household = session.household?.id;
        const puts = this.#puts;
        const told = await get(this.#path);
        if (household !== session.household?.id) return;
        // What was stored meanwhile may not be in an answer that was asked for before.
        if (puts === this.#puts) this.put(told);
        else this.soon();
    }
}
