import { post } from "../app/api.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { CachedResource } from "../app/cached-resource.js";
import { notedWaterings } from "./noted.js";

/**
 * The plants as the hub last answered them: `{headline, plants}`.
 *
 * Everything that is a judgement, such as
 * "Water today", comes from the hub; a live reading moves a bar and nothing else.
 */
/** @extends {CachedResource<"/api/plants">} */
class PlantStore extends CachedResource {
    #quiet = null;
    #asking = 0;
    /** An event `moisture` (detail: the plant) when one value moved. */
    moves = new (/** @type {Events<{moisture: Plants.PlantResponse}>} */ (EventTarget))();

    #heard = []; // readings received while the plants are being loaded

    /** The id of a plant that is being deleted: what the hub tells of it is no reason to ask. */
    leaving = null;

    constructor() {
        super("plants", "/api/plants");
        notedWaterings.addEventListener("change", () => { if (this.data) this.dispatchEvent(new Event("change")); });
        // The hub says nothing of one that it had before, and whose answer was lost.
        notedWaterings.addEventListener("stored", () => { if (this.data) this.soon(); });
        live.addEventListener("reading", ({ detail }) => this.#hear(detail));
        live.addEventListener("device", () => { if (this.data) this.soon(); });
    }

    async load() {
        this.recall();
        this.#asking += 1;
        try {
            await super.load();
            // An answer that is as it was is not put anew.
            if (notedWaterings.known()) this.dispatchEvent(new Event("change"));
        } finally {
            this.#asking -= 1;
            // The hub may have answered before it had these.
            const heard = this.#heard.splice(0);
            if (this.data) for (const reading of heard) this.#hear(reading);
        }
    }

    /** One plant as last loaded. */
    plant(id) {
        return this.data?.plants.find((plant) => plant.id === id);
    }

    /** Puts a plant that the hub just answered into its place. */
    take(plant) {
        if (this.data) {
            const isKnown = this.plant(plant.id) !== undefined;
            const plants = this.data.plants.map((one) => (one.id === plant.id ? plant : one));
            this.put({ ...this.data, plants: isKnown ? plants : [...plants, plant] });
        }
        this.soon();
    }

    /**
     * "Update plant data": the hub asks every sensor that can be asked.
     * @returns {Promise<{asked, answered}>}
     */
    async update() {
        const answer = await post("/api/plants/update");
        await this.load();
        return answer;
    }

    put(data, tag) {
        notedWaterings.known();
        super.put(data, tag);
        this.#watchSilence();
    }

    #hear(reading) {
        const { device, quantity, at, value } = reading;
        if (quantity !== "moisture") return;
        if (this.#asking > 0) this.#heard.push(reading);
        if (!this.data) return;
        for (const plant of this.data.plants) {
            if (!plant.sensors.some((sensor) => sensor.device === device)) continue;
            if (plant.sensors.length > 1 || plant.state === "silent" || plant.state === "none") {
                this.soon(); // What several sensors mean together, and that silence has ended, the hub says.
                continue;
            }
            if (plant.moisture && at < plant.moisture.at) continue; // sent late: it belongs into the chart
            plant.moisture = { value, at };
            this.moves.dispatchEvent(new CustomEvent("moisture", { detail: plant }));
        }
    }

    /** A sensor falls silent without a message: when the next one would, the hub is asked again. */
    #watchSilence() {
        clearTimeout(this.#quiet);
        const next = this.data.plants.filter((plant) => plant.moisture && ["dry", "ok", "wet"].includes(plant.state))
            .map((plant) => plant.moisture.at + plant.silentAfter - now());
        if (next.length === 0) return;
        this.#quiet = setTimeout(() => this.soon(), Math.min(Math.max(5000, Math.min(...next) + 1000), 3_600_000));
    }
}

/** Whether a `changed` message is about a plant: about that one, or about all. */
export function concerns(message, plant) {
    return message.companion === "plants" && (!message.item || message.item === plant.id)
        && plant.id !== plantStore.leaving;
}

/** The one store of this page. */
export const plantStore = new PlantStore();
