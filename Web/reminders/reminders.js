import { get, post, put, rights } from "../app/api.js";
import { live } from "../app/live.js";
import { ResponseOrder } from "../app/response-order.js";
import { signIn } from "../app/sign-in.js";

const SOON = 300; // milliseconds: changes that come together are asked for once

/**
 * The reminders of the household as last loaded from the hub, of every companion. An event `change` when they were
 * loaded anew. When one is due, and whether it is silenced, is the hub's to say.
 */
class Reminders extends EventTarget {
    #timer = null;
    #whose = null; // for whom they were loaded
    #order = new ResponseOrder();
    #isWanted = false;

    /** `{reminders, due, snoozeMinutes, rules}`, or null before the first answer. */
    data = null;

    constructor() {
        super();
        live.addEventListener("reminder", () => this.soon());
        live.addEventListener("reset", () => this.soon());
        signIn.addEventListener("change", () => {
            if (!this.data || this.#whose === signIn.profile?.id) return;
            this.data = null;
            this.soon();
        });
        rights.addEventListener("confirmed", () => this.soon());
    }

    /**
     * Asks the hub.
     * @param {AbortSignal} [signal]
     */
    async load(signal) {
        const isCurrent = this.#order.sent();
        const whose = signIn.profile?.id;
        const data = await get("/api/reminders", { signal });
        if (!isCurrent() || whose !== signIn.profile?.id) return this.soon(); // somebody else may be here since
        this.#whose = whose;
        this.data = data;
        this.dispatchEvent(new Event("change"));
    }

    /** Asks for who shows them first: where they are here or on their way there is no more to ask. */
    async want() {
        if (this.data || this.#isWanted) return;
        this.#isWanted = true;
        if (!await live.isJustOpened()) this.soon(); // its `reset` asks, too
    }

    /** Asks in a moment; a hub that is away says so elsewhere. */
    soon() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (signIn.person) this.load().catch(() => { this.#isWanted = false; });
        }, SOON);
    }

    /** Those of one person by a companion. */
    of(companion, person) {
        return this.data?.reminders.filter((one) => one.companion === companion && one.person === person) ?? [];
    }

    /** When a person is left alone and how much they hear; nothing where they are not the caller's to decide for. */
    rulesOf(person) {
        return this.data?.rules.find((one) => one.person === person);
    }

    /**
     * Changes when a person is left alone, or how much they hear.
     * @param {string} person
     * @param {{isQuiet?: boolean, quietFrom?: number, quietUntil?: number, noticesPerDay?: number}} changes
     */
    async changeRules(person, changes) {
        const changed = await put(/** @type {const} */ (`/api/reminders/${encodeURIComponent(person)}/rules`), changes);
        this.#put({ rules: this.data.rules.map((one) => (one.person === person ? changed : one)) });
        this.soon(); // what comes next may be another
        return changed;
    }

    /**
     * Changes one.
     * @param {object} reminder
     * @param {{minute?, isOn?, weekdays?, silencedByDone?}} changes
     */
    async change(reminder, changes) {
        const changed = await put(path(reminder), changes);
        const { reminders } = this.data;
        this.#put({ reminders: reminders.map((one) => (one.id === reminder.id ? changed : one)) });
        return changed;
    }

    /**
     * Says for how long a snooze is meant where nobody says otherwise.
     * @param {number} snoozeMinutes
     */
    async snoozeFor(snoozeMinutes) {
        await put("/api/reminders", { snoozeMinutes });
        this.#put({ snoozeMinutes });
    }

    /** Sends one now, as if it were due. */
    async sendNow(reminder) {
        return post(`${path(reminder)}/try`);
    }

    /**
     * Has one that is due come again later.
     * @param {string} id
     */
    async snooze(id, minutes) {
        this.#away(id);
        await this.#settled(post(`/api/reminders/${encodeURIComponent(id)}/snooze`, minutes ? { minutes } : {}));
    }

    /**
     * Puts one that is due away.
     * @param {string} id
     */
    async dismiss(id) {
        this.#away(id);
        await this.#settled(post(`/api/reminders/${encodeURIComponent(id)}/dismiss`));
    }

    #away(id) {
        this.#put({ due: this.data.due.filter((one) => one.id !== id) });
    }

    #put(changes) {
        this.#order.stored();
        this.data = { ...this.data, ...changes };
        this.dispatchEvent(new Event("change"));
    }

    async #settled(asked) {
        try {
            await asked;
        } finally {
            this.soon();
        }
    }
}

/** @param {{companion: string, name: string, person: string}} reminder */
function path({ companion, name, person }) {
    const part = encodeURIComponent;
    return /** @type {const} */ (`/api/reminders/${part(companion)}/${part(name)}/${part(person)}`);
}

/** The reminders of this page. */
export const reminders = new Reminders();
