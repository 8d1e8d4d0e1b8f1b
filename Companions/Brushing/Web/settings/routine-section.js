import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { put } from "../../app/api.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";
import { clockOf } from "../../text/durations.js";

const PRESETS = [
    { value: "original", word: t`Original` }, { value: "one", word: t`1 min` }, { value: "two", word: t`2 min` },
    { value: "three", word: t`3 min` }, { value: "own", word: t`Own` },
];
/** @type {Array<{value: Brushing.QuarterOrderName, word: string}>} */
const ORDERS = [
    { value: "rows", word: t`Row by row` }, { value: "around", word: t`Around the mouth` },
];
const ORDER_SAYS = {
    rows: t`Upper left, upper right, lower left, lower right.`,
    around: t`Upper left, upper right, lower right, lower left.`,
};
const KINDS = {
    brush: { name: t`Brush`, sign: "tooth" },
    floss: { name: t`Floss`, sign: "floss" },
    rinse: { name: t`Rinse`, sign: "rinse" },
};

/**
 * What is done, and for how long: one of the presets, or own times, with each step on or off.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function routineSection(path) {
    const value = make("span", { class: "strong" });
    const { node, body, show, save } = savedSection(t`Routine`, (data) => draw(data), { value });
    let rows = [];
    /** `routineOf`: makes it of the steps that are stored when its turn comes. */
    const change = (routineOf, control) => save(async (person) => overview.take(
        await put(path(person, "settings"), { routine: routineOf(person.routine.steps) })), control);
    const presets = segmented(t`Preset`, PRESETS, "original", (preset) => change(
        (steps) => (preset === "own" ? { steps } : { preset }), presets));
    presets.classList.add("presets");
    const order = segmented(t`Order of the quarters`, ORDERS, "rows", (quarters) => save(async (person) => overview.take(
        await put(path(person, "settings"), { quarters })), order));
    const orderSays = make("span", { class: "fine" });
    const list = make("div", { class: "rows" });
    fill(body, make("div", { data: { field: "" } }, presets), list,
        make("div", { class: "quarters", data: { field: "" } },
            make("span", { class: "fine", "aria-hidden": true }, t`Order of the quarters`), order, orderSays),
        make("p", { class: "fine" }, t`What you change here becomes your own routine. The presets stay as they are.`));
    const draw = ({ routine: { steps, quarters, preset, plannedSeconds } }) => {
        order.show(quarters);
        orderSays.textContent = ORDER_SAYS[quarters];
        value.textContent = clockOf(plannedSeconds);
        value.setAttribute("aria-label", t`${clockOf(plannedSeconds)} in all`);
        presets.show(preset);
        [...presets.children].forEach((one, i) => {
            const seconds = PRESETS[i].value === preset ? plannedSeconds
                : overview.data.presets?.find(({ name }) => name === PRESETS[i].value)?.plannedSeconds;
            fill(one, PRESETS[i].word, " ", make("span", { class: "preset-time" }, seconds ? clockOf(seconds) : "\u00A0"));
        });
        if (rows.map(({ kind }) => kind).join() !== steps.map(({ kind }) => kind).join()) {
            rows = steps.map(({ kind }, i) => stepRow(kind, i, (changes, control) => change((stored) => ({
                steps: stored.map((step, at) => (at === i ? { ...step, ...changes } : step)),
            }), control)));
            fill(list, rows.map((row) => row.node));
        }
        rows.forEach((row, i) => row.show(steps[i]));
    };
    return { node, show };
}

function stepRow(kind, i, change) {
    const { name, sign } = KINDS[kind];
    const fine = make("span", { class: "fine" });
    const seconds = make("input", {
        class: "input seconds", type: "number", inputmode: "numeric", step: 5, name: `routine.steps[${i}].seconds`,
        "aria-label": t`${name}, seconds`,
    });
    const input = make("input", { type: "checkbox", role: "switch", "aria-label": name });
    input.addEventListener("change", () => change({ isOn: input.checked }, input));
    seconds.addEventListener("change", () => change({ seconds: Math.round(Number(seconds.value)) }, seconds));
    const node = make("div", { class: "row step", data: { field: "" } }, icon(sign),
        make("span", { class: "words" }, make("span", { class: "name" }, name), fine),
        make("span", { class: "with-unit" }, seconds, make("span", { "aria-hidden": true }, t`s`)),
        make("label", { class: "switch only" }, input, make("i")));
    const show = (step) => {
        seconds.value = String(step.seconds);
        input.checked = step.isOn;
        seconds.disabled = !step.isOn;
        node.dataset.state = step.isOn ? "on" : "off";
        fine.textContent = stepText(step);
    };
    return { kind, node, show };
}

function stepText({ kind, repetitions, isOn }) {
    if (kind === "rinse") return isOn ? t`It explains: spit, don’t rinse` : t`off`;
    if (!isOn) return t`off`;
    if (kind === "brush") return repetitions === 4 ? t`4 times, a quarter each` : t`${repetitions} times`;
    return repetitions > 1 ? t`${repetitions} times` : t`once`;
}
