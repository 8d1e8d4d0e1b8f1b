import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { ICONS, NAMES, zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

const MOST = 10; // parts, above which those of one kind are one

/**
 * The whole routine as a bar, each part as wide as it lasts.
 * @param {Array<Object<string, number>>} segments  of the engine, see Browser/SessionExports.swift
 * @returns {{node: HTMLElement, show: (now: number, all: Array<Object<string, number>>) => void}}  `now`: the index of
 *   the current one; `all`: the same, as they are by then
 */
export function stepsBar(segments) {
    const parts = segments.length > MOST ? joined(segments) : segments.map((one, i) => ({ ...one, from: i, to: i }));
    const items = parts.map((part) => {
        const { kind, milliseconds, from, to } = part;
        const bar = make("i", { vars: { f: 0 } });
        const name = from === to ? zoneName(part) : NAMES[kind];
        const node = make("li", { vars: { length: milliseconds } }, bar, icon(ICONS[kind]), make("span", { class: "unseen" }, name));
        return { node, bar, from, to };
    });
    const node = make("ol", { class: "steps" }, items.map((item) => item.node));
    const show = (now, all) => {
        for (const { node: item, bar, from, to } of items) {
            let sum = 0;
            let whole = 0;
            for (let i = from; i <= to; i += 1) {
                sum += all[i].done * all[i].milliseconds;
                whole += all[i].milliseconds;
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
    segments.forEach(({ kind, milliseconds }, i) => {
        const last = parts.at(-1);
        if (last?.kind === kind) {
            last.milliseconds += milliseconds;
            last.to = i;
        } else parts.push({ kind, milliseconds, repetition: 1, repetitions: 1, from: i, to: i });
    });
    return parts;
}
