import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { t } from "../../language/text.js";
import { PATIENCE } from "./bluetooth-link.js";
import { LINK } from "../engine-constants.js";
import { KINDS, latencyText } from "./link-text.js";

/**
 * One way to drums in the chooser.
 * @param {object} options
 * @param {number} options.kind  one of LINK
 * @param {string} [options.name]
 * @param {string} [options.what]  in place of what the kind is
 * @param {{can: boolean, says: string?, around: string?}} [options.able]  what this browser can do
 * @param {boolean} options.wasLast  whether it was used last
 * @param {() => import("./link.js").Link?} options.link  null for the screen, and before it was tried
 * @param {() => boolean} options.isUsed  whether the page plays with it
 * @param {() => any} options.connect  runs in the press
 * @param {() => any} options.cancel
 * @param {(row: object) => Array} [options.more]  further buttons, once it is on
 * @param {() => any} [options.another]  chooses other drums of the kind
 * @returns {{node: HTMLElement, draw: () => void}}
 */
export function linkRow(options) {
    const { kind, able } = options;
    const { icon: sign, name } = KINDS[kind];
    const what = options.what ?? KINDS[kind].what;
    const title = make("span", { class: "name" }, options.name ?? name);
    const says = make("span", { class: "small second" });
    const latency = make("span", { class: "fine" });
    const marks = make("span", { class: "link-marks" });
    const detail = make("div", { class: "link-detail", "aria-live": "polite" });
    const node = make("li", { class: "row link-row", data: { kind } },
        icon(sign), make("span", { class: "words" }, title, says, latency), marks, detail);
    let drawn = null;
    const draw = () => {
        const link = options.link();
        const state = kind === LINK.screen ? "on" : link?.state ?? "off";
        const isUsed = options.isUsed();
        const ports = link?.ports?.map(({ id }) => id) ?? [];
        const key = JSON.stringify([state, link?.says, link?.name, isUsed, able, ports, latencyText(kind).words]);
        if (key === drawn) return;
        drawn = key;
        const hadFocus = node.contains(document.activeElement);
        node.dataset.state = isUsed ? "used" : state;
        title.textContent = link?.isOn ? link.name : options.name ?? name;
        const said = saying(state, link, able, what);
        says.textContent = said ?? "";
        says.hidden = !said;
        const { known, words } = latencyText(kind);
        // What is not there needs no figure; what was measured stays worth knowing.
        latency.textContent = words;
        latency.hidden = !known && !isUsed;
        fill(marks, ...buttons(state, isUsed, options));
        fill(detail, ...details(state, link, options));
        detail.hidden = detail.childElementCount === 0;
        if (hadFocus && !node.contains(document.activeElement)) node.querySelector("button")?.focus();
    };
    draw();
    return { node, draw };
}

/** One line about it. */
function saying(state, link, able, what) {
    if (able && !able.can) return null;
    if (state === "problem" || state === "lost") return null;
    if (state === "searching" || state === "connecting") return link.says ?? what;
    return what;
}

/**
 * @param {string} state
 * @param {boolean} isUsed
 * @param {{able?: {can: boolean}, connect: () => unknown, cancel: () => unknown, wasLast: boolean}} options
 */
function buttons(state, isUsed, { able, connect, cancel, wasLast }) {
    if (able && !able.can) return [make("span", { class: "tag", data: { state: "unknown" } }, t`Not here`)];
    if (isUsed && state === "on") return [make("span", { class: "tag", data: { state: "now" } }, icon("check"), t`In use`)];
    if (state === "searching" || state === "connecting") return [button(t`Cancel`, { kind: "quiet", press: cancel })];
    if (state === "lost" || state === "problem") return [];
    const word = state === "on" ? t`Use` : t`Connect`;
    return [wasLast && make("span", { class: "tag" }, t`Last used`), button(word, { press: connect })];
}

function details(state, link, options) {
    const { kind, able, connect, cancel, another, isUsed, more } = options;
    if (able && !able.can) {
        return [make("p", { class: "small second" }, able.says,
            able.around && make("span", { class: "block" }, able.around))];
    }
    const bluetooth = kind === LINK.bluetooth || kind === LINK.bluetoothMIDI;
    if (state === "searching" || state === "connecting") {
        const choices = kind === LINK.midi && link.ports.length > 0
            ? make("div", { class: "choices" }, link.ports.map((port) => make("button", {
                class: "choice", type: "button", on: { click: () => link.choose(port.id) },
            }, icon("music"), make("span", { class: "words" }, port.name)))) : null;
        return [choices ?? make("div", {
            class: "link-progress", role: "progressbar", "aria-label": state === "searching" ? t`Looking` : t`Connecting`,
            data: { bound: bluetooth ? "" : undefined }, vars: { patience: `${PATIENCE}ms` },
        }, make("i"))];
    }
    if (state === "problem" || state === "lost") {
        return [notice({
            icon: state === "lost" ? "radio" : "warning", state: state === "lost" ? "unknown" : "problem",
            title: state === "lost" ? t`Away for now` : t`That did not work`, words: link.says,
            actions: [
                button(state === "lost" ? t`Look now` : t`Try again`, { icon: "refresh", press: connect }),
                another && link.isChosen && button(t`Choose another`, { kind: "quiet", press: another }),
                button(t`Leave it`, { kind: "quiet", press: cancel }),
            ].filter(Boolean),
        })];
    }
    const own = [
        ...able?.says ? [make("p", { class: "small second" }, able.says)] : [],
    ];
    const extra = isUsed() && more ? more() : [];
    return extra.length > 0 ? [...own, make("div", { class: "row-of-buttons" }, extra)] : own;
}
