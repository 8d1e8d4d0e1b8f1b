import { PersonDesk } from "../house/person-desk.js";

/**
 * What the hub told last about who drums, and every song with its notes and levels: `{headline, lead, people, songs,
 * running}`. It is kept on the device, so that all of them can be played without the hub.
 */
class Desk extends PersonDesk {
    constructor() {
        super("drums", "/api/drums");
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

    /** One song as last told. @param {string} id */
    song(id) {
        return this.songs.find((one) => one.id === id);
    }
}

function practises({ plan, week }) {
    return Boolean(plan) || (week?.sessions ?? 0) > 0;
}

/** The one desk of this page. */
export const desk = new Desk();
