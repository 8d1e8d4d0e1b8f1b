import { engine } from "../../engine/engine.js";
import { button } from "../../elements/button.js";
import { header, section } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { costTable } from "../measure/cost-table.js";
import { play, silence, wayHere } from "./actuator.js";
import { patternEditor } from "./pattern-editor.js";

/** The intensities, in the engine's order (`HapticPattern.Intensity`). */
const GROUPS = /** @type {Array<{title: string, all: Array<[number, string]>}>} */ ([
    { title: t`Impacts`, all: [[0, t`Light tap`], [1, t`Medium tap`], [2, t`Heavy tap`], [3, t`Rigid tap`], [4, t`Soft tap`]] },
    { title: t`Signals`, all: [[5, t`Success`], [6, t`Warning`], [7, t`Error`]] },
    { title: t`Choosing`, all: [[8, t`Selection`]] },
]);

const WAYS = {
    vibrate: [t`This phone vibrates`, t`Its browser knows on and off and no strength: a strong press is a longer one.`],
    switch: [t`This iPhone ticks`, t`Safari lets no page vibrate. What you feel is the tick that the phone gives a switch: one strength for all.`],
    sound: [t`This device does not vibrate`, t`Its browser moves nothing, so each press is played as a low sound instead.`],
};

/** Haptics: each intensity at a press, a pattern of one's own, and what a press costs. */
export async function openHaptics({ screen, signal, title }) {
    title(t`Haptics`);
    const way = wayHere();
    const [say, lead] = WAYS[way];
    const cost = make("p", { class: "small" }, t`Press one: what it costs stands here.`);
    const buttons = make("div", { class: "haptic-groups" });
    const top = header({
        back: { href: "/lab", word: t`Lab` }, say, lead,
        above: make("p", { class: "instrument-name" }, make("b", { class: "strong" }, t`Haptics`)),
        below: [buttons, make("div", { class: "start-stop", "aria-live": "polite" }, cost)],
    });
    const content = make("div", { class: "content lab-content" });
    screen.append(top.node, content);
    signal.addEventListener("abort", silence);
    let rules;
    try {
        rules = await engine("lab");
    } catch (error) {
        return fill(content, problemNotice(error));
    }
    if (signal.aborted) return;
    // The system view counts presses here: each is one short run.
    const presses = Object.assign(new EventTarget(), {
        engine: rules, isRunning: false, cost: { engine: 0, frames: 0, dropped: 0 },
    });
    let timer = null;
    const press = (pattern, name) => {
        if (!presses.isRunning) {
            presses.isRunning = true;
            presses.dispatchEvent(new Event("change"));
        }
        clearTimeout(timer);
        timer = setTimeout(() => {
            presses.isRunning = false;
            presses.dispatchEvent(new Event("change"));
        }, 6000);
        const heapBefore = /** @type {any} */ (performance).memory?.usedJSHeapSize;
        const before = performance.now();
        const isTaken = play(pattern, way);
        const lasted = performance.now() - before;
        presses.cost.engine += lasted;
        presses.cost.frames += 1;
        const heap = heapBefore === undefined ? null : /** @type {any} */ (performance).memory.usedJSHeapSize - heapBefore;
        const total = pattern.reduce((sum, part) => sum + part, 0);
        cost.textContent = !isTaken ? t`${name}: the browser did not take it. Is the phone set to be quiet?`
            : heap === null ? t`${name}: ${number(total)} ms long, ${number(lasted, 2)} ms of this page’s time. Its memory this browser does not say.`
                : t`${name}: ${number(total)} ms long, ${number(lasted, 2)} ms of this page’s time, ${number(Math.max(0, heap) / 1000, 1)} kB of its memory.`;
    };
    const patternOf = (intensity) => {
        const before = performance.now();
        const bytes = rules.answer(rules.call.haptic(intensity));
        presses.cost.engine += performance.now() - before;
        return new Uint16Array(bytes.buffer);
    };
    fill(buttons, GROUPS.map(({ title: name, all }) => make("div", { class: "haptic-group", role: "group", "aria-label": name },
        make("span", { class: "fine" }, name),
        make("div", { class: "row-of-buttons" }, all.map(([intensity, word]) =>
            button(word, { press: () => press(patternOf(intensity), word) }))))));
    fill(content, section(t`A pattern of your own`, patternEditor(rules, (pattern) => press(pattern, t`Your pattern`))),
        costTable(/** @type {any} */ (presses), signal));
    signal.addEventListener("abort", () => clearTimeout(timer));
}
