import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { ICONS, NAMES, zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

const MOST = 10; // parts, above which those of one kind are one

/**
 * The whole routine as a bar, each part as wide as it lasts.
 * @param {Array<object>} segments  see segments.js
 * @returns {{node: HTMLElement, show: (now: number, done: (segment: number) => number) => void}}
 */
export function stepsBar(segments) {
    const parts = segments.length > MOST ? joined(segments) : segments.map((one, i) => ({ ...one, from: i, to: i }));
    const items = parts.map((part) => {
        const { kind, length, from, to } = part;
        const bar = make("i", { vars: { f: 0 } });
        const name = from === to ? zoneName(part) : NAMES[kind];
        const node = make("li", { vars: { length } }, bar, icon(ICONS[kind]), make("span", { class: "unseen" }, name));
        return { node, bar, from, to };
    });
    const node = make("ol", { class: "steps" }, items.map((item) => item.node));
    const show = (now, done) => {
        for (const { node: item, bar, from, to } of items) {
            let sum = 0;
            let whole = 0;
            for (let i = from; i <= to; i += 1) {
                sum += done(i) * segments[i].length;
                whole += segments[i].length;
            }
            bar.style.setProperty("--f", (sum / whole).toFixed(3));
            if (now >= from && now <= to) item.setAttribute("aria-current", "step");
            else item.removeAttribute("aria-current");
        }
        node.setAttribute("aria-label", t`Part ${Math.min(now + 1, segments.length)} of ${segments.length}`);
    };
    return { node, show };
}

function joined(segments) {
    const parts = [];
    segments.forEach(({ kind, length }, i) => {
        const last = parts.at(-1);
        if (last?.kind === kind) {
            last.length += length;
            last.to = i;
        } else parts.push({ kind, length, repetition: 0, repetitions: 1, from: i, to: i });
    });
    return parts;
}
