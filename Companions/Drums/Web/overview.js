import { CachedResource } from "../app/cached-resource.js";
import { PersonOverview } from "../app/person-overview.js";
import { t } from "../language/text.js";

/**
 * Every song with its notes and levels, as the hub answered it last: only screens that play or name songs ask for it. It is
 * cached on the device, so that all of them can be played without the hub.
 */
export const songs = new CachedResource("drums", "/api/drums/songs", "drums songs", "songs");

/**
 * What the hub answered last about who drums: `{headline, people, active}`.
 * @extends {PersonOverview<"/api/drums">}
 */
class Overview extends PersonOverview {
    #onTheirWay = new Map(); // what was changed here and the hub does not have yet, by person

    constructor() {
        super("drums", "/api/drums");
    }

    /** As everywhere, with what is still on its way. */
    put(data, tag) {
        if (this.#onTheirWay.size === 0) return super.put(data, tag);
        super.put({ ...data, people: data.people.map((one) => changed(one, this.#onTheirWay.get(one.id))) });
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
        if (this.data) this.put(this.data);
        let response = null;
        try {
            const { outbox } = await import("../offline/outbox.js");
            response = await outbox.untilDelivered(await outbox.add({
                queue: `drums settings ${id}`, path: `/api/drums/people/${encodeURIComponent(id)}/settings`, method: "PUT",
                title: t`How ${name} plays`, bytes: new TextEncoder().encode(JSON.stringify(changes)),
            }));
        } finally {
            // Where more was changed since, that is still on its way.
            if (this.#onTheirWay.get(id) === all) this.#onTheirWay.delete(id);
            if (response) this.take(response);
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
        return windows?.[this.data?.limits?.linkClasses?.[link]]?.[hands];
    }

    /** The songs as last loaded. */
    get songs() { return songs.data?.songs ?? []; }

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
     * One song as last loaded.
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

/** @param {Drums.OverviewPerson} person */
function practises({ plan, week }) {
    return Boolean(plan) || (week?.sessions ?? 0) > 0;
}

/** The one overview of this page. */
export const overview = new Overview();
