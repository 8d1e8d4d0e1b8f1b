import { t } from "../../language/text.js";

/**
 * What "skip" leaves out, in the words of Great Teeth: one of several parts, all that is left of a kind, or the last there is.
 * @param {Object<string, number>} view  of the engine's session
 * @param {Array<object>} segments  of the engine
 */
export function skipWord({ repetition, repetitions, segmentIndex }, segments) {
    if (segmentIndex + 1 >= segments.length) return t`Finish`;
    return repetition < repetitions ? t`Skip Section` : t`Skip Activity`;
}
