import { make } from "../../elements/make.js";
import { teeth } from "./teeth.js";

const shape = (tag) => (more) => make(`svg:${tag}`, more);
const [circle, ellipse, path] = ["circle", "ellipse", "path"].map(shape);
/** The same on the other side. */
const both = (...shapes) => [...shapes.map((one) => one()),
    make("svg:g", { transform: "matrix(-1 0 0 1 320 0)" }, shapes.map((one) => one()))];
/** Around the head, at so many places, from the first to the last degree with the clock. */
const around = (count, from, to, draw) => Array.from({ length: count }, (_, i) => {
    const angle = (from + (to - from) * i / count) * Math.PI / 180;
    return draw(160 + Math.sin(angle) * 158, 160 - Math.cos(angle) * 158, i);
});

const NOSE = () => path({ class: "dark", d: "M146 99h28c2 10-7 17-14 17s-16-7-14-17z" });
const BEAK = () => path({ class: "beak", d: "M138 92h44L160 122z" });
const pointed = (d, inner) => both(() => path({ class: "fur", d }), () => path({ class: "fur-in", d: inner }));

/**
 * What makes each animal one: behind its head, and on its face above the mouth. They are those of the faces that a
 * person may choose, seen from nearer.
 */
const ANIMALS = {
    bear: {
        behind: () => both(() => circle({ class: "fur", cx: 48, cy: 42, r: 44 }),
            () => circle({ class: "fur-in", cx: 50, cy: 46, r: 22 })),
        on: NOSE,
    },
    fox: {
        behind: () => pointed("M18 128L8-22 124 30z", "M34 84L30 14 88 42z"),
        on: () => [
            path({ class: "light", d: "M23 175C62 128 116 140 160 112c44 28 98 16 137 63A138 138 0 0 1 23 175z" }), NOSE(),
        ],
    },
    cat: {
        behind: () => pointed("M16 120L22-16 132 26z", "M38 76L42 20 92 40z"),
        on: () => [
            path({ class: "stripe", d: "M160 28v30M134 34l5 24M186 34l-5 24" }), NOSE(),
            path({ class: "whisker", d: "M36 122l42 8M34 148l38-2M284 122l-42 8M286 148l-38-2" }),
        ],
    },
    dog: {
        behind: () => both(() => path({
            class: "fur-in", d: "M76 26C18 4-28 60-22 138c4 50 40 66 58 40 20-30 24-90 60-110z",
        })),
        on: () => [ellipse({ class: "fur-in", cx: 208, cy: 84, rx: 40, ry: 42 }), NOSE()],
    },
    rabbit: {
        behind: () => both(...[["fur", 36, 96], ["fur-in", 18, 74]].map(([name, rx, ry]) =>
            () => ellipse({ class: name, cx: 96, cy: -16, rx, ry, transform: "rotate(-12 96 -16)" }))),
        on: () => [path({ class: "pink", d: "M148 100h24c1 9-6 15-12 15s-13-6-12-15z" }),
            both(() => circle({ class: "blush", cx: 62, cy: 128, r: 18 }))],
    },
    owl: {
        behind: () => pointed("M30 104L14-8 130 28z", "M44 66L38 20 86 40z"),
        on: () => [both(() => circle({ class: "light", cx: 110, cy: 84, r: 42 })), BEAK()],
    },
    frog: {
        behind: () => both(() => circle({ class: "fur", cx: 66, cy: 32, r: 46 })),
        on: () => [both(() => circle({ class: "light", cx: 110, cy: 82, r: 30 })),
            both(() => circle({ class: "dark", cx: 150, cy: 108, r: 3.5 }))],
    },
    lion: {
        behind: () => [around(16, 0, 360, (cx, cy) => circle({ class: "fur-in", cx, cy, r: 40 })),
            both(() => circle({ class: "fur", cx: 54, cy: 50, r: 30 }))],
        on: NOSE,
    },
    elephant: {
        behind: () => both(() => ellipse({ class: "fur", cx: -8, cy: 116, rx: 76, ry: 98 }),
            () => ellipse({ class: "fur-in", cx: 0, cy: 118, rx: 48, ry: 70 })),
        on: () => [path({ class: "trunk", d: "M160 112C144 84 158 56 190 44" }),
            path({ class: "wrinkle", d: "M148 92l20-6M150 72l20 4" })],
    },
    penguin: {
        on: () => [both(() => circle({ class: "light", cx: 106, cy: 108, r: 60 })),
            ellipse({ class: "light", cx: 160, cy: 196, rx: 120, ry: 92 }), BEAK()],
    },
    pig: {
        behind: () => pointed("M24 112L12 4 120 24z", "M42 78L36 30 84 40z"),
        on: () => [ellipse({ class: "fur-in", cx: 160, cy: 103, rx: 34, ry: 21 }),
            both(() => ellipse({ class: "dark", cx: 149, cy: 103, rx: 5, ry: 7 }))],
    },
    hedgehog: {
        behind: () => path({
            class: "fur-in",
            d: `${around(44, -140, 140, (x, y, i) => {
                const out = (at) => (160 + (at - 160) * (i % 2 ? 1.24 : 0.9)).toFixed(0);
                return `${i ? "L" : "M"}${out(x)} ${out(y)}`;
            }).join("")}z`,
        }),
        on: () => [path({
            class: "fur-in",
            d: "M30 110A138 138 0 0 1 290 110L262 78 248 96 226 50 206 74 180 34 160 64 140 34 114 74 94 50 72 96 58 78z",
        }), circle({ class: "dark", cx: 160, cy: 106, r: 13 })],
    },
};

