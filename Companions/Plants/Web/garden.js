import { get, post } from "../house/api.js";
import { now } from "../house/clock.js";
import { live } from "../house/live.js";
import { session } from "../house/session.js";
import { keep, kept } from "../offline/kept.js";

const SOON = 400; // milliseconds: changes that come together are asked for once

/**
 * The plants as the hub last told them, kept while pages come and go.
 *
 * Events: `change` when anything was loaded anew, `moisture` (detail: the plant) when one value moved. Everything
 * that is a judgement, such as "Water today", comes from the hub; a live reading moves a bar and nothing else.
 */
class Garden extends EventTarget {
    #loading = null;
    #again = false;
    #timer = null;
    #quiet = null;
    #household = null;
    #heard = null; // readings told while the plants are being asked for

    /** `{headline, lead, plants}`, or null before the first answer. */
    told = null;

    /** The id of a plant that is being deleted: what the hub tells of it is no reason to ask. */
    leaving = null;

    constructor() {
        super();
        live.addEventListener("reading", ({ detail }) => this.#hear(detail));
        live.addEventListener("changed", ({ detail }) => { if (detail.companion === "plants") this.soon(); });
        for (const type of ["device", "reset"]) live.addEventListener(type, () => { if (this.told) this.soon(); });
        session.addEventListener("change", () => { if (this.#household !== session.household.id) this.told = null; });
    }

    /** Loads the plants and waits for them; two calls at once are one request. */
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
            this.#heard = null;
            if (this.#again) {
                this.#again = false;
                this.soon();
            }
        }
    }

    /** Loads the plants in a moment, without a word when the hub cannot be reached: the strip says that. */
    soon() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.load().catch(() => {}), SOON);
    }

    /** One plant as last told. */
    plant(id) {
        return this.told?.plants.find((plant) => plant.id === id);
    }

    /** Puts a plant that the hub just answered into its place. */
    take(plant) {
        if (this.told) {
            const i = this.told.plants.findIndex((one) => one.id === plant.id);
            if (i >= 0) this.told.plants[i] = plant;
            else this.told.plants.push(plant);
            this.dispatchEvent(new Event("change"));
        }
        this.soon();
    }

    /** "Update plant data": the hub asks every sensor that can be asked. @returns {Promise<{asked, answered}>} */
    async update() {
        const answer = await post("/api/plants/update");
        await this.load();
        return answer;
    }

    /** Takes what the last visit was told, each value with its age, until the hub has told it anew. */
    recall() {
        if (this.told) return;
        const last = kept("plants");
        if (this.told || !last || last.household !== session.household?.id) return;
        this.told = last.told;
        this.#household = last.household;
        this.dispatchEvent(new Event("change"));
    }

    async #fetch() {
        this.#heard = [];
        const asked = get("/api/plants");
        asked.catch(() => {}); // heard below
        this.recall();
        this.told = await asked;
        keep("plants", { household: session.household?.id, told: this.told });
        this.#household = session.household?.id;
        this.#watchSilence();
        this.dispatchEvent(new Event("change"));
        // The hub may have answered before it had these.
        const heard = this.#heard;
        this.#heard = null;
        for (const reading of heard) this.#hear(reading);
    }

    #hear(reading) {
        const { device, quantity, at, value } = reading;
        if (quantity !== "moisture") return;
        this.#heard?.push(reading);
        if (!this.told) return;
        for (const plant of this.told.plants) {
            if (!plant.sensors.some((sensor) => sensor.device === device)) continue;
            if (plant.sensors.length > 1 || plant.state === "silent" || plant.state === "none") {
                this.soon(); // What several sensors mean together, and that silence has ended, the hub says.
                continue;
            }
            if (plant.moisture && at < plant.moisture.at) continue; // sent late: it belongs into the chart
            plant.moisture = { value, at };
            this.dispatchEvent(new CustomEvent("moisture", { detail: plant }));
        }
    }

    /** A sensor falls silent without a message: when the next one would, the hub is asked again. */
    #watchSilence() {
        clearTimeout(this.#quiet);
        const next = this.told.plants.filter((plant) => plant.moisture && ["dry", "ok", "wet"].includes(plant.state))
            .map((plant) => plant.moisture.at + plant.silentAfter - now());
        if (next.length === 0) return;
        this.#quiet = setTimeout(() => this.soon(), Math.min(Math.max(5000, Math.min(...next) + 1000), 3_600_000));
    }
}

/** Whether a `changed` message is about a plant: about that one, or about all. */
export function concerns(message, plant) {
    return message.companion === "plants" && (!message.item || message.item === plant.id)
        && plant.id !== garden.leaving;
}

/** The one garden of this page. */
export const garden = new Garden();
