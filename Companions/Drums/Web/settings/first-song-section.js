import { button } from "../../elements/button.js";
import { section } from "../../elements/header.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { showHow } from "../first-song/offer.js";

/** How to play, shown once more. */
export function firstSongSection() {
    let person = null;
    const node = section(t`How to play`,
        make("p", { class: "small second" }, t`One hit on each drum and the first beats of a song. Nothing of it is counted.`),
        make("div", { class: "row-of-buttons" }, button(t`Show me`, { icon: "play", press: () => showHow(person) })));
    return { node, show: (data) => { person = data; node.hidden = !data.mayDeliver; } };
}
