import { icon } from "../../elements/icon.js";
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
 * How a song goes: whether the music waits, with which hand, which side is practised, the tempo, the
 * count-in.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function songSection(path) {
    const { node, body, show, save } = savedSection(t`How songs go`, (data) => draw(data));
    const change = (changes, control) => save(
        async (person) => overview.take(await put(path(person, "settings"), changes)), control);
    const mode = segmented(t`What the music does`, MODES, "wait", (value) => change({ mode: value }, mode));
    const hands = segmented(t`Hands`, HANDS, "both", (value) => change({ hands: value }, hands));
    const side = segmented(t`Practised side`, SIDES, "", (value) => change({ affectedSide: value || null }, side));
    const says = make("p", { class: "fine" });
    const tempoSays = make("p", { class: "fine fixed-note" });
    const countIn = slider("countIn", t`Count-in, beats`, t`Count-in`, (beats) => (beats === 0 ? t`none` : t`${beats} beats`), change);
    const tempo = slider("tempoPercent", t`Tempo, percent of the song’s own`, t`Tempo`, (percent) => t`${percent}%`, change);
    tempo.node.append(tempoSays);
    const one = (label, control, ...more) => make("div", { class: "field", data: { field: "" } },
        make("span", { class: "label" }, label), control, more);
    fill(body, one(t`If a drum is not hit, what does the music do?`, mode, says),
        one(t`Hands`, hands, make("span", { class: "hint" },
            t`With one hand, beats that follow too closely are left out.`)),
        one(t`Practised side`, side, make("span", { class: "hint" },
            t`Charts and the report then compare it with the other one. Nothing is concluded from it.`)),
        tempo.node, countIn.node);
    const draw = (person) => {
        const { settings, play } = person;
        mode.show(settings.mode);
        hands.show(settings.hands);
        side.show(settings.affectedSide ?? "");
        const { limits } = overview.data;
        const isPlanned = play.fixed?.includes("tempoPercent") ?? false;
        countIn.show(settings.countIn, limits?.countIn ?? { least: 0, most: 8 });
        const percent = play.tempoPercent;
        tempo.show(percent, limits?.tempoPercent ?? { least: 50, most: 120 }, percent % 5 === 0 ? 5 : 1);
        tempo.input.disabled = isPlanned;
        fill(tempoSays, isPlanned && icon("lock", "s"), play.tempoWords ?? "");
        const window = overview.windowOf(person, settings.link ?? "screen", settings.hands);
        says.textContent = `${MODE_SAYS[settings.mode]}${settings.mode === "flow" && window?.words
            ? ` ${window.words}` : ""}`;
    };
    return { node, show };
}

/** A number that is drawn along a line, with its value in words beside its name. */
function slider(name, label, title, wordsOf, change) {
    const input = make("input", { type: "range", name, "aria-label": label });
    const value = make("span", { class: "strong" });
    const move = () => {
        const [least, most, now] = [input.min, input.max, input.value].map(Number);
        input.style.setProperty("--value", String(((now - least) / Math.max(1, most - least)) * 100));
        input.setAttribute("aria-valuetext", wordsOf(now));
        value.textContent = wordsOf(now);
    };
    input.addEventListener("input", move);
    input.addEventListener("change", () => change({ [name]: Number(input.value) }, input));
    return {
        input,
        node: make("div", { class: "field", data: { field: "" } },
            make("div", { class: "count-in" }, make("span", { class: "label" }, title), value),
            make("div", { class: "slider" }, input)),
        show: (now, { least, most }, step = 1) => {
            Object.assign(input, { min: least, max: most, step, value: now });
            move();
        },
    };
}
