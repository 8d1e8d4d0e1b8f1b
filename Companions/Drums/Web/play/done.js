import { textOf } from "../../engine/base64.js";
import { store, cached } from "../../offline/cache.js";
import { outbox } from "../../offline/outbox.js";

const NAME = "drums-done";
const MOST = 5;

/** Where the hub takes sessions, and tells of each. */
export const PATH = "/api/drums/sessions";

/**
 * Keeps what a summary wants to know of a song that was just played, for as long as it is the latest but few.
 * @param {{id: string, person: object, song: object, startedAt: number, bytes: Uint8Array}} active
 */
export async function noteDone({ id, person, song, startedAt, bytes }) {
    const before = cached(NAME) ?? [];
    if (before.some((one) => one.id === id)) return;
    store(NAME, [{ id, person, song, startedAt, bytes: textOf(bytes) }, ...before].slice(0, MOST));
}

/**
 * What {@link noteDone} has kept of a session, or null; and as `storedAs` the id under which the hub has stored it where
 * two devices went on with one song: the first to be stored has the one that both began with.
 * @param {string} id
 */
export function doneHere(id) {
    return (cached(NAME) ?? []).find((one) => one.id === id) ?? null;
}

/**
 * The hub's path of a session that was played here.
 * @param {string} id  the one that it began with
 */
export const storedPath = (id) => `/drums/session/${encodeURIComponent(doneHere(id)?.storedAs ?? id)}`;

outbox.addEventListener("delivered", ({ detail: { queue, path, made } }) => {
    if (path !== PATH || !made || made === queue) return;
    store(NAME, (cached(NAME) ?? []).map((one) => (one.id === queue ? { ...one, storedAs: made } : one)));
});
