import { stylesheet } from "../../elements/stylesheet.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { listed, t } from "../../language/text.js";
import { animalRing } from "./animal-ring.js";
import { halves } from "./halves.js";
import { holdButton } from "./hold-button.js";
import { stepsBar } from "./steps-bar.js";
import { skipWord } from "./skip-word.js";

/**
 * The fullscreen view for who does not read: the animal of each who brushes, three round things to press. Stopping wants a
 * hold; of two, each has that at their own animal.
 * @param {import("./session-group.js").SessionGroup} group
 * @param {{toggle: () => any, skip: () => any, stop: () => any, stopNow: () => any, stopOne: (one: object) => any}} acts
 * @returns {Promise<{node: HTMLElement, show: () => void}>}
 */
export async function childView(group, acts) {
    await stylesheet("brushing/session/child.css");
    const { brushing, lead } = group;
    const segments = lead.segments;
    const isAlone = brushing.length === 1;
    const names = brushing.map(({ stored }) => stored.person.name);
    const rings = brushing.map((one) => animalRing(one));
    const bar = stepsBar(segments);
    const toggle = roundButton(t`Pause`, "pause", acts.toggle, true);
    const skip = roundButton("", "skip", acts.skip);
    const node = make("div", { class: "header fullscreen child" },
        make("h1", { class: "unseen", tabindex: "-1" },
            isAlone ? t`${names[0]} is brushing` : t`${listed(names)} are brushing`),
        make("div", { class: "header-bar" },
            isAlone && holdButton(t`Stop: hold for a second`, "close", acts.stopNow, acts.stop)),
        isAlone ? rings[0].node : halves(brushing, rings, (one) =>
            holdButton(t`Stop for ${one.stored.person.name}: hold for a second`, "close", () => acts.stopOne(one), acts.stop)),
        bar.node,
        make("div", { class: "controls" }, toggle, skip));
    let painted = null;
    const show = () => {
        const { lead } = group;
        const view = lead.view;
        const { kind, segmentIndex, isPaused } = view;
        for (const ring of rings) ring.show();
        bar.show(segmentIndex, lead.segments);
        if (painted === `${segmentIndex} ${isPaused}`) return;
        painted = `${segmentIndex} ${isPaused}`;
        skip.setAttribute("aria-label", skipWord(view, segments));
        node.dataset.state = isPaused ? "paused" : "on";
        node.dataset.kind = kind;
        fill(toggle, icon(isPaused ? "play" : "pause"));
        toggle.setAttribute("aria-label", isPaused ? t`Go on` : t`Pause`);
    };
    return { node, show };
}

/** A large round button without a word. */
export function roundButton(name, iconName, press, isMain) {
    return make("button", {
        class: "round", type: "button", "aria-label": name, data: { main: isMain ? "" : undefined },
        on: { click: press },
    }, icon(iconName));
}
