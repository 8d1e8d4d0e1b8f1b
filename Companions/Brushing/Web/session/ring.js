import { make } from "../../elements/make.js";

const MOST = 60; // bricks: more could not be distinguished
let count = 0;

/**
 * The ring of what is left of a part: a brick is a second, or two and more where it lasts long.
 * @param {{radius: number, width: number, under?: SVGElement[], over?: SVGElement[]}} look
 * @returns {{node: HTMLElement, words: HTMLElement, show: (length: number, remaining: number) => void}}
 *   `show` takes milliseconds
 */
export function ring({ radius, width, under, over }) {
    const id = `left-${count += 1}`;
    const circle = (name, more = {}) => make("svg:circle", {
        class: name, cx: 160, cy: 160, r: radius, "stroke-width": width, transform: "rotate(-90 160 160)", ...more,
    });
    const track = circle("track");
    const left = circle("left");
    // What is left goes from the top against the clock, so that the bricks vanish with it.
    const window = make("svg:circle", {
        cx: 160, cy: 160, r: radius, fill: "none", stroke: "#fff", "stroke-width": width + 20,
        transform: "rotate(-90 160 160) scale(1 -1) translate(0 -320)",
    });
    const words = make("div", { class: "ring-text" });
    const node = make("div", { class: "ring", role: "timer" },
        make("svg:svg", { viewBox: "0 0 320 320", "aria-hidden": true },
            make("svg:mask", { id, maskUnits: "userSpaceOnUse", x: -10, y: -10, width: 340, height: 340 }, window),
            under, track, make("svg:g", { mask: `url(#${id})` }, left), over),
        words);
    let cut = null;
    let shown = null;
    const show = (length, remaining) => {
        const seconds = Math.max(1, Math.round(length / 1000));
        const bricks = Math.ceil(seconds / Math.ceil(seconds / MOST));
        if (cut !== bricks) {
            cut = bricks;
            shown = null;
            for (const one of [track, left]) {
                one.setAttribute("pathLength", bricks);
                one.setAttribute("stroke-dasharray", "0.84 0.16");
                one.setAttribute("stroke-dashoffset", "-0.08");
            }
            window.setAttribute("pathLength", bricks);
        }
        const whole = Math.min(bricks, Math.ceil(remaining / length * bricks - 1e-6));
        if (shown === whole) return;
        shown = whole;
        window.setAttribute("stroke-dasharray", `${whole} ${bricks}`);
        left.style.display = whole === 0 ? "none" : "";
    };
    return { node, words, show };
}
