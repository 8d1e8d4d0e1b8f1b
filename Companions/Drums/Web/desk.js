import { PersonDesk } from "../house/person-desk.js";

/**
 * What the hub told last about who drums, and every song with its notes and levels: `{headline, lead, people, songs,
 * running}`. It is kept on the device, so that all of them can be played without the hub.
 * @extends {PersonDesk<"/api/drums">}
 */
class Desk extends PersonDesk {
    #onTheirWay = new Map(); // what was changed here and the hub does not have yet, by person

    constructor() {
        super("drums", "/api/drums");
    }

    /** As everywhere, with what is still on its way. */
    put(told) {
        super.put({ ...told, people: told.people.map((one) => changed(one, this.#onTheirWay.get(one.id))) });
    }

    /**
     * Changes how somebody plays: what is played next is played so, also where the hub hears of it later.
     * @param {{id: string, name: string}} person
     * @param {{level?: number, hands?: string, sounds?: object}} changes
     * @throws {Problem} where the hub will not have it
     */
    async change({ id, name }, changes) {
        const all = { ...this.#onTheirWay.get(id), ...changes };
        this.#onTheirWay.set(id, all);
        if (this.told) this.put(this.told);
        let reply = null;
        try {
            const { outbox } = await import("../offline/outbox.js");
            reply = await outbox.untilDelivered(await outbox.add({
                lane: `drums settings ${id}`, path: `/api/drums/people/${encodeURIComponent(id)}/settings`, method: "PUT",
                title: `How ${name} plays`, bytes: new TextEncoder().encode(JSON.stringify(changes)),
            }));
        } finally {
            // Where more was changed since, that is still on its way.
            if (this.#onTheirWay.get(id) === all) this.#onTheirWay.delete(id);
            if (reply) this.take(reply);
            else this.soon();
        }
    }

    /**
     * Within which a hit of flow mode is on the beat, as far as the hub knows somebody's own.
     * @param {{windows: object?}} person
     * @param {string} link  the hub's name of it; links that answer alike have one window
     * @param {"both"|"left"|"right"} hands
     * @returns {{centre: number, half: number, words: string?}|undefined}  milliseconds
     */
    windowOf({ windows }, link, hands) {
        return windows?.[this.told?.limits?.linkClasses?.[link]]?.[hands];
    }

    /** The songs as last told. */
    get songs() { return this.told?.songs ?? []; }

    /**
     * As everywhere, but that an adult who has chosen nobody here is shown who practises: the one with a plan, else
     * the first who has played this week.
     */
    here() {
        const one = super.here();
        const isAsked = new URLSearchParams(location.search).get("person") === one?.id;
        if (!one || isAsked || this.chosen || one.role !== "adult" || practises(one)) return one;
        return this.players.find(({ plan }) => plan) ?? this.players.find(practises) ?? one;
    }

    /** Whether somebody's plan lets them play a song. */
    isAllowed({ id }, { play }) {
        return !play?.songs || play.songs.includes(id);
    }

    /**
     * One song as last told.
     * @param {string} id
     */
    song(id) {
        return this.songs.find((one) => one.id === id);
    }
}

/** Somebody as they are once a change is stored. */
function changed(person, changes) {
    if (!changes) return person;
    const { sounds, ...play } = changes;
    return { ...person, settings: { ...person.settings, ...changes }, play: { ...person.play, ...play } };
}

/** @param {Drums.DeskPerson} person */
function practises({ plan, week }) {
    return Boolean(plan) || (week?.sessions ?? 0) > 0;
}

/** The one desk of this page. */
export const desk = new Desk();
