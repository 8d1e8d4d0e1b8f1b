import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/** The directory of the lab: each instrument, and what was recorded. */
export function openDirectory({ screen, title }) {
    title(t`Lab`);
    const top = header({
        name: t`Lab`, icon: "lab", say: t`What shall we measure?`,
        lead: t`Every sensor of this phone, live, with what it costs to measure.`,
    });
    screen.append(top.node, make("div", { class: "content" },
        INSTRUMENTS.length > 0 && section(t`Instruments`, make("ul", { class: "rows" }, INSTRUMENTS.map(row)))));
}

/** @type {Array<{path: string, icon: string, name: string, says: string}>} */
const INSTRUMENTS = [];

function row({ path, icon: name, name: word, says }) {
    return make("li", {}, make("a", { class: "row", href: path }, icon(name),
        make("span", { class: "words" },
            make("span", { class: "name" }, word), make("span", { class: "fine" }, says)),
        icon("forward", "s")));
}
