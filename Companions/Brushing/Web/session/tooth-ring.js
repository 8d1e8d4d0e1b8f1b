import { make, text } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { clockOf } from "../../text/durations.js";
import { ring } from "./ring.js";
import { gaps, teeth, turnOf, wasBrushed } from "./teeth.js";
import { KIND } from "../engine-constants.js";

/**
 * The ring as a mouth, with the seconds that are left of the part.
 * @param {import("./active-session.js").ActiveBrushing} active
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function toothRing(active) {
    const segments = active.segments;
    const mouth = teeth("ring");
    const between = gaps();
    const round = ring({ radius: 146, width: 26, over: [mouth, make("svg:g", { class: "gaps" }, between)] });
    const figure = make("b");
    round.words.append(figure);
    let painted = null;
    const show = () => {
        const view = active.view;
        const { kind, remainingMilliseconds, fraction, segmentIndex, isPaused } = view;
        const seconds = Math.ceil(remainingMilliseconds / 1000);
        round.show(segments[segmentIndex]?.milliseconds ?? 1000, remainingMilliseconds);
        text(figure, seconds < 100 ? String(seconds) : clockOf(seconds));
        figure.dataset.long = seconds < 100 ? "" : "long";
        const label = isPaused ? t`${seconds} seconds left, paused` : t`${seconds} seconds left`;
        if (round.node.getAttribute("aria-label") !== label) round.node.setAttribute("aria-label", label);
        const flossed = kind === KIND.floss ? Math.floor(fraction * between.length + 0.5) : 0;
        between.forEach((gap, i) => gap.classList.toggle("done", i < flossed));
        if (painted === segmentIndex) return;
        painted = segmentIndex;
        mouth.forEach((tooth, i) => tooth.setAttribute("class", `tooth ${stateOf(i, view, segments)}`));
    };
    return { node: round.node, show };
}

/** What is seen of a tooth: clean, brushed now, or still to come. */
function stateOf(tooth, { kind, place, repetitions, segmentIndex }, segments) {
    if (kind !== KIND.brush) return "clean";
    if (turnOf(tooth, repetitions) === place) return "now";
    return wasBrushed(tooth, segmentIndex, segments) ? "clean" : "";
}
