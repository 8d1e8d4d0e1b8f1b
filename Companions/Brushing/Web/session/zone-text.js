export const KIND = { brush: 0, floss: 1, rinse: 2 };
export const ICONS = ["tooth", "floss", "rinse"];
export const NAMES = ["Brush", "Floss", "Rinse"];

const QUARTERS = ["Upper left", "Upper right", "Lower right", "Lower left"];
const SPIT = "Spit the foam out and leave the water for later: what stays on the teeth goes on protecting them.";

/**
 * A part of the routine in two or three words, the way one would say it.
 * @param {{kind: number, repetition: number, repetitions: number, place?: number}} part  `repetition` from 0; `place`: where
 *   in the mouth, with the clock
 */
export function zoneName({ kind, repetition, repetitions, place = repetition }) {
    if (kind === KIND.floss) return repetitions > 1 ? `Floss, ${repetition + 1} of ${repetitions}` : "Floss";
    if (kind === KIND.rinse) return "Spit, don’t rinse";
    if (repetitions === 1) return "All teeth";
    if (repetitions === 2) return ["Upper teeth", "Lower teeth"][repetition];
    if (repetitions === 4) return QUARTERS[place];
    if (repetitions === 8) {
        const isFront = place % 4 === 1 || place % 4 === 2; // clockwise
        return `${QUARTERS[Math.floor(place / 2)]}, ${isFront ? "front" : "back"}`;
    }
    return `Part ${repetition + 1} of ${repetitions}`;
}

/**
 * What to do there, and what comes then.
 * @param {{kind: number, surface: number}} view  `surface`: which side of the teeth, as the engine numbers them
 * @param {string?} next  the name of the next part
 */
export function zoneLead({ kind, surface }, next) {
    const then = next ? ` Then ${next.charAt(0).toLowerCase()}${next.slice(1)}.` : "";
    if (kind === KIND.floss) return `Around each tooth, down to the gum.${then}`;
    if (kind === KIND.rinse) return SPIT;
    return [`Outside first.${then}`, "Now the inside.", `Now the tops, that chew.${then}`][surface];
}

/**
 * "Brush four quarters, floss, spit."
 * @param {Array<{kind: string, repetitions: number, isOn: boolean}>} steps
 */
export function routineText(steps) {
    const words = steps.filter((step) => step.isOn).map(({ kind, repetitions }) => {
        if (kind === "brush") return repetitions === 4 ? "brush four quarters" : "brush";
        return kind === "floss" ? "floss" : "spit";
    });
    const all = words.join(", ");
    return all && `${all.charAt(0).toUpperCase()}${all.slice(1)}.`;
}
