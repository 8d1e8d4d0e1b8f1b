import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { put } from "../../app/api.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";

const MODES = [{ value: "wait", word: t`It waits` }, { value: "flow", word: t`It goes on` }];
const MODE_SAYS = {
    wait: t`The song stops at the next beat until the drum is hit, as in the original. Reaction times come from these songs.`,
    flow: t`The song never stops. A hit counts when it is near its beat; how near is learnt from your own hits, and a miss costs nothing.`,
};
const HANDS = [{ value: "both", word: t`Both` }, { value: "left", word: t`Left` }, { value: "right", word: t`Right` }];
const SIDES = [{ value: "", word: t`Not said` }, { value: "left", word: t`Left` }, { value: "right", word: t`Right` }];

/**
 * How a song goes: whether the music waits, with which hand, which side is practised, the count-in.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function songSection(path) {
    const { node, body, show, save } = savedSection(t`How songs go`, (data) => draw(data));
    const change = (changes, control) => save(
        async (person) => overview.take(await put(path(person, "settings"), changes)), control);
    const mode = segmented(t`What the music does`, MODES, "wait", (value) => change({ mode: value }, mode));
    const hands = segmented(t`Hands`, HANDS, "both", (value) => change({ hands: value }, hands));
    const side = segmented(t`Practised side`, SIDES, "", (value) => change({ affectedSide: value || null }, side));
    const slider = make("input", { type: "range", name: "countIn", step: 1, "aria-label": t`Count-in, beats` });
    const count = make("span", { class: "strong" });
    const says = make("p", { class: "fine" });
    const move = (beats) => {
        slider.style.setProperty("--value", String(((beats - Number(slider.min)) / Math.max(1,
            Number(slider.max) - Number(slider.min))) * 100));
        const words = beats === 0 ? t`none` : t`${beats} beats`;
        slider.setAttribute("aria-valuetext", words);
        count.textContent = words;
    };
    slider.addEventListener("input", () => move(Number(slider.value)));
    slider.addEventListener("change", () => change({ countIn: Number(slider.value) }, slider));
    const one = (label, control, ...more) => make("div", { class: "field", data: { field: "" } },
        make("span", { class: "label" }, label), control, more);
    fill(body, one(t`If a drum is not hit, what does the music do?`, mode, says),
        one(t`Hands`, hands, make("span", { class: "hint" },
            t`With one hand, beats that follow too closely are left out.`)),
        one(t`Practised side`, side, make("span", { class: "hint" },
            t`Charts and the report then compare it with the other one. Nothing is concluded from it.`)),
        make("div", { class: "field", data: { field: "" } },
            make("div", { class: "count-in" }, make("span", { class: "label" }, t`Count-in`), count),
            make("div", { class: "slider" }, slider)));
    const draw = (person) => {
        const { settings } = person;
        mode.show(settings.mode);
        hands.show(settings.hands);
        side.show(settings.affectedSide ?? "");
        const limits = overview.data.limits?.countIn ?? { least: 0, most: 8 };
        Object.assign(slider, { min: limits.least, max: limits.most, value: settings.countIn });
        move(settings.countIn);
        const window = overview.windowOf(person, settings.link ?? "screen", settings.hands);
        says.textContent = `${MODE_SAYS[settings.mode]}${settings.mode === "flow" && window?.words
            ? ` ${window.words}` : ""}`;
    };
    return { node, show };
}
