import { store, cached } from "../../offline/cache.js";
import { awardNumbered } from "../history/awards.js";
import { textOf } from "../../engine/base64.js";
import { overview } from "../overview.js";
import { progressOf, tipAfter } from "../progress.js";
import { tips } from "../tips/tips.js";

const NAME = "brushing-done";
const MOST = 5;

/**
 * Keeps what a summary wants to know of a session that has just ended, for as long as it is the latest but few. What
 * it earned is asked of the engine now: later it is one of many.
 * @param {{id: string, person: object, startedAt: number, bytes: Uint8Array, isChildMode: boolean, together?: string[]}}
 *   active
 */
export async function noteDone({ id, person, startedAt, bytes, isChildMode, together = null }) {
    if (doneHere(id)) return;
    const data = overview.person(person.id);
    const last = { at: startedAt, bytes };
    const progress = await (data && progressOf(data, last))?.catch(() => null);
    const tip = await (data && tipAfter(data, tips.length, last))?.catch(() => 0);
    const before = cached(NAME) ?? []; // now: who brushed along has been noted meanwhile
    store(NAME, [{
        id, person, startedAt, isChildMode, together, bytes: textOf(bytes),
        award: awardNumbered(progress?.award ?? 0)?.name ?? null,
        habitBefore: data?.progress?.habitPercent ?? null, tip: tip ?? 0,
    }, ...before].slice(0, MOST));
}

/**
 * What {@link noteDone} has kept of a session, or null.
 * @param {string} id
 */
export function doneHere(id) {
    return (cached(NAME) ?? []).find((one) => one.id === id) ?? null;
}

/**
 * Those who brushed together in that session, as {@link noteDone} has kept them, in the order in which they stood there.
 * @param {{id: string, together?: string[]}} done
 */
export function doneTogether(done) {
    return (done.together ?? [done.id]).map(doneHere).filter((one) => one !== null);
}

/**
 * Keeps what the hub answered about it.
 * @param {string} id
 * @param {object} data
 */
export function noteResponse(id, data) {
    store(NAME, (cached(NAME) ?? []).map((one) => (one.id === id ? { ...one, answer: data } : one)));
}
