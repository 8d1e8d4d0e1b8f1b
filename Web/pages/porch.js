import { icon, wordmark } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { paintBar } from "../house/theme.js";

const DOORS = ["plants", "brushing", "drums", "toy", "lab"];

/**
 * What stands before the house: a street of painted doors, and beside it what is asked of who comes in.
 * @param {string} title  of the page
 * @param {...any} entry  what stands beside the street
 */
export function porch(title, ...entry) {
    document.title = title === "Tandem" ? title : `${title} · Tandem`;
    document.body.dataset.companion = "house";
    paintBar();
    document.body.replaceChildren(make("main", { id: "main", class: "porch" },
        make("div", { class: "street" },
            wordmark("word"),
            make("ul", { class: "doors", "aria-hidden": true },
                DOORS.map((name) => make("li", { data: { companion: name } }, icon(name))))),
        make("div", { class: "entry" }, entry)));
}

/** The head of an entry. */
export function greeting(say, lead) {
    return make("div", {}, make("h1", { class: "say", tabindex: "-1" }, say), make("p", { class: "second" }, lead));
}
