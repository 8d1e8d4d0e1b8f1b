import { t } from "../../language/text.js";
import { KIND, SURFACE } from "../engine-constants.js";

export const ICONS = ["tooth", "floss", "rinse"];
export const NAMES = [t`Brush`, t`Floss`, t`Rinse`];

const QUARTERS = [t`Upper left`, t`Upper right`, t`Lower right`, t`Lower left`];
const SPIT = t`Spit out the foam and leave the water for later. What stays on your teeth keeps protecting them.`;

/**
 * A part of the routine in two or three words, the way one would say it.
 * @param {{kind: number, repetition: number, repetitions: number, place?: number}} part  `repetition` from 1; `place`: where
 *   in the mouth, with the clock
 */
export function zoneName({ kind, repetition, repetitions, place = repetition - 1 }) {
    if (kind === KIND.floss) return repetitions > 1 ? t`Floss, ${repetition} of ${repetitions}` : t`Floss`;
    if (kind === KIND.rinse) return t`Spit, don’t rinse`;
    if (repetitions === 1) return t`All teeth`;
    if (repetitions === 2) return [t`Upper teeth`, t`Lower teeth`][repetition - 1];
    if (repetitions === 4) return QUARTERS[place];
    if (repetitions === 8) {
        const isFront = place % 4 === 1 || place % 4 === 2; // clockwise
        const quarter = QUARTERS[Math.floor(place / 2)];
        return isFront ? t`${quarter}, front` : t`${quarter}, back`;
    }
    return t`Part ${repetition} of ${repetitions}`;
}

/**
 * What to do there, and what comes then.
 * @param {{kind: number, surface: number}} view  `surface`: which side of the teeth, as the engine numbers them
 * @param {string?} next  the name of the next part
 */
export function zoneLead({ kind, surface }, next) {
    if (kind === KIND.rinse) return SPIT;
    if (kind === KIND.floss) {
        return next ? t`Around each tooth, down to the gum. Next: ${next}.` : t`Around each tooth, down to the gum.`;
    }
    if (surface === SURFACE.inside) return t`Now the inside.`;
    if (surface === SURFACE.outside) return next ? t`The outside first. Next: ${next}.` : t`The outside first.`;
    return next ? t`Now the chewing surfaces. Next: ${next}.` : t`Now the chewing surfaces.`;
}

/**
 * "Brush four quarters, floss, spit."
 * @param {Array<{kind: string, repetitions: number, isOn: boolean}>} steps
 */
export function routineText(steps) {
    const words = steps.filter((step) => step.isOn).map(({ kind, repetitions }) => {
        if (kind === "brush") return repetitions === 4 ? t`brush four quarters` : t`brush`;
        return kind === "floss" ? t`floss` : t`spit`;
    });
    const all = words.join(", ");
    return all && `${all.charAt(0).toUpperCase()}${all.slice(1)}.`;
}
