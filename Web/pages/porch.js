import { icon, wordmark } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { PAINTS } from "../elements/paints.js";
import { declarations } from "../house/companions.js";
import { paintBar } from "../house/theme.js";

/** A door for each companion, with its icon, and as many more as make a street. */
function doors() {
    const all = declarations();
    const free = PAINTS.filter((paint) => !all.some((one) => one.paint === paint));
    return [
        ...all.map(({ slug }) => make("li", { data: { companion: slug } }, icon(slug))),
        ...free.slice(0, Math.max(0, PAINTS.length - all.length)).map((paint) => make("li", { data: { paint } })),
    ];
}

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
            make("ul", { class: "doors", "aria-hidden": true }, doors())),
        make("div", { class: "entry" }, entry)));
}

/** The head of an entry. */
export function greeting(say, lead) {
    return make("div", {}, make("h1", { class: "say", tabindex: "-1" }, say), make("p", { class: "second" }, lead));
}
