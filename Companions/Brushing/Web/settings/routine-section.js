import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { put } from "../../house/api.js";
import { desk } from "../desk.js";
import { clockOf } from "../../words/durations.js";

const PRESETS = [
    { value: "original", word: "Original" }, { value: "one", word: "1 min" }, { value: "two", word: "2 min" },
    { value: "three", word: "3 min" }, { value: "own", word: "Own" },
];
const KINDS = {
    brush: { name: "Brush", sign: "tooth" },
    floss: { name: "Floss", sign: "floss" },
    rinse: { name: "Rinse", sign: "rinse" },
};

/** What is done, and for how long: one of the presets, or own times, with each step on or off. */
export function routineSection(path) {
    const value = make("span", { class: "strong" });
    const { node, body, save } = savedSection("Routine", { value });
    let person = null;
    let rows = [];
    /** `routine`: makes it of what is stored when its turn comes. */
    const send = (routine, control) => save(
        async () => desk.take(await put(path(person, "settings"), { routine: routine() })),
        { control, back: () => show(person) });
    const withStep = (i, changes) => ({
        steps: person.routine.steps.map((step, at) => (at === i ? { ...step, ...changes } : step)),
    });
    const presets = segmented("Preset", PRESETS, "original", (preset) => send(
        () => (preset === "own" ? { steps: person.routine.steps } : { preset })));
    presets.classList.add("presets");
    const list = make("div", { class: "rows" });
    fill(body, make("div", { data: { field: "" } }, presets), list,
        make("p", { class: "fine" }, "What is changed here makes the routine your own; the presets stay."));
    const show = (told) => {
        person = told;
        const { steps, preset, plannedSeconds } = person.routine;
        value.textContent = clockOf(plannedSeconds);
        value.setAttribute("aria-label", `${clockOf(plannedSeconds)} in all`);
        [...presets.children].forEach((one, i) => {
            const isChosen = PRESETS[i].value === preset;
            const seconds = isChosen ? plannedSeconds
                : desk.told.presets?.find(({ name }) => name === PRESETS[i].value)?.plannedSeconds;
            one.setAttribute("aria-pressed", String(isChosen));
            fill(one, PRESETS[i].word, " ", make("span", { class: "preset-time" }, seconds ? clockOf(seconds) : "\u00A0"));
        });
        if (rows.map(({ kind }) => kind).join() !== steps.map(({ kind }) => kind).join()) {
            rows = steps.map((step, i) => stepRow(step.kind, i,
                (changes, control) => send(() => withStep(i, changes), control)));
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
        "aria-label": `${name}, seconds`,
    });
    const input = make("input", { type: "checkbox", role: "switch", "aria-label": name });
    input.addEventListener("change", () => change({ isOn: input.checked }, input));
    seconds.addEventListener("change", () => change({ seconds: Math.round(Number(seconds.value)) }, seconds));
    const node = make("div", { class: "row step", data: { field: "" } }, icon(sign),
        make("span", { class: "words" }, make("span", { class: "name" }, name), fine),
        make("span", { class: "with-unit" }, seconds, make("span", { "aria-hidden": true }, "s")),
        make("label", { class: "switch only" }, input, make("i")));
    const show = (step) => {
        if (document.activeElement !== seconds || seconds.getAttribute("aria-invalid") !== "true") {
            seconds.value = String(step.seconds);
        }
        input.checked = step.isOn;
        seconds.disabled = !step.isOn;
        node.dataset.state = step.isOn ? "on" : "off";
        fine.textContent = stepWords(step);
    };
    return { kind, node, show };
}

function stepWords({ kind, repetitions, isOn }) {
    if (kind === "rinse") return isOn ? "It explains: spit, don’t rinse" : "off";
    if (!isOn) return "off";
    if (kind === "brush") return repetitions === 4 ? "4 times, a quarter each" : `${repetitions} times`;
    return repetitions > 1 ? `${repetitions} times` : "once";
}
