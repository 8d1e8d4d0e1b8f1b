import { textOf } from "../../engine/base64.js";
import { keep, kept } from "../../offline/kept.js";

const NAME = "drums-done";
const MOST = 5;

/**
 * Keeps what a summary wants to know of a song that was just played, for as long as it is the latest but few.
 * @param {{id: string, person: object, song: object, startedAt: number, bytes: Uint8Array}} run
 */
export async function noteDone({ id, person, song, startedAt, bytes }) {
    const before = kept(NAME) ?? [];
    if (before.some((one) => one.id === id)) return;
    keep(NAME, [{ id, person, song, startedAt, bytes: textOf(bytes) }, ...before].slice(0, MOST));
}

/** What {@link noteDone} has kept of a session, or null. @param {string} id */
export function doneHere(id) {
    return (kept(NAME) ?? []).find((one) => one.id === id) ?? null;
}
