import { face } from "../../elements/face.js";
import { make } from "../../elements/make.js";

/**
 * Two who brush at one device, side by side or, where that is small, one above the other: of each the name and the ring.
 * @param {import("./active-session.js").ActiveBrushing[]} brushing
 * @param {Array<{node: HTMLElement}>} rings  of each
 * @param {(one: import("./active-session.js").ActiveBrushing) => HTMLElement?} [beside]  what stands beside the name
 */
export function halves(brushing, rings, beside = () => null) {
    return make("div", { class: "halves" }, brushing.map((one, i) => {
        const { person } = one.stored;
        return make("section", { class: "half", "aria-label": person.name },
            make("div", { class: "half-head" },
                make("span", { class: "header-name" }, face(person, "s"), make("span", {}, person.name)), beside(one)),
            rings[i].node);
    }));
}
