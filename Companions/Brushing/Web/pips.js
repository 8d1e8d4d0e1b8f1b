import { make } from "../elements/make.js";
import { t } from "../language/text.js";

const RADIUS = 9.5; // of a disc in a box of 26
const GAP = 1.2; // from the middle to each half
const HALVES = {
    morning: { d: "M3.5 11.8A9.5 9.5 0 0 1 22.5 11.8z", hatch: hatched(true) },
    evening: { d: "M3.5 14.2A9.5 9.5 0 0 0 22.5 14.2z", hatch: hatched(false) },
};

/**
 * A day as two half discs: the upper is the morning. Full is brushed, outlined is not, hatched is a day that counts for
 * nothing, a small hollow one is still to come, or was over before the first brushing. A dot in the middle is a third time.
 * @typedef {{morning: boolean, evening: boolean, third?: boolean, isFrozen?: boolean, isToCome?: boolean, isBefore?: boolean}} HalfDays
 * @param {HalfDays} day
 */
export function disc(day) {
    return make("svg:svg", { viewBox: "0 0 26 26", "aria-hidden": true },
        isHollow(day) ? make("svg:circle", { class: "ahead", cx: 13, cy: 13, r: 3.5 })
            : [half(HALVES.morning, day.morning, day.isFrozen), half(HALVES.evening, day.evening, day.isFrozen),
                day.third && make("svg:circle", { class: "third", cx: 13, cy: 13, r: 4 })]);
}

/**
 * What a disc shows, in words.
 * @param {object} day  as {@link disc} takes it, and `isToday`
 */
export function discText({ morning, evening, third, isFrozen, isToCome, isBefore, isToday }) {
    if (third) return isFrozen ? t`day off, brushed three times` : t`brushed three times`;
    if (isFrozen) {
        if (morning && evening) return t`day off, brushed in the morning and evening`;
        if (morning) return t`day off, brushed in the morning`;
        return evening ? t`day off, brushed in the evening` : t`day off`;
    }
    if (isToCome) return t`to come`;
    if (morning && evening) return t`brushed in the morning and evening`;
    if (morning) return t`brushed in the morning`;
    if (evening) return t`brushed in the evening`;
    if (isToday) return t`not brushed yet`;
    return isBefore ? t`before the first brushing` : t`not brushed`;
}

/**
 * A day of a list `pips`.
 * @param {object} day  as {@link disc} takes it
 * @param {{word: string, name: string, isNow?: boolean}} label  `word`: shown below; `name`: said instead of it
 */
export function pip(day, { word, name, isNow }) {
    return make("li", {
        class: "pip", "aria-current": isNow ? "date" : undefined, data: { state: isHollow(day) ? "to-come" : undefined },
    },
    disc(day), make("span", { "aria-hidden": true }, word),
    make("span", { class: "unseen" }, `${name}: ${discText({ ...day, isToday: isNow })}`));
}

/** @param {HalfDays} day */
function isHollow({ morning, evening, isFrozen, isToCome, isBefore }) {
    return (isToCome || isBefore) && !isFrozen && !morning && !evening;
}

function half({ d, hatch }, isDone, isFrozen) {
    if (isDone) return make("svg:path", { class: "on", d });
    if (!isFrozen) return make("svg:path", { d });
    return [make("svg:path", { class: "rest", d }), make("svg:path", { class: "hatch", d: hatch })];
}

/** Lines at 45 degrees, cut off at the edge of a half disc. */
function hatched(isUpper) {
    const lines = [];
    for (let off = -8; off <= 8; off += 3.2) {
        const reach = Math.sqrt(RADIUS ** 2 - off ** 2);
        const cut = off + (isUpper ? GAP : -GAP) * Math.SQRT2;
        const [from, to] = isUpper ? [Math.max(-reach, cut), reach] : [-reach, Math.min(reach, cut)];
        if (to - from < 1) continue;
        const at = (along) =>
            `${(13 + (off + along) * Math.SQRT1_2).toFixed(1)} ${(13 + (off - along) * Math.SQRT1_2).toFixed(1)}`;
        lines.push(`M${at(from)}L${at(to)}`);
    }
    return lines.join("");
}
