import { make } from "../../elements/make.js";

/** Of a quarter's seven teeth, from the middle to the back: degrees from the top of the arch, and widths. */
const ANGLES = [4.9, 14.9, 25.4, 36.6, 48.1, 60.9, 75.1];
export const TEETH = 28;

/** Two looks of the same teeth: in the ring, and in the mouth of an animal. */
const RING = { cx: 160, cy: 160, rx: 113, ry: 113, height: 25.5, widths: [14.4, 15, 16.7, 17.2, 18.4, 22.3, 23.4] };
const MOUTH = { cx: 160, cy: 200, rx: 80, ry: 60, height: 20.2, widths: [9.8, 10.1, 10.9, 10.7, 10.8, 12.2, 12] };

/**
 * Where the teeth are, clockwise from the upper left at the back. Left is left as in a mirror.
 * @param {"ring"|"mouth"} look
 * @returns {Array<{x: number, y: number, turn: number, width: number, height: number}>}  `turn`: degrees
 */
export function places(look) {
    const { cx, cy, rx, ry, height, widths } = look === "mouth" ? MOUTH : RING;
    return Array.from({ length: TEETH }, (_, i) => {
        const quarter = Math.floor(i / 7);
        const nth = quarter % 2 === 0 ? 6 - i % 7 : i % 7; // from the middle
        const angle = [-ANGLES[nth], ANGLES[nth], 180 - ANGLES[nth], 180 + ANGLES[nth]][quarter] * Math.PI / 180;
        const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
        return {
            x: cx + rx * sin, y: cy - ry * cos, turn: Math.atan2(sin / rx, cos / ry) * 180 / Math.PI,
            width: widths[nth], height,
        };
    });
}

/**
 * The teeth as shapes.
 * @param {"ring"|"mouth"} look
 * @returns {SVGElement[]}
 */
export function teeth(look) {
    return places(look).map(({ x, y, turn, width, height }) => make("svg:rect", {
        class: "tooth", x: (x - width / 2).toFixed(1), y: (y - height / 2).toFixed(1), width, height,
        rx: (width * 0.34).toFixed(1), transform: `rotate(${turn.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})`,
    }));
}

/**
 * In which of so many places a tooth is, with the clock.
 * @param {number} tooth
 * @param {number} repetitions
 */
export function turnOf(tooth, repetitions) {
    return Math.floor(tooth * repetitions / TEETH);
}

/**
 * Whether a tooth's turn came before a part of the routine.
 * @param {number} tooth @param {number} segment
 * @param {Array<object>} segments  of the engine
 */
export function wasBrushed(tooth, segment, segments) {
    return segments.some(({ kind, place, repetitions }, i) =>
        i < segment && kind === 0 && turnOf(tooth, repetitions) === place);
}

/**
 * Whether a tooth's turn was brushed for the most part.
 * @param {Array<object>} parts  see session-summary.js
 */
export function isClean(tooth, parts) {
    return parts.some(({ kind, place, repetitions, done }) =>
        kind === 0 && turnOf(tooth, repetitions) === place && done > 0.5);
}

/** The 26 gaps between two neighbours of the same jaw, as lines, in the order of the teeth. */
export function gaps() {
    const all = places("ring");
    return all.slice(0, -1).map((one, i) => {
        if (i === TEETH / 2 - 1) return null; // from the upper jaw to the lower
        const angle = (Math.atan2(one.x - 160, 160 - one.y) + Math.atan2(all[i + 1].x - 160, 160 - all[i + 1].y)) / 2;
        const middle = i >= TEETH / 2 && Math.abs(one.x - all[i + 1].x) < 30 && one.y > 260 ? Math.PI : angle;
        const at = (radius) =>
            `${(160 + radius * Math.sin(middle)).toFixed(1)} ${(160 - radius * Math.cos(middle)).toFixed(1)}`;
        return make("svg:path", { class: "gap", d: `M${at(97)}L${at(129)}` });
    }).filter(Boolean);
}
