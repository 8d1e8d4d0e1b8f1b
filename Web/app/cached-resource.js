import { store, cached, cachedFor } from "../offline/cache.js";
import { getTagged, rights } from "./api.js";
import { live } from "./live.js";
import { ResponseOrder } from "./response-order.js";
import { signIn } from "./sign-in.js";
import { frameDrawn, whenIdle } from "./when-idle.js";

const SOON = 400; // milliseconds: changes that come together are asked for once

/**
 * What the hub answered last about a companion, cached on the device with the hub's tag of it. It is asked for again when
 * the hub says that something changed, and sent only if it did. An event `change` when it was loaded anew.
 * @template {Contract.Paths["GET"]} Path
 */
export class CachedResource extends /** @type {Events<{change: null}>} */ (EventTarget) {
    #name;
    #path;
    #loading = null;
    #again = false;
    #timer = null;
    #whose = null; // for whom it was loaded
    #tag = null; // by which the hub knows what is here; null once it was changed here
    #order = new ResponseOrder();
    #isRecalling = false;

    /**
     * The hub's answer, or null before the first.
     * @type {Contract.Answer<"GET", Path> | null}
     */
    data = null;

    /**
     * @param {string} slug  the companion's
     * @param {Path} path  what is asked for
     * @param {string} [name]  under which it is cached, where the companion has several
     * @param {string} [what]  what of the companion's changes it; all that does where none is given
     */
    constructor(slug, path, name = slug, what = undefined) {
        super();
        this.#name = name;
        this.#path = path;
        live.addEventListener("changed", ({ detail }) => {
            if (detail.companion === slug && (!what || detail.what === what)) this.soon();
        });
        // What the hub is answering just now may be older than what the connection brings from here on.
        live.addEventListener("reset", () => { if (this.data || this.#loading) this.soon(); });
        signIn.addEventListener("change", () => this.#forgetOthers());
        // An adult may see more than a device that anybody may hold.
        rights.addEventListener("confirmed", () => { if (this.data) this.soon(); });
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

    /** Waits until there is something: what the last visit cached, or else the hub's answer. */
    async known() {
        this.recall();
        if (!this.data) await this.load();
    }

    /** Asks the hub in a moment, without a word when it cannot be reached: the strip says that. */
    soon() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.load().catch(() => {}), SOON);
    }

    /**
     * Draws a screen of the data: at once of what is cached, and anew whenever it is loaded anew. The hub is
     * asked now, and when it is back after it was away.
     * @param {AbortSignal} signal  of the screen
     * @param {{draw: () => void, missing: (error: Error, retry: () => Promise<void>) => void}} screen  `missing`: nothing
     *   is known, and the hub says nothing
     */
    async follow(signal, { draw, missing }) {
        const load = async () => {
            try {
                await this.refresh();
            } catch (error) {
                if (!signal.aborted && !this.data) missing(error, load);
            }
        };
        this.addEventListener("change", draw, { signal });
        live.addEventListener("state", ({ detail }) => {
            if (detail.state === "open" && detail.was === "lost") load();
        }, { signal });
        this.recall();
        if (this.data) {
            draw();
            await frameDrawn();
        }
        if (!signal.aborted) await load();
    }

    /**
     * As `load`, but that what is shown already is not asked for twice while the connection is being opened: its first
     * `reset` asks for it.
     */
    async refresh() {
        if (!this.data || !await live.isJustOpened()) await this.load();
    }

    /**
     * Has the hub's answer on this device for a visit without it; does nothing where it is. For what another screen than
     * this one shows.
     */
    keep() {
        whenIdle(() => {
            const last = cached(this.#name);
            if (!this.data && signIn.person && (!last || last.of !== here())) this.soon();
        });
    }

    /** What a card on Today shows: cached data until newer data comes, and the strip says how old it is. */
    async forToday(fresh) {
        this.recall();
        // While the connection opens, its `reset` asks anew, so that it is asked for once.
        const isOpening = live.state === "connecting";
        if (!this.data || (fresh && live.state !== "open" && !isOpening)) {
            const asked = this.load();
            if (this.data) asked.catch(() => {});
            else await asked;
        }
        while (!this.data && signIn.person) await this.load(); // somebody else is here since
        return this.data;
    }

    /** Takes the data that the last visit cached, each value with its age, until it is loaded anew. */
    recall() {
        if (this.data) return;
        const last = cached(this.#name);
        if (!last || last.of !== here()) return;
        this.#isRecalling = true;
        this.put(last.data, last.tag);
        this.#isRecalling = false;
        if (live.state === "open") this.soon(); // its `reset` went by before this was loaded
    }

    /**
     * Sets the data, and caches it.
     * @param {Contract.Answer<"GET", Path>} data
     * @param {string?} [tag]  the hub's, where it is as the hub answered it
     */
    put(data, tag = null) {
        this.#order.stored();
        this.data = data;
        this.#tag = tag;
        this.#whose = here();
        // What was just read is not written again.
        if (!this.#isRecalling) store(this.#name, { of: this.#whose, tag, data });
        this.dispatchEvent(new Event("change"));
    }

    /**
     * What was loaded for one is not shown to another: a child sees less than an adult, and of others than of itself.
     * Whom the hub cannot be asked for now gets what was cached here for them.
     */
    async #forgetOthers() {
        if (!this.data || this.#whose === here()) return;
        const whose = here();
        const isCurrent = this.#order.sent();
        this.data = null;
        const last = await cachedFor(this.#name, whose);
        if (last && isCurrent() && whose === here()) this.put(last.data, last.tag);
    }

    async #ask() {
        const whose = here();
        const isCurrent = this.#order.sent();
        const answer = await getTagged(this.#path, this.data && this.#tag);
        if (whose !== here()) return here() ? this.#ask() : undefined; // somebody else is here since
        if (!isCurrent()) this.soon();
        else if (answer) this.put(answer.data, answer.tag);
    }
}

/**
 * Who is here, in which household: whose what is cached is.
 * @returns {string?}
 */
export function here() {
    return signIn.household ? `${signIn.household.id}/${signIn.profile.id}` : null;
}
