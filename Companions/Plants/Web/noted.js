import { whenIdle } from "../app/when-idle.js";
import { shortDayAndTime } from "../text/dates.js";
import { listed, t } from "../language/text.js";

const WATERINGS = /^\/api\/plants\/([^/]+)\/waterings$/;

/**
 * The waterings that were noted on this device and that the hub does not know yet: they are believed at once, on every
 * screen. What such a plant is then, the hub has said with the plant. An event `change` when there are others, and
 * `stored` when the hub has one.
 */
class NotedWaterings extends /** @type {Events<{change: null, stored: null}>} */ (EventTarget) {
    /** When each plant was watered, and whether the hub has heard it since, by the plant's id. */
    #noted = new Map();

    constructor() {
        super();
        whenIdle(() => this.#follow().catch(() => {})); // the hub went away: the next load has it
    }

    /** When a plant was watered of which the hub does not know; null where it knows, or how the plant is has nothing to do with it. */
    at(plant) {
        const at = this.#noted.get(plant.id)?.at;
        return at === undefined || (plant.noted && at < plant.noted.since) ? null : at;
    }

    /**
     * A watering that is being noted.
     * @param {string} plant
     * @param {number} at  UTC milliseconds
     */
    add(plant, at) {
        this.#noted.set(plant, { at, isStored: false });
        this.dispatchEvent(new Event("change"));
    }

    /** What was to be noted could not be. */
    forget(plant) {
        if (this.#noted.delete(plant)) this.dispatchEvent(new Event("change"));
    }

    /**
     * The plants were loaded anew: what the hub had stored before, it knows.
     * @returns {boolean}  whether there was something
     */
    known() {
        const before = this.#noted.size;
        for (const [plant, { isStored }] of this.#noted) if (isStored) this.#noted.delete(plant);
        return this.#noted.size < before;
    }

    /**
     * A plant as it is with what was noted here.
     * @param {any} plant  as the hub last answered it
     */
    shown(plant) {
        const at = this.at(plant);
        if (at === null) return plant;
        const words = t`Noted ${shortDayAndTime(at)}, and on its way to the hub.`;
        if (!plant.noted) return { ...plant, detail: [words, plant.detail].filter(Boolean).join(" ") };
        const { state, say } = plant.noted;
        return { ...plant, state, say, sentence: say, detail: words };
    }

    /**
     * All plants, with what was noted here, and their headline.
     * @param {{headline: Hub.HeadlineResponse, plants: Array<any>}} answered  as the hub last answered it
     */
    shownAll({ headline, plants }) {
        const shown = plants.map((plant) => this.shown(plant));
        const names = plants.filter((plant) => this.at(plant) !== null).map(({ name }) => name);
        if (names.length === 0) return { headline, plants: shown };
        const dry = shown.filter(({ state }) => state === "dry").length;
        const noted = t`Watering noted: ${listed(names)}.`;
        return {
            headline: {
                text: dry === 0 ? noted : [noted, t`${dry} more want water.`].join(" "),
                lead: t`The hub does not know it yet. It is sent as soon as the hub answers.`, weight: headline.weight,
            },
            plants: shown,
        };
    }

    async #follow() {
        const { outbox } = await import("../offline/outbox.js");
        outbox.addEventListener("delivered", ({ detail }) => {
            const noted = this.#noted.get(plantOf(detail.path));
            if (!noted) return;
            noted.isStored = true; // believed until the plants are loaded with it
            this.dispatchEvent(new Event("stored"));
        });
        await outbox.follow(undefined, (entries) => { if (entries) this.#take(entries); });
    }

    /** Takes what waits in the outbox. */
    #take(entries) {
        const before = JSON.stringify([...this.#noted]);
        for (const [plant, { isStored }] of this.#noted) if (!isStored) this.#noted.delete(plant);
        for (const { path, method, about, madeAt, failed, isTakenBack } of entries) {
            const plant = plantOf(path);
            if (!plant || method !== "POST" || failed || isTakenBack) continue;
            this.#noted.set(plant, { at: about?.at ?? madeAt, isStored: false });
        }
        if (before !== JSON.stringify([...this.#noted])) this.dispatchEvent(new Event("change"));
    }
}

/** The plant whose waterings a path is about. */
function plantOf(path) {
    const found = WATERINGS.exec(path);
    return found ? decodeURIComponent(found[1]) : undefined;
}

/** The one of this page. */
export const notedWaterings = new NotedWaterings();
