import { icon } from "./icon.js";
import { make } from "./make.js";

/** A person's face, or the first letter of the name. @param {{name: string, face: string?}} person */
export function face(person, size) {
    const letter = [...new Intl.Segmenter("en").segment(person.name.trim())][0]?.segment.toUpperCase() ?? "?";
    return make("span", { class: "face", data: { size }, "aria-hidden": true },
        person.face ? icon(`face-${person.face}`) : letter);
}
