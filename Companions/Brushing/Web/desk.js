import { PersonDesk } from "../house/person-desk.js";

/**
 * What the hub told last about who brushes: routines, progress, weeks; `{headline, lead, people}`.
 * @extends {PersonDesk<"/api/brushing">}
 */
class Desk extends PersonDesk {
    constructor() {
        super("brushing", "/api/brushing");
    }

    /** Those for whom this device may note a session. */
    get brushers() { return this.players; }
}

/** The one desk of this page. */
export const desk = new Desk();
