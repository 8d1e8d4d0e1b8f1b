import { make } from "./make.js";

const QUIET = 4; // modules around a code that a reader wants empty (ISO/IEC 18004)

/**
 * A QR code, dark on light in both themes: a reader sees no other.
 * @param {{size: number, path: string}} code  as the hub drew it: modules a side, and the dark ones as a path
 * @param {string} label  what it leads to
 */
export function qrCode({ size, path }, label) {
    const side = size + 2 * QUIET;
    return make("svg:svg", {
        class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges",
        viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`,
    }, make("svg:rect", { x: -QUIET, y: -QUIET, width: side, height: side }), make("svg:path", { d: path }));
}
