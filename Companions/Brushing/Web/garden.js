import { make } from "../elements/make.js";
import { t } from "../language/text.js";

const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // the angle from leaf to leaf, as sunflowers have it
const WIDTH = 320;
const GROUND = 176;
const FEW = 5; // whole trees that are drawn; more are a number
const KINDS = ["round", "tall", "wide"]; // of crowns, one after the other

/**
 * What has grown: whole trees behind, and the one that gets a leaf with each brushing in front of them.
 * @typedef {{trees: number, leaves: number, leavesPerTree: number}} Grown
 * @param {Grown} garden
 * @param {{isNew?: boolean}} [options]  `isNew`: the newest leaf opens
 */
export function gardenPicture(garden, options) {
    const { trees, leaves, leavesPerTree } = garden;
    const isNew = options?.isNew === true;
    const isWhole = leaves === 0 && trees > 0 && isNew; // the one that has just become whole stands in front
    const behind = isWhole ? trees - 1 : trees;
    const shown = Math.min(behind, FEW);
    const places = [34, 286, 78, 244, 112];
    return make("svg:svg", { class: "garden", viewBox: `0 0 ${WIDTH} 200`, role: "img", "aria-label": gardenText(garden) },
        make("svg:path", { class: "hill", d: `M0 ${GROUND}C70 ${GROUND - 22} 120 ${GROUND - 10} 160 ${GROUND - 6}S270 ${GROUND - 22} ${WIDTH} ${GROUND - 2}V200H0z` }),
        Array.from({ length: shown }, (_, i) => make("svg:g", {
            transform: `translate(${places[i]} ${GROUND - 8 + (i % 2) * 4}) scale(${0.42 - (i > 1 ? 0.06 : 0)})`,
        }, tree(behind - i - 1, leavesPerTree, leavesPerTree, false))),
        make("svg:g", { transform: `translate(160 ${GROUND})` },
            tree(isWhole ? trees - 1 : trees, isWhole ? leavesPerTree : leaves, leavesPerTree, isNew)),
        behind > FEW && make("svg:text", { class: "more", x: 312, y: 22 }, `+${behind - FEW}`));
}

/** A tree on the ground at 0, 0: its trunk is as high as it has leaves, and a whole one bears fruit. */
function tree(number, leaves, leavesPerTree, isNew) {
    const grown = leaves / leavesPerTree;
    const height = 22 + 70 * grown;
    const kind = KINDS[number % KINDS.length];
    const [wide, high] = { round: [1, 1], tall: [0.78, 1.2], wide: [1.25, 0.85] }[kind];
    const crown = -height - 14 * grown;
    const leaf = (i) => {
        const reach = 7.4 * Math.sqrt(i + 0.5);
        const [x, y] = [Math.cos(i * GOLDEN) * reach * wide, crown + Math.sin(i * GOLDEN) * reach * high];
        const isNewest = isNew && i === leaves - 1;
        return make("svg:ellipse", {
            class: `leaf leaf-${(i + number) % 3}${isNewest ? " newest" : ""}`, cx: x.toFixed(1), cy: y.toFixed(1), rx: 8, ry: 5.6,
            transform: `rotate(${Math.round(i * 137.5) % 180} ${x.toFixed(1)} ${y.toFixed(1)})`,
        });
    };
    const fruit = leaves < leavesPerTree ? [] : [4, 9, 15, 22, 30, 39, 48].map((i) => {
        const reach = 7.4 * Math.sqrt(i + 0.5);
        return make("svg:circle", {
            class: `fruit fruit-${number % 3}`, r: 6, cx: (Math.cos(i * GOLDEN) * reach * wide).toFixed(1),
            cy: (crown + Math.sin(i * GOLDEN) * reach * high).toFixed(1),
        });
    });
    const half = 2.5 + 4.5 * grown;
    return [
        make("svg:path", { class: "trunk", d: `M${-half} 4C${-half * 0.7} ${-height * 0.5} ${-half * 0.5} ${-height * 0.8} 0 ${crown + 4}C${half * 0.5} ${-height * 0.8} ${half * 0.7} ${-height * 0.5} ${half} 4z` }),
        Array.from({ length: leaves }, (_, i) => leaf(i)), fruit,
    ];
}

/**
 * The same in words.
 * @param {Grown} garden
 */
export function gardenText({ trees, leaves, leavesPerTree }) {
    const rest = leavesPerTree - leaves;
    if (trees === 0 && leaves === 0) return t`A seed is in the ground. Each brushing makes it a leaf.`;
    if (leaves === 0) return t`A tree is whole and bears fruit. Trees so far: ${trees}.`;
    return trees === 0 ? t`The first tree has ${leaves} leaves. ${rest} more and it is whole.`
        : t`The tree has ${leaves} leaves, and ${rest} more make it whole. Whole trees: ${trees}.`;
}

/**
 * A section with the picture, and what it says.
 * @param {Grown} garden
 * @param {{isNew?: boolean}} [options]
 */
export function gardenSection(garden, options) {
    return make("section", { class: "section", "aria-labelledby": "garden" },
        make("div", { class: "section-head" }, make("h2", { id: "garden" }, t`What grows`)),
        make("div", { class: "garden-frame" }, gardenPicture(garden, options)),
        make("p", { class: "small second" }, gardenText(garden), " ", t`A missed day costs no leaf.`));
}
