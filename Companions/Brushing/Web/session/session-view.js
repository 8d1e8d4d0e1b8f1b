import { button, iconButton } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { halves } from "./halves.js";
import { stepsBar } from "./steps-bar.js";
import { skipWord } from "./skip-word.js";
import { toothRing } from "./tooth-ring.js";
import { zoneLead, zoneName } from "./zone-text.js";
import { KIND } from "../engine-constants.js";
import { t } from "../../language/text.js";
import { clockOf } from "../../text/durations.js";

/**
 * The fullscreen view of a session: the ring of each who brushes, the words of where one is, the bar of the whole, pause
 * and skip.
 * @param {import("./session-group.js").SessionGroup} group
 * @param {{toggle: () => any, skip: () => any, stop: () => any, sound: () => any}} acts
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function sessionView(group, acts) {
    const { brushing, lead: first } = group;
    const segments = first.segments;
    const isAlone = brushing.length === 1;
    const { person } = first.stored;
    const rings = brushing.map((one) => toothRing(one));
    const say = make("h1", { class: "say", tabindex: "-1" });
    const lead = make("p", { class: "lead" });
    const bar = stepsBar(segments);
    const left = make("p", { class: "session-left small" });
    const sound = iconButton(t`Sound cues`, "sound", acts.sound);
    const toggle = button(t`Pause`, { kind: "primary", size: "l", icon: "pause", press: acts.toggle });
    const skip = make("button", { class: "button", type: "button", data: { size: "l" }, on: { click: acts.skip } },
        icon("skip"));
    const node = make("div", { class: "header fullscreen" },
        make("div", { class: "header-bar" },
            make("span", { class: "header-name" }, isAlone && [face(person, "s"), make("span", {}, person.name)]),
            sound, iconButton(t`Stop`, "close", acts.stop)),
        isAlone ? rings[0].node : halves(brushing, rings), make("div", { class: "zone" }, say, lead, left), bar.node,
        make("div", { class: "controls" }, toggle, skip));
    let painted = null;
    const show = () => {
        const view = group.lead.view;
        const { kind, segmentIndex, isPaused } = view;
        const parts = group.lead.segments;
        for (const ring of rings) ring.show();
        const zone = zoneName(view);
        const next = nameAfter(segments, segmentIndex);
        text(say, isPaused ? t`Paused` : zone);
        text(lead, isPaused ? t`${zone}. It goes on from here.` : zoneLead(view, next));
        bar.show(segmentIndex, parts);
        text(left, t`${clockOf(parts.reduce((sum, { milliseconds, done }) => sum + (1 - done) * milliseconds, 0) / 1000)} left in all`);
        const isLoud = group.cues.sound;
        const now = `${segmentIndex} ${isPaused} ${isLoud}`;
        if (painted === now) return;
        painted = now;
        node.dataset.state = isPaused ? "paused" : "on";
        node.dataset.kind = kind;
        fill(toggle, icon(isPaused ? "play" : "pause"), isPaused ? t`Go on` : t`Pause`);
        fill(skip, skipWord(view, segments), icon("skip"));
        sound.setAttribute("aria-pressed", String(isLoud));
        fill(sound, icon(isLoud ? "sound" : "muted"));
    };
    return { node, show };
}

function nameAfter(segments, index) {
    const next = segments[index + 1];
    if (!next) return null;
    return next.kind === KIND.rinse ? t`Spit` : zoneName(next);
}
