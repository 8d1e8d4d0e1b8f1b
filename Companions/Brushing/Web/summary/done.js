import { keep, kept } from "../../offline/kept.js";
import { awardNumbered } from "../history/awards.js";
import { textOf } from "../../engine/base64.js";
import { desk } from "../desk.js";
import { progressOf, tipAfter } from "../progress.js";
import { tips } from "../tips/tips.js";

const NAME = "brushing-done";
const MOST = 5;

/**
 * Keeps what a summary wants to know of a session that has just ended, for as long as it is the latest but few. What
 * it earned is asked of the engine now: later it is one of many.
 * @param {{id: string, person: object, startedAt: number, bytes: Uint8Array, isChildMode: boolean}} run
 */
export async function noteDone({ id, person, startedAt, bytes, isChildMode }) {
    const before = kept(NAME) ?? [];
    if (before.some((one) => one.id === id)) return;
    const told = desk.person(person.id);
    const last = { at: startedAt, bytes };
    const progress = await (told && progressOf(told, last))?.catch(() => null);
    const tip = await (told && tipAfter(told, tips.length, last))?.catch(() => 0);
    keep(NAME, [{
        id, person, startedAt, isChildMode, bytes: textOf(bytes),
        award: awardNumbered(progress?.award ?? 0)?.name ?? null,
        habitBefore: told?.progress?.habitPercent ?? null, tip: tip ?? 0,
    }, ...before].slice(0, MOST));
}

/**
 * What {@link noteDone} has kept of a session, or null.
 * @param {string} id
 */
export function doneHere(id) {
    return (kept(NAME) ?? []).find((one) => one.id === id) ?? null;
}

/**
 * Keeps what the hub answered about it.
 * @param {string} id
 * @param {object} told
 */
export function noteTold(id, told) {
    keep(NAME, (kept(NAME) ?? []).map((one) => (one.id === id ? { ...one, told } : one)));
}
