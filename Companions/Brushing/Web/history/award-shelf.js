import { fill, make } from "../../elements/make.js";
import { allAwards } from "./awards.js";
import { fullDay } from "../../text/civil.js";
import { t } from "../../language/text.js";

const RADIUS = 42; // of the ring, in a box of 100
const AROUND = 2 * Math.PI * RADIUS;

/** Every award there is: the earned ones solid, with their day; the others outlined. */
export function awardShelf() {
    const count = make("span", { class: "strong" });
    const list = make("ul", { class: "shelf" });
    const node = make("section", { class: "section", "aria-labelledby": "b-awards" },
        make("div", { class: "section-head" }, make("h2", { id: "b-awards" }, t`Awards`), count), list);
    const show = ({ awards }) => {
        const earned = new Map(awards.map((one) => [one.name, one.day]));
        count.textContent = t`${earned.size} of ${allAwards.length}`;
        fill(list, allAwards.map((award) => item(award, earned.get(award.name))));
    };
    return { node, show };
}

function item({ title, words, mark, parts, name }, day) {
    return make("li", { data: { state: day ? "earned" : "to-come" }, id: `award-${name}` },
        small(mark, parts),
        make("span", { class: "name" }, title),
        make("span", { class: "fine" }, day ? [make("span", { class: "unseen" }, t`earned`), " ", fullDay(day)]
            : [make("span", { class: "unseen" }, t`not yet:`), " ", words]));
}

function small(mark, parts) {
    const brick = AROUND / parts;
    const gap = parts === 1 ? 0 : Math.min(3, brick * 0.3);
    return make("svg:svg", { viewBox: "0 0 100 100", class: "small-medal", "aria-hidden": true },
        make("svg:circle", {
            class: "small-ring", cx: 50, cy: 50, r: RADIUS, transform: "rotate(-90 50 50)",
            "stroke-dasharray": `${(brick - gap).toFixed(2)} ${gap.toFixed(2)}`,
        }),
        make("svg:circle", { class: "small-face", cx: 50, cy: 50, r: 31 }),
        make("svg:text", { x: 50, y: mark.length > 3 ? 56.5 : 58, "font-size": mark.length > 3 ? 19 : 24 }, mark));
}
