import { t } from "../../language/text.js";

/**
 * What "skip" leaves out, in the words of Great Teeth: one of several parts, all that is left of a kind, or the last there is.
 * @param {{repetition: number, repetitions: number, segment: number}} view  `repetition` from 0
 * @param {Array<object>} segments  see segments.js
 */
export function skipWord({ repetition, repetitions, segment }, segments) {
    if (segment + 1 >= segments.length) return t`Finish`;
    return repetition + 1 < repetitions ? t`Skip Section` : t`Skip Activity`;
}
