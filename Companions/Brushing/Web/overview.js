import { PersonOverview } from "../app/person-overview.js";

/**
 * What the hub answered last about who brushes: routines, progress, weeks; `{headline, people}`.
 * @extends {PersonOverview<"/api/brushing">}
 */
class Overview extends PersonOverview {
    constructor() {
        super("brushing", "/api/brushing");
    }

    /** Those for whom this device may note a session. */
    get brushers() { return this.players; }
}

/** The one overview of this page. */
export const overview = new Overview();
