import { PersonOverview } from "../app/person-overview.js";

/**
 * What the hub answered last about facts: who hears them, the toys, the categories; `{headline, lead, people, toys, shelves}`.
 * @extends {PersonOverview<"/api/toy">}
 */
class Overview extends PersonOverview {
    constructor() {
        super("toy", "/api/toy");
    }

    /** Those of whom this page may see what is their own. */
    get readable() { return this.data?.people.filter(({ mayRead }) => mayRead) ?? []; }
}

/** The one overview of this page. */
export const overview = new Overview();

/** Below what somebody's facts are asked for. @param {{id: string}} person @param {string} rest */
export const pathOf = ({ id }, rest) => /** @type {any} */ (`/api/toy/people/${encodeURIComponent(id)}/${rest}`);
