import { button, iconButton } from "./button.js";
import { fadeEnds } from "./fade-ends.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { problemNotice } from "./notice.js";
import { t } from "../language/text.js";

let count = 0;

/**
 * A sheet of paper over the page: a modal dialog that keeps the focus and gives it back when it closes.
 * @param {string} title
 * @param {{lead?: string, body?: Array, full?: boolean, closed?: () => void}} [options]
 *   `full`: it covers the page, and only its own buttons close it
 * @returns {{node: HTMLDialogElement, paper: HTMLElement, close: () => void, signal: AbortSignal}}
 *   `signal` is aborted when the sheet closes.
 */
export function sheet(title, options = {}) {
    const id = `sheet-${count += 1}`;
    const ending = new AbortController();
    const node = make("dialog",
        { class: "sheet", "aria-labelledby": id, data: { full: options.full ? "" : undefined } });
    let isDone = false;
    const close = () => {
        isDone = true;
        node.close();
    };
    const head = make("header", { class: "sheet-head" },
        make("h2", { id, tabindex: "-1" }, title),
        !options.full && iconButton(t`Close`, "close", close),
        options.lead && make("p", {}, options.lead));
    const paper = make("div", { class: "sheet-paper" }, head, options.body);
    node.append(paper, make("div", { class: "sheet-more", "aria-hidden": true }, icon("down")));
    fadeEnds(node);
    if (options.full) node.addEventListener("cancel", (event) => event.preventDefault());
    else node.addEventListener("click", (event) => { if (event.target === node) close(); });
    node.addEventListener("close", () => {
        // Chromium lets a key close any dialog of a page that nobody has touched yet: a question stays all the same.
        if (options.full && !isDone && node.isConnected) return node.showModal();
        ending.abort();
        node.remove();
        options.closed?.();
    });
    // Another page under an open sheet would be a trap: going back closes it.
    if (!options.full) addEventListener("popstate", close, { signal: ending.signal });
    document.body.append(node);
    node.showModal();
    node.querySelector("[autofocus]")?.focus();
    if (document.activeElement?.closest(".sheet-head .icon-button")) node.querySelector("h2").focus();
    return { node, paper, close, signal: ending.signal };
}

/**
 * Asks before something is done that cannot be undone.
 * @param {{title: string, lead: string, yes: string, no?: string, kind?: "danger"|"primary", act: () => Promise<any>}}
 *   question  `kind`: "danger" unless nothing is lost by it; `act` runs while the sheet is open; what it throws is said in the sheet, which then stays.
 */
export function confirm({ title, lead, yes, no = t`Not now`, kind = "danger", act }) {
    const trouble = make("div", { "aria-live": "assertive" });
    const asked = sheet(title, {
        lead,
        body: [trouble, make("div", { class: "sheet-actions" },
            button(yes, {
                kind,
                press: async () => {
                    try {
                        await act();
                        asked.close();
                    } catch (error) {
                        trouble.replaceChildren(problemNotice(error));
                    }
                },
            }),
            button(no, { kind: "quiet", press: () => asked.close() }))],
    });
}

/**
 * A short list of things to do.
 * @param {string} title
 * @param {Array<{word: string, icon: string, hint?: string, act: () => any}>} actions
 * @param {{closed?: () => void, lead?: string}} [options]  `closed`: when it was closed and none of them was chosen
 * @returns {{show: (actions: Array<{word: string, icon: string, hint?: string, act: () => any}>) => void, signal: AbortSignal}}
 *   `show`: has it list others; `signal`: aborted when it is closed
 */
export function menu(title, actions, options = {}) {
    let isChosen = false;
    const choose = (act) => {
        isChosen = true;
        opened.close();
        act();
    };
    const rows = make("div", { class: "rows" });
    let drawn = new Map();
    // A row that stays is the same one, and keeps the focus.
    const show = (all) => {
        const next = new Map();
        for (const { word, hint, icon: name, act } of all) {
            const row = drawn.get(word) ?? make("button", { class: "row", type: "button" }, icon(name),
                make("span", { class: "words" }, make("span", { class: "name" }, word), make("span", { class: "fine" })),
                icon("forward", "s"));
            row.onclick = () => choose(act);
            const fine = row.querySelector(".fine");
            fine.textContent = hint ?? "";
            fine.hidden = !hint;
            next.set(word, row);
        }
        drawn = next;
        const wanted = [...next.values()];
        for (const row of [...rows.children]) if (!wanted.includes(/** @type {HTMLButtonElement} */ (row))) row.remove();
        wanted.forEach((row, place) => { if (rows.children[place] !== row) rows.insertBefore(row, rows.children[place] ?? null); });
    };
    show(actions);
    const opened = sheet(title, {
        lead: options.lead, closed: () => { if (!isChosen) options.closed?.(); }, body: [rows],
    });
    return { show, signal: opened.signal };
}
