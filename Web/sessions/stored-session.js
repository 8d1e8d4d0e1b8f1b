import { session } from "../app/session.js";
import { storedHeader } from "./recording-store.js";

/**
 * Under which name a household's active session is stored: whoever else signs in here meets none of it.
 * @param {string} slug  the companion's
 */
export const storedName = (slug, household) => `${slug} ${household.id}`;

/**
 * The active session of this household that is stored on this device, in whatever page it runs, without its recording;
 * null where none is.
 * @param {string} slug  the companion's
 */
export async function storedSession(slug) {
    return session.household ? storedHeader(storedName(slug, session.household)).catch(() => null) : null;
}
