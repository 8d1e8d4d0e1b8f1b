import { art } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

const ARTS = [
    ["basil", t`Basil`], ["fern", t`Fern`], ["monstera", t`Monstera`], ["chilli", t`Chilli`], ["lemon", t`Lemon tree`],
];

/**
 * The choice of a drawing for a plant.
 * @param {string} chosen
 */
export function artChoice(chosen) {
    const radios = ARTS.map(([value, word]) => ({
        word, value,
        input: make("input", { type: "radio", name: "art", value, checked: value === chosen, "aria-label": word }),
    }));
    const node = make("fieldset", { class: "field" },
        make("legend", { class: "label" }, t`Picture`),
        make("div", { class: "arts" }, radios.map(({ value, word, input }) =>
            make("label", { class: "art-option", title: word }, input, art(`art-${value}`, "art-drawing")))));
    return {
        name: "art", node, input: radios[0].input, problem: () => {},
        /** Another one, such as for another kind of plant. */
        choose: (value) => { for (const radio of radios) radio.input.checked = radio.value === value; },
        get value() { return radios.find(({ input }) => input.checked)?.value ?? chosen; },
    };
}
