import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/** The three parts of the toy's place. @param {"/toy"|"/toy/categories"|"/toy/toys"} here */
export function tabs(here) {
    const all = [["/toy", t`History`], ["/toy/categories", t`Categories`], ["/toy/toys", t`Toys`]];
    return make("nav", { class: "segmented toy-tabs", "aria-label": t`Parts of this place` },
        all.map(([href, word]) => make("a", { href, "aria-current": href === here ? "page" : undefined }, word)));
}
