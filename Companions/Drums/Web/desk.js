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

    /** One song as last told. @param {string} id */
    song(id) {
        return this.songs.find((one) => one.id === id);
    }
}

/** The one desk of this page. */
export const desk = new Desk();
