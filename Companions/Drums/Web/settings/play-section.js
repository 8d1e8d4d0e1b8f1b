import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { toast } from "../../elements/toast.js";
import { isAborted, put } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { language, t } from "../../language/text.js";
import { LEVELS } from "../levels.js";
import { overview } from "../overview.js";
import { PADS, padShape } from "../pads.js";

const SIDES = [t`on the left`, t`on the left`, t`on the right`, t`on the right`];
const SAYS = ["", t`The main beats, with time between them.`, t`Most beats of the melody.`, t`Every beat, and some between.`,
    t`Everything that fits between those too.`];

/**
 * Which drums are asked for, and how demanding a song is: as in the original a change waits for "Save". Who leaves with
 * one that waits has it saved, as on a phone.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function playSection(path, signal) {
    const trouble = make("p", { class: "problem", id: "play-problem", role: "alert", hidden: true });
    const state = make("span", { class: "saved fine", role: "status" });
    const fixed = make("p", { class: "fine fixed-note" });
    const rows = PADS.map(({ word }, drum) => {
        const input = make("input", { type: "checkbox", role: "switch", name: `drums.${drum}`,
            "aria-label": t`${word} drum` });
        input.addEventListener("change", () => change("drums", rows.map((one) => one.input.checked)));
        return {
            input,
            node: make("label", { class: "row switch pad-row" }, input, make("i"),
                make("span", { class: "words pad-text" }, padShape(drum, "pad-sign"),
                    make("span", {}, make("span", { class: "name" }, word),
                        make("span", { class: "fine" }, SIDES[drum])))),
        };
    });
    const level = segmented(t`Challenge level`, LEVELS, "1", (value) => change("level", Number(value)));
    const says = make("p", { class: "fine" });
    const save = button(t`Save`, { kind: "primary", press: () => settle() });
    const undo = button(t`Undo`, { kind: "quiet", press: () => { waiting = {}; forget(); show(person); } });
    const bar = make("div", { class: "save-bar", hidden: true },
        make("span", { class: "small strong" }, t`Not saved yet`), undo, save);
    const node = make("div", { class: "save-group" },
        make("section", { class: "section", "aria-labelledby": "s-active-drums" },
            make("div", { class: "section-head" }, make("h2", { id: "s-active-drums" }, t`Active drums`), state),
            make("div", { class: "rows" }, rows.map((one) => one.node)), trouble),
        make("section", { class: "section", "aria-labelledby": "s-level" },
            make("h2", { id: "s-level" }, t`Challenge level`), level, says, fixed),
        bar);
    let person = null;
    let waiting = {};

    const change = (key, value) => {
        const was = person.settings[key];
        const isBack = JSON.stringify(was) === JSON.stringify(value);
        const { [key]: _, ...rest } = waiting;
        waiting = isBack ? rest : { ...rest, [key]: value };
        forget();
        state.textContent = "";
        delete state.dataset.state;
        show(person);
    };
    const forget = () => {
        trouble.hidden = true;
        for (const { input } of rows) input.removeAttribute("aria-invalid");
    };
    /**
     * Stores what waits.
     * @returns {Promise<boolean>}  whether nothing waits any more
     */
    const settle = async () => {
        if (Object.keys(waiting).length === 0) return true;
        const changes = waiting;
        forget();
        try {
            const data = await put(path(person, "settings"), changes);
            if (waiting === changes) waiting = {};
            overview.take(data);
            state.dataset.state = "saved";
            fill(state, icon("check"), t`Saved`);
            return true;
        } catch (error) {
            if (isAborted(error)) return false;
            trouble.hidden = false;
            fill(trouble, icon("warning"), make("span", {}, messageOf(error)));
            for (const { input } of rows) if (changes.drums) input.setAttribute("aria-invalid", "true");
            trouble.scrollIntoView({ block: "nearest" });
            return false;
        }
    };
    const leave = () => {
        if (Object.keys(waiting).length === 0) return;
        const [changes, whose] = [waiting, person];
        waiting = {};
        // The page may be gone before an answer comes: the browser sends it all the same.
        self.fetch(path(whose, "settings"), {
            method: "PUT", keepalive: true, credentials: "same-origin",
            headers: { "Accept-Language": language(), "Content-Type": "application/json" },
            body: JSON.stringify(changes),
        }).then(async (answer) => {
            const data = await answer.json();
            if (!answer.ok) return toast(t`Not saved: ${data.detail ?? data.title}`, { icon: "warning" });
            overview.take(data);
            toast(t`Saved for ${whose.name}.`);
        }).catch(() => toast(t`Not saved: the hub did not answer.`, { icon: "warning" }));
    };
    signal.addEventListener("abort", leave);
    addEventListener("pagehide", leave, { signal });

    const show = (data) => {
        if (person && person.id !== data.id) {
            waiting = {};
            state.textContent = "";
            forget();
        }
        person = data;
        const { play, settings } = data;
        const isFixed = (key) => play.fixed?.includes(key) ?? false;
        const drums = isFixed("drums") ? play.drums : waiting.drums ?? settings.drums;
        rows.forEach(({ input, node: row }, drum) => {
            input.checked = drums[drum];
            input.disabled = isFixed("drums");
            row.dataset.state = drums[drum] ? "on" : "off";
        });
        const chosen = isFixed("level") ? play.level : waiting.level ?? settings.level;
        level.show(String(chosen));
        for (const one of level.querySelectorAll("button")) one.disabled = isFixed("level");
        says.textContent = SAYS[chosen] ?? "";
        fixed.hidden = !isFixed("drums") && !isFixed("level");
        fill(fixed, !fixed.hidden && [icon("lock", "s"), play.words]);
        bar.hidden = Object.keys(waiting).length === 0;
    };
    return { node, show, settle };
}