/**
 * A head with its mouth open, in the same square of 320 as the ring around it.
 * @param {string?} name  the face of the person; another is a friendly one without a name
 * @returns {{kind: string, behind: SVGElement[], face: SVGElement, mouth: SVGElement, teeth: SVGElement[]}}
 *   `behind` is drawn under the ring, `face` and then `mouth` over it
 */
export function animal(name) {
    const kind = name in ANIMALS ? name : "friend";
    const { behind = () => [], on = () => [] } = ANIMALS[kind] ?? {};
    const mouthTeeth = teeth("mouth");
    return {
        kind,
        behind: [behind(), circle({ class: "fur head", cx: 160, cy: 160, r: 138 })].flat(Infinity),
        face: make("svg:g", {}, [on()].flat(Infinity), [112, 208].map((cx) => make("svg:g", { class: "eye" },
            make("svg:g", { class: "eye-open" },
                circle({ class: "eye-ball", cx, cy: 84, r: 12 }), circle({ class: "light", cx: cx + 4, cy: 80, r: 4 })),
            path({ class: "eye-shut", d: `M${cx - 14} 82q14 16 28 0` }),
            path({ class: "eye-glad", d: `M${cx - 15} 90q15 -24 30 0` })))),
        mouth: make("svg:g", {},
            ellipse({ class: "mouth", cx: 160, cy: 200, rx: 94, ry: 74 }),
            path({ class: "tongue", d: "M112 240c8-26 26-36 48-36s40 10 48 36c-14 12-30 18-48 18s-34-6-48-18z" }),
            mouthTeeth),
        teeth: mouthTeeth,
    };
}

/**
 * A little star of light.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function spark(x, y, size) {
    const s = (part) => (size * part).toFixed(1);
    return path({
        class: "spark",
        d: `M${x} ${y - size}c${s(0.15)} ${s(0.7)} ${s(0.3)} ${s(0.85)} ${size} ${size}`
            + `c${s(-0.7)} ${s(0.15)} ${s(-0.85)} ${s(0.3)} ${-size} ${size}`
            + `c${s(-0.15)} ${s(-0.7)} ${s(-0.3)} ${s(-0.85)} ${-size} ${-size}`
            + `c${s(0.7)} ${s(-0.15)} ${s(0.85)} ${s(-0.3)} ${size} ${-size}z`,
    });
}
