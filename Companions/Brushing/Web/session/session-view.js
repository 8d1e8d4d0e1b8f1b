import { button, iconButton } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { clockOf } from "../../text/durations.js";
import { ring } from "./ring.js";
import { stepsBar } from "./steps-bar.js";
import { skipWord } from "./skip-word.js";
import { gaps, teeth, turnOf, wasBrushed } from "./teeth.js";
import { KIND, zoneLead, zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

/**
 * The fullscreen view of a session: the ring as a mouth, the words of where one is, the bar of the whole, pause and
 * skip.
 * @param {object} active  the session, see active-session.js
 * @param {{toggle: () => any, skip: () => any, stop: () => any, sound: () => any}} acts
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function sessionView(active, acts) {
    const { person } = active.stored;
    const segments = active.segments;
    const mouth = teeth("ring");
    const between = gaps();
    const round = ring({ radius: 146, width: 26, over: [mouth, make("svg:g", { class: "gaps" }, between)] });
    const figure = make("b");
    round.words.append(figure);
    const say = make("h1", { class: "say", tabindex: "-1" });
    const lead = make("p", { class: "lead" });
    const bar = stepsBar(segments);
    const sound = iconButton(t`Sound cues`, "sound", acts.sound);
    const toggle = button(t`Pause`, { kind: "primary", size: "l", icon: "pause", press: acts.toggle });
    const skip = make("button", { class: "button", type: "button", data: { size: "l" }, on: { click: acts.skip } },
        icon("skip"));
    const node = make("div", { class: "header fullscreen" },
        make("div", { class: "header-bar" },
            make("span", { class: "header-name" }, face(person, "s"), make("span", {}, person.name)),
            sound, iconButton(t`Stop`, "close", acts.stop)),
        round.node, make("div", { class: "zone" }, say, lead), bar.node,
        make("div", { class: "controls" }, toggle, skip));
    let painted = null;
    const show = () => {
        const view = active.view;
        const { kind, remaining, fraction, segment, isPaused } = view;
        const seconds = Math.ceil(remaining / 1000);
        const length = segments[segment]?.length ?? 1000;
        round.show(length, remaining);
        text(figure, seconds < 100 ? String(seconds) : clockOf(seconds));
        figure.dataset.long = seconds < 100 ? "" : "long";
        const label = isPaused ? t`${seconds} seconds left, paused` : t`${seconds} seconds left`;
        if (round.node.getAttribute("aria-label") !== label) round.node.setAttribute("aria-label", label);
        const zone = zoneName(view);
        const next = nameAfter(segments, segment);
        text(say, isPaused ? t`Paused` : zone);
        text(lead, isPaused ? t`${zone}. It goes on from here.` : zoneLead(view, next));
        bar.show(segment, (i) => active.done(i));
        const flossed = kind === KIND.floss ? Math.floor(fraction * between.length + 0.5) : 0;
        between.forEach((gap, i) => gap.classList.toggle("done", i < flossed));
        const now = `${segment} ${isPaused} ${active.stored.cues.sound}`;
        if (painted === now) return;
        painted = now;
        node.dataset.state = isPaused ? "paused" : "on";
        node.dataset.kind = kind;
        mouth.forEach((tooth, i) => tooth.setAttribute("class", `tooth ${stateOf(i, view, segments)}`));
        fill(toggle, icon(isPaused ? "play" : "pause"), isPaused ? t`Go on` : t`Pause`);
        fill(skip, skipWord(view, segments), icon("skip"));
        const isLoud = active.stored.cues.sound;
        sound.setAttribute("aria-pressed", String(isLoud));
        fill(sound, icon(isLoud ? "sound" : "muted"));
    };
    return { node, show };
}

/** What is seen of a tooth: clean, brushed now, or still to come. */
function stateOf(tooth, { kind, place, repetitions, segment }, segments) {
    if (kind !== KIND.brush) return "clean";
    if (turnOf(tooth, repetitions) === place) return "now";
    return wasBrushed(tooth, segment, segments) ? "clean" : "";
}

function nameAfter(segments, segment) {
    const next = segments[segment + 1];
    if (!next) return null;
    return next.kind === KIND.rinse ? t`Spit` : zoneName(next);
}
