import { fill, make } from "../../elements/make.js";
import { animal, spark } from "./animal.js";
import { ring } from "./ring.js";
import { places, TEETH, turnOf, wasBrushed } from "./teeth.js";
import { zoneName } from "./zone-text.js";
import { KIND } from "../engine-constants.js";
import { t } from "../../language/text.js";

const SPARKS = [3, 10, 17, 24]; // teeth that shine
const SPAT = [[-9, 2, 11], [8, -3, 12], [1, 10, 9]]; // a blob of foam that falls
const IN_BASIN = [[104, 14], [128, 17], [156, 20], [184, 17], [208, 13]];
const FOAM = [[0, 0, 12], [15, 9, 11], [-13, 7, 9], [6, -12, 8], [-8, -11, 7], [18, -7, 7], [-20, -3, 6]];

/**
 * Somebody's own animal with its mouth open in the ring of the time: teeth that get clean, foam and a brush. The words are
 * for screen readers.
 * @param {import("./active-session.js").ActiveBrushing} active
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function animalRing(active) {
    const segments = active.segments;
    const head = animal(active.stored.person.face);
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
    const sparks = make("svg:g", { class: "sparks" });
    const round = ring({
        radius: 150, width: 22, under: head.behind, over: [head.face, head.mouth, sparks, foam, floss, spitting(), tool],
    });
    round.node.classList.add("animal");
    round.node.dataset.animal = head.kind;
    let teethAt = null;
    const show = () => {
        const view = active.view;
        const { kind, place, repetitions, remainingMilliseconds, fraction, segmentIndex, isPaused } = view;
        const seconds = Math.ceil(remainingMilliseconds / 1000);
        round.show(segments[segmentIndex]?.milliseconds ?? 1000, remainingMilliseconds);
        const zone = zoneName(view);
        const label = isPaused ? t`${zone}, ${seconds} seconds left, paused` : t`${zone}, ${seconds} seconds left`;
        if (round.node.getAttribute("aria-label") !== label) round.node.setAttribute("aria-label", label);
        const mine = spots.map((_, i) => i).filter((i) => turnOf(i, repetitions) === place);
        const cleaned = Math.floor(fraction * mine.length);
        const now = `${segmentIndex} ${cleaned}`;
        if (teethAt !== now) {
            teethAt = now;
            const isClean = (i) => kind !== KIND.brush || mine.slice(0, cleaned).includes(i)
                || wasBrushed(i, segmentIndex, segments);
            head.teeth.forEach((tooth, i) => tooth.setAttribute("class", `tooth ${isClean(i) ? "clean" : ""}`));
            fill(sparks, SPARKS.filter(isClean)
                .map((i, n) => spark(spots[i].x, spots[i].y, n % 2 ? 8 : 11)));
        }
        if (kind === KIND.brush) put(tool, foam, spots[mine[Math.min(cleaned, mine.length - 1)]]);
        if (kind === KIND.floss) {
            const gap = Math.min(TEETH - 2, Math.floor(fraction * (TEETH - 1)));
            const [a, b] = [spots[gap], spots[gap + 1]];
            const turn = gap === TEETH / 2 - 1 ? 90 : (a.turn + b.turn) / 2;
            floss.setAttribute("transform", `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${turn})`);
        }
    };
    return { node: round.node, show };
}

/** Foam that goes out of the mouth into a basin, and a glass of water that is crossed out: spit, don’t rinse. */
function spitting() {
    const circles = (list) => list.map(([cx, cy, r]) => make("svg:circle", { class: "foam", cx, cy, r }));
    return make("svg:g", { class: "spit" },
        circles(IN_BASIN.map(([x, r]) => [x, 312, r])),
        make("svg:path", { class: "basin", d: "M80 312h160c0 40-32 58-80 58s-80-18-80-58z" }),
        [0, 1, 2].map((i) => make("svg:g", { transform: `translate(${146 + 14 * i} 236)` },
            make("svg:g", { class: `blob blob-${i}` }, circles(SPAT)))),
        make("svg:g", { class: "no-glass", transform: "translate(276 250)" },
            make("svg:circle", { class: "ban-ground", r: 46 }),
            make("svg:path", { class: "glass", d: "M-19-27h38l-5 54h-28z" }),
            make("svg:path", { class: "water", d: "M-16.5-6c6-5 11 5 16.5 0s11 5 16.5 0l-3 31h-27z" }),
            make("svg:circle", { class: "ban", r: 46 }), make("svg:path", { class: "ban", d: "M-32-32L32 32" })));
}

/** The brush comes from outside, on whichever side the tooth is. */
function put(tool, foam, { x, y }) {
    const [left, lower] = [x < 160 ? -1 : 1, y > 200 ? -1 : 1];
    const at = `translate(${x.toFixed(1)} ${(y + 8 * lower).toFixed(1)})`;
    tool.setAttribute("transform", `${at} scale(${left} ${lower}) rotate(-32)`);
    foam.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}
