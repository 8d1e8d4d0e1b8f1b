import { t } from "../../language/text.js";
import { make } from "../../elements/make.js";

const RADIUS = 144;
const GAP = 3; // degrees
/** A tooth, in a square of 24. */
export const TOOTH = "M7.5 3.5c2 0 2.6 1 4.5 1s2.5-1 4.5-1c2.6 0 4 2.2 4 4.8 0 3-1.5 4.4-1.9 7-.4 2.2-.6 5.2-2.3 "
    + "5.2-2 0-1.5-5.5-4.3-5.5s-2.3 5.5-4.3 5.5c-1.7 0-1.9-3-2.3-5.2-.4-2.6-1.9-4-1.9-7 0-2.6 "
    + "1.4-4.8 4-4.8z";

/**
 * The arcs of a medal's ring, as path data in a square of 320.
 * @param {number} parts
 */
export function medalArcs(parts) {
    const gap = parts > 1 ? GAP : 0;
    return Array.from({ length: parts }, (_, i) => {
        const [from, to] = [i, i + 1].map((n, end) => n * 360 / parts + (end ? -gap : gap) / 2 - (gap ? 0 : end * 0.1));
        const at = (degrees) => {
            const angle = degrees * Math.PI / 180;
            return `${(160 + RADIUS * Math.sin(angle)).toFixed(1)} ${(160 - RADIUS * Math.cos(angle)).toFixed(1)}`;
        };
        return `M${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`;
    });
}

/** How large a mark of so many letters is written in the tooth, in its square of 24. */
export function markSize(mark) {
    return [7, 6.4, 5.4, 4.2][Math.min(mark.length, 4) - 1];
}

/**
 * The medal of an award.
 * @param {object} award  see awards.js
 */
export function medal(award) {
    const size = markSize(award.mark);
    return make("div", { class: "medal" },
        make("svg:svg", { viewBox: "0 0 320 320", role: "img", "aria-label": t`Award: ${award.title}. ${award.words}` },
            make("svg:g", { class: "medal-ring" }, medalArcs(award.parts).map((d) => make("svg:path", { d }))),
            make("svg:circle", { class: "medal-face", cx: 160, cy: 160, r: 100 }),
            make("svg:g", { class: "medal-art", transform: "translate(94 84) scale(5.5)" },
                make("svg:path", { d: TOOTH }),
                make("svg:text", { x: 12, y: 10.4 + size * 0.36, "font-size": size }, award.mark))));
}
