import { face } from "../elements/face.js";
import { section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { dayAndTimeWithin } from "../text/dates.js";
import { t } from "../language/text.js";
import { categoryWord } from "./categories.js";
import { endingWords } from "./fact-row.js";

/**
 * What stands below a fact: who has heard it, and some more of its subject.
 * @param {{category: string}} fact
 * @param {TriviaToy.FactContextResponse} context
 */
export function factContext({ category }, { heard, more }) {
    return [
        heard.length > 0 && section(t`Heard`,
            make("ul", { class: "rows" }, heard.map(({ name, face: drawn, at, ending, deviceName }) =>
                make("li", { class: "row toy-heard" }, face({ name, face: drawn }),
                    make("span", { class: "words" }, make("span", { class: "name" }, name),
                        make("span", { class: "fine" }, deviceName ? t`${dayAndTimeWithin(at)}, from ${deviceName}`
                            : t`${dayAndTimeWithin(at)}, here`)),
                    make("span", { class: "value fine" }, endingWords(ending))))),
            againWords(heard)),
        more.length > 0 && section(t`More: ${categoryWord(category)}`,
            make("ul", { class: "rows" }, more.map(({ id, text, language }) => make("li", {},
                make("a", { class: "row", href: `/toy/facts/${id}` },
                    make("span", { class: "words", lang: language }, text), icon("forward", "s")))))),
    ];
}

/** When it may be told again. */
function againWords(heard) {
    const [one] = heard;
    if (heard.some(({ unheard }) => !unheard)) return null;
    return make("p", { class: "small second" }, heard.length === 1
        ? t`${one.name} will not hear it again while ${one.unheard} others are unheard.`
        : t`None of them will hear it again while others are unheard.`);
}
