import { drawing, FACES } from "./face.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * A field of a form that chooses a face.
 * @param {string?} [chosen]  one of the drawn faces; without one nobody is chosen yet
 */
export function faceChoice(chosen) {
    const radios = FACES.map(([value, word]) => ({
        value, word, input: make("input", { type: "radio", name: "face", value, checked: value === chosen }),
    }));
    const node = make("fieldset", { class: "field" },
        make("legend", { class: "label" }, t`Face`),
        make("div", { class: "faces" }, radios.map(({ input, value, word }) => make("label", { class: "face-choice" },
            input, make("span", { class: "face" }, drawing(value)), make("span", { class: "fine" }, word)))));
    return {
        name: "face", node, problem: () => {},
        get value() { return radios.find(({ input }) => input.checked)?.value ?? null; },
    };
}

/** The next face that nobody has yet, so that two children do not look alike by chance. */
export function freeFace(people) {
    const taken = new Set(people.map((person) => person.face));
    return FACES.find(([name]) => !taken.has(name))?.[0] ?? FACES[0][0];
}
