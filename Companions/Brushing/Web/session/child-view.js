import { stylesheet } from "../../elements/stylesheet.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { animal, spark } from "./animal.js";
import { holdButton } from "./hold-button.js";
import { ring } from "./ring.js";
import { stepsBar } from "./steps-bar.js";
import { places, TEETH, turnOf } from "./teeth.js";
import { KIND, zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

const SPARKS = [3, 10, 17, 24]; // teeth that shine
const SPIT = [[136, 216, 9], [160, 222, 13], [184, 216, 9]]; // foam on its way into the basin
const FOAM = [[0, 0, 12], [15, 9, 11], [-13, 7, 9], [6, -12, 8], [-8, -11, 7], [18, -7, 7], [-20, -3, 6]];

/**
 * The fullscreen view for who does not read: the own animal with its mouth open, teeth that get clean, foam and a
 * brush, three round things to press. Stopping wants a hold. The words are for screen readers.
 * @param {object} active  the session, see active-session.js
 * @param {{toggle: () => any, skip: () => any, stop: () => any, stopNow: () => any}} acts
 * @returns {Promise<{node: HTMLElement, show: () => void}>}
 */
export async function childView(active, acts) {
    await stylesheet("brushing/session/child.css");
    const { person } = active.stored;
    const segments = active.segments;
    const head = animal(person.face);
    const spots = places("mouth");
    const foam = make("svg:g", { class: "foam-cloud" },
        FOAM.map(([cx, cy, r]) => make("svg:circle", { class: "foam", cx, cy, r })));
    const tool = make("svg:g", { class: "brush" }, make("svg:g", { class: "scrub" },
        make("svg:rect", { class: "bristles", x: -22, y: -9, width: 44, height: 14, rx: 2.5 }),
        make("svg:path", { class: "hairs", d: "M-11-9V4M0-9V4M11-9V4" }),
        make("svg:rect", { class: "handle", x: -28, y: 4, width: 190, height: 15, rx: 7.5 })));
    const floss = make("svg:g", { class: "floss" }, make("svg:g", { class: "saw" },
        make("svg:path", { class: "thread", d: "M0-46V46" }),
        [-52, 52].map((cy) => make("svg:circle", { class: "grip", cx: 0, cy, r: 13 }))));
    const spit = make("svg:g", { class: "spit" },
        SPIT.map(([cx, cy, r], i) => make("svg:circle", { class: `drop drop-${i}`, cx, cy, r })),
        make("svg:path", { class: "basin", d: "M76 262h168c-4 22-38 36-84 36s-80-14-84-36z" }),
        make("svg:g", { class: "no-glass", transform: "translate(252 208)" },
            make("svg:circle", { class: "sign", r: 33 }),
            make("svg:path", { class: "glass", d: "M-14-18h28l-4 36h-20zM-12-4c8-6 16 6 24 0" }),
            make("svg:path", { class: "strike", d: "M-23-23 23 23" })));
    const sparks = make("svg:g", { class: "sparks" });
    const round = ring({
        radius: 150, width: 22, under: head.behind, over: [head.face, head.mouth, sparks, foam, floss, spit, tool],
    });
    round.node.classList.add("animal");
    round.node.dataset.animal = head.kind;
    const heading = make("h1", { class: "unseen", tabindex: "-1" }, t`${person.name} is brushing`);
    const bar = stepsBar(segments);
    const toggle = roundButton(t`Pause`, "pause", acts.toggle, true);
    const node = make("div", { class: "header fullscreen child" }, heading,
        make("div", { class: "header-bar" }, holdButton(t`Stop: hold for a second`, "close", acts.stopNow, acts.stop)),
        round.node, bar.node,
        make("div", { class: "controls" }, toggle, roundButton(t`Skip`, "skip", acts.skip)));
    let painted = null;
    let teethAt = null;
    const show = () => {
        const { kind, repetition, repetitions, remaining, fraction, segment, isPaused } = active.view;
        const seconds = Math.ceil(remaining / 1000);
        round.show(segments[segment]?.length ?? 1000, remaining);
        bar.show(segment, (i) => active.done(i));
        const zone = zoneName({ kind, repetition, repetitions });
        const label = isPaused ? t`${zone}, ${seconds} seconds left, paused` : t`${zone}, ${seconds} seconds left`;
        if (round.node.getAttribute("aria-label") !== label) round.node.setAttribute("aria-label", label);
        const mine = spots.map((_, i) => i).filter((i) => turnOf(i, repetitions) === repetition);
        const cleaned = Math.floor(fraction * mine.length);
        const now = `${segment} ${cleaned}`;
        if (teethAt !== now) {
            teethAt = now;
            const clean = kind === KIND.brush ? mine[0] + cleaned : TEETH; // with the clock, from the upper left
            head.teeth.forEach((tooth, i) => tooth.setAttribute("class", `tooth ${i < clean ? "clean" : ""}`));
            fill(sparks, SPARKS.filter((i) => i < clean)
                .map((i, n) => spark(spots[i].x, spots[i].y, n % 2 ? 8 : 11)));
        }
        if (kind === KIND.brush) put(tool, foam, spots[mine[Math.min(cleaned, mine.length - 1)]]);
        if (kind === KIND.floss) {
            const gap = Math.min(TEETH - 2, Math.floor(fraction * (TEETH - 1)));
            const [a, b] = [spots[gap], spots[gap + 1]];
            const turn = gap === TEETH / 2 - 1 ? 90 : (a.turn + b.turn) / 2;
            floss.setAttribute("transform", `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${turn})`);
        }
        if (painted === `${kind} ${isPaused}`) return;
        painted = `${kind} ${isPaused}`;
        node.dataset.state = isPaused ? "paused" : "on";
        node.dataset.kind = kind;
        fill(toggle, icon(isPaused ? "play" : "pause"));
        toggle.setAttribute("aria-label", isPaused ? t`Go on` : t`Pause`);
    };
    return { node, show };
}

/** The brush comes from outside, on whichever side the tooth is. */
function put(tool, foam, { x, y }) {
    const [left, lower] = [x < 160 ? -1 : 1, y > 200 ? -1 : 1];
    const at = `translate(${x.toFixed(1)} ${(y + 8 * lower).toFixed(1)})`;
    tool.setAttribute("transform", `${at} scale(${left} ${lower}) rotate(-32)`);
    foam.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/** A large round button without a word. */
export function roundButton(name, iconName, press, isMain) {
    return make("button", {
        class: "round", type: "button", "aria-label": name, data: { main: isMain ? "" : undefined },
        on: { click: press },
    }, icon(iconName));
}
