import { keep, kept, keptOf } from "../offline/kept.js";
import { get, rights } from "./api.js";
import { live } from "./live.js";
import { ResponseOrder } from "./response-order.js";
import { session } from "./session.js";
import { frameDrawn } from "./when-idle.js";

const SOON = 400; // milliseconds: changes that come together are asked for once

/**
 * What the hub told last about a companion, kept on the device while pages come and go. It is asked for again when the
 * hub says that something changed. An event `change` when it was told anew.
 * @template {Contract.Paths["GET"]} Path
 */
export class Told extends /** @type {Events<{change: null}>} */ (EventTarget) {
    #slug;
    #path;
    #loading = null;
    #again = false;
    #timer = null;
    #whose = null; // to whom it was told
    #order = new ResponseOrder();
    #isRecalling = false;

    /**
     * The hub's answer, or null before the first.
     * @type {Contract.Answer<"GET", Path> | null}
     */
    told = null;

    /** @param {string} slug  the companion's @param {Path} path  what is asked for */
    constructor(slug, path) {
        super();
        this.#slug = slug;
        this.#path = path;
        live.addEventListener("changed", ({ detail }) => { if (detail.companion === slug) this.soon(); });
        live.addEventListener("reset", () => { if (this.told) this.soon(); });
        session.addEventListener("change", () => this.#forgetOthers());
        // An adult may see more than a device that anybody may hold.
        rights.addEventListener("confirmed", () => { if (this.told) this.soon(); });
    }

    /** Asks the hub and waits for it; two calls at once are one request. */
    async load() {
        clearTimeout(this.#timer);
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

    /**
     * Draws a screen of what is told: at once of what the last visit knew, and anew whenever it is told anew. The hub is
     * asked now, and when it is back after it was away.
     * @param {AbortSignal} signal  of the screen
     * @param {{draw: () => void, missing: (error: Error, retry: () => Promise<void>) => void}} screen  `missing`: nothing
     *   is known, and the hub says nothing
     */
    async follow(signal, { draw, missing }) {
        const load = async () => {
            try {
                await this.load();
            } catch (error) {
                if (!signal.aborted && !this.told) missing(error, load);
            }
        };
        this.addEventListener("change", draw, { signal });
        live.addEventListener("state", ({ detail }) => {
            if (detail.state === "open" && detail.was === "lost") load();
        }, { signal });
        this.recall();
        if (this.told) {
            draw();
            await frameDrawn();
        }
        if (!signal.aborted) await load();
    }

    /** What a band of today shows: what was told before stands until there is news, and the strip says how old it is. */
    async forToday(fresh) {
        this.recall();
        // While the connection opens, its `reset` asks anew, so that it is asked for once.
        const isOpening = live.state === "connecting";
        if (!this.told || (fresh && live.state !== "open" && !isOpening)) {
            const asked = this.load();
            if (this.told) asked.catch(() => {});
            else await asked;
        }
        while (!this.told && session.person) await this.load(); // somebody else is here since
        return this.told;
    }

    /** Takes what the last visit was told, each value with its age, until the hub has told it anew. */
    recall() {
        if (this.told) return;
        const last = kept(this.#slug);
        if (!last || last.of !== here()) return;
        this.#isRecalling = true;
        this.put(last.told);
        this.#isRecalling = false;
        if (live.state === "open") this.soon(); // its `reset` went by before this was loaded
    }

    /**
     * Takes something to be what the hub told.
     * @param {Contract.Answer<"GET", Path>} told
     */
    put(told) {
        this.#order.stored();
        this.told = told;
        this.#whose = here();
        // What was just read is not written again.
        if (!this.#isRecalling) keep(this.#slug, { of: this.#whose, told });
        this.dispatchEvent(new Event("change"));
    }

    /**
     * What was told to one is not shown to another: a child sees less than an adult, and of others than of itself. Whom
     * the hub cannot be asked for now gets what they were told themselves here last.
     */
    async #forgetOthers() {
        if (!this.told || this.#whose === here()) return;
        const whose = here();
        const isCurrent = this.#order.sent();
        this.told = null;
        const last = await keptOf(this.#slug, whose);
        if (last && isCurrent() && whose === here()) this.put(last.told);
    }

    async #ask() {
        const whose = here();
        const isCurrent = this.#order.sent();
        const told = await get(this.#path);
        if (whose !== here()) return here() ? this.#ask() : undefined; // somebody else is here since
        if (isCurrent()) this.put(told);
        else this.soon();
    }
}

/** Who is here, in which household. */
function here() {
    return session.household ? `${session.household.id}/${session.profile.id}` : null;
}
