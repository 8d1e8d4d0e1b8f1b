import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";

/**
 * Why a song is not begun, or taken up: another one is, on this device.
 * @param {{person: {name: string}, song: {title: string}}} stored  of that
 */
export function stillOpen({ person, song }) {
    return new Problem(0, {
        title: t`One song at a time`,
        detail: t`${person.name}’s song, ${song.title}, is still open on this device: go on with it or stop it first.`,
    });
}
