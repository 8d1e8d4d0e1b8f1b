import { icon, wordmark } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { PAINTS } from "../elements/paints.js";
import { declarations } from "../app/declarations.js";
import { paintBar } from "../app/theme.js";

/** A tile for each companion, with its icon, and as many more as make a row. */
function tiles() {
    const all = declarations();
    const free = PAINTS.filter((paint) => !all.some((one) => one.paint === paint));
    return [
        ...all.map(({ slug }) => make("li", { data: { companion: slug } }, icon(slug))),
        ...free.slice(0, Math.max(0, PAINTS.length - all.length)).map((paint) => make("li", { data: { paint } })),
    ];
}

/**
 * The layout of what comes before signing in: a row of painted tiles, and beside it what is asked of who comes in.
 * @param {string} title  of the page
 * @param {...any} entry  what stands beside the tiles
 */
export function signInLayout(title, ...entry) {
    document.title = title === "Tandem" ? title : `${title} · Tandem`;
    document.body.dataset.companion = "app";
    paintBar();
    document.body.replaceChildren(make("main", { id: "main", class: "sign-in-layout" },
        make("div", { class: "hero" },
            wordmark("word"),
            make("ul", { class: "tiles", "aria-hidden": true }, tiles())),
        make("div", { class: "entry" }, entry)));
}

/** The head of an entry. */
export function greeting(say, lead) {
    return make("div", {}, make("h1", { class: "say", tabindex: "-1" }, say), make("p", { class: "second" }, lead));
}
