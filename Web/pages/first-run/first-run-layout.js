import { icon, wordmark } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { PAINTS } from "../../elements/paints.js";
import { paintBar } from "../../app/theme.js";
import { t } from "../../language/text.js";

/** The five steps, each a tile. */
const STEPS = [
    ["home", t`The house`], ["key", t`You`], ["people", t`Children`], ["today", t`Companions`], ["sensor", t`First device`],
];

/**
 * The five tiles as the way through the first run: painted as far as one has come.
 * @param {number} step  1 to 5
 * @param {string} title  of the page
 * @param {...any} entry  what stands beside the tiles
 */
export function firstRunLayout(step, title, ...entry) {
    document.title = `${title} · Tandem`;
    document.body.dataset.companion = "app";
    paintBar();
    const tiles = STEPS.map(([name, word], i) => {
        const state = i + 1 < step ? "done" : i + 1 === step ? "now" : "open";
        return make("li", {
            data: { ...(state === "open" ? { companion: "app" } : { paint: PAINTS[i] }), state },
            "aria-current": state === "now" ? "step" : undefined,
        }, icon(state === "done" ? "check" : name),
        make("span", { class: "unseen" }, state === "done" ? t`${word}, done` : word));
    });
    document.body.replaceChildren(make("main", { id: "main", class: "sign-in-layout first-run" },
        make("div", { class: "hero" },
            wordmark("word"), make("ol", { class: "tiles", "aria-label": t`Steps` }, tiles)),
        make("div", { class: "entry" },
            make("p", { class: "step-of" }, t`Step ${step} of ${STEPS.length}`), entry)));
    scrollTo(0, 0);
}

/** The way on and the way back, under a step. */
export function ways(...children) {
    return make("div", { class: "ways" }, children);
}
