import { get } from "../house/api.js";
import { live } from "../house/live.js";
import { session } from "../house/session.js";
import { keep, kept } from "../offline/kept.js";

const SOON = 400; // milliseconds: changes that come together are asked for once
const CHOSEN = "tandem.brushing.person"; // who brushed last on this device

/**
 * What the hub told last about who brushes: routines, progress, weeks. Kept on the device, so that a session needs no
 * hub. An event `change` when anything was loaded anew.
 */
class Desk extends EventTarget {
    #loading = null;
    #again = false;
    #timer = null;
    #household = null;

    /** `{headline, lead, people}`, or null before the first answer. */
    told = null;

    constructor() {
        super();
        live.addEventListener("changed", ({ detail }) => { if (detail.companion === "brushing") this.soon(); });
        live.addEventListener("reset", () => { if (this.told) this.soon(); });
        session.addEventListener("change", () => { if (this.#household !== session.household?.id) this.told = null; });
    }

    /** Loads the desk and waits for it; two calls at once are one request. */
    async load() {
        if (this.#loading) {
            this.#again = true;
            return this.#loading;
        }
        this.#loading = this.#fetch();
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

    /** Loads the desk in a moment, without a word when the hub cannot be reached: the strip says that. */
    soon() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.load().catch(() => {}), SOON);
    }

    /** Takes what the last visit was told, until the hub has told it anew. */
    recall() {
        if (this.told) return;
        const last = kept("brushing");
        if (!last || last.household !== session.household?.id) return;
        this.#set(last.told, last.household);
    }

    /** One person as last told. @param {string} id */
    person(id) {
        return this.told?.people.find((one) => one.id === id);
    }

    /** Puts a person whom the hub just answered into their place. */
    take(person) {
        if (!this.told) return this.soon();
        const people = this.told.people.map((one) => (one.id === person.id ? person : one));
        this.#set({ ...this.told, people }, this.#household);
        keep("brushing", { household: this.#household, told: this.told });
        this.soon();
    }

    /** Those for whom this device may note a session. */
    get brushers() {
        return this.told?.people.filter((one) => one.mayDeliver) ?? [];
    }

    /** Who it is about: as the address says (`?person=`), else who was chosen last, else the profile, else the first. */
    here() {
        const asked = this.person(new URLSearchParams(location.search).get("person"));
        if (asked) return asked;
        const { brushers } = this;
        const find = (id) => brushers.find((one) => one.id === id);
        return find(chosen()) ?? find(session.profile?.id) ?? brushers[0] ?? this.told?.people[0];
    }

    /** Remembers on this device who brushes. @param {string} id */
    choose(id) {
        try {
            localStorage.setItem(CHOSEN, id);
        } catch {
            // A browser that keeps nothing asks again next time.
        }
    }

    async #fetch() {
        const household = session.household?.id;
        const told = await get("/api/brushing");
        keep("brushing", { household, told });
        this.#set(told, household);
    }

    #set(told, household) {
        this.told = told;
        this.#household = household;
        this.dispatchEvent(new Event("change"));
    }
}

function chosen() {
    try {
        return localStorage.getItem(CHOSEN);
    } catch {
        return null;
    }
}

/** The one desk of this page. */
export const desk = new Desk();
