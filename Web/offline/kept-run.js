import { session } from "../house/session.js";
import { running } from "./running.js";

/**
 * Under which name a household's session is kept while it runs: whoever else signs in here meets none of it.
 * @param {string} slug  the companion's
 */
export const runName = (slug, household) => `${slug} ${household.id}`;

/**
 * The session of this household that is kept on this device, in whatever page it runs; null where none is.
 * @param {string} slug  the companion's
 */
export async function keptRun(slug) {
    return session.household ? running(runName(slug, session.household)).catch(() => null) : null;
}
