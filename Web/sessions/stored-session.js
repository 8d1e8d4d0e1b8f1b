import { signIn } from "../app/sign-in.js";
import { storedHeaders } from "./content-store.js";

/**
 * The names of the active sessions of a household begin with it: whoever else signs in here meets none of them.
 * @param {string} slug  the companion's
 */
const householdName = (slug, household) => `${slug} ${household.id} `;

/**
 * Under which name a person's active session is stored.
 * @param {string} slug  the companion's
 */
export const storedName = (slug, household, person) => householdName(slug, household) + person.id;

/**
 * The active sessions of this household that are stored on this device, one of a person, in whatever page they run,
 * without their content; in the order in which they were begun.
 * @param {string} slug  the companion's
 */
export async function storedSessions(slug) {
    if (!signIn.household) return [];
    const headers = await storedHeaders(householdName(slug, signIn.household)).catch(() => []);
    return headers.sort((a, b) => a.startedAt - b.startedAt || a.place - b.place);
}

/**
 * The first of them, for a companion that has one at a time; null where none is.
 * @param {string} slug  the companion's
 */
export const storedSession = async (slug) => (await storedSessions(slug))[0] ?? null;
