import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { unseen } from "../elements/unseen.js";
import { clockTime } from "../text/dates.js";
import { t } from "../language/text.js";
import { categoryIcon } from "./categories.js";

/** How a fact ended, in words. @param {string} ending  the hub's */
export const endingWords = (ending) => ({
    finished: t`to the end`, stopped: t`stopped before the end`, cutOff: t`cut off: the power went`, unknown: "",
})[ending] ?? "";

/**
 * A fact that was heard, which leads to its page.
 * @param {{at: number, ending: string, deviceName?: string, fact: {id: number, text: string, category: string, vote: number}}} play
 * @param {string} [name]  who heard it, where that is not said elsewhere
 */
export function playRow({ at, ending, deviceName, fact }, name) {
    const where = deviceName ? t`${clockTime(at)}, from ${deviceName}` : t`${clockTime(at)}, here`;
    return make("li", {}, make("a", { class: "toy-fact", href: `/toy/facts/${fact.id}` },
        icon(categoryIcon(fact.category)),
        make("span", { class: "toy-fact-words" },
            make("span", { class: "toy-fact-text" }, fact.text),
            make("span", { class: "fine" }, [name, where, endingWords(ending)].filter(Boolean).join(" · "))),
        fact.vote !== 0 && make("span", { class: "toy-fact-vote" },
            icon(fact.vote > 0 ? "thumb-up" : "thumb-down"),
            make("span", { class: "unseen" }, fact.vote > 0 ? t`voted good` : t`voted not this one`))));
}

/** A fact by itself, which leads to its page. @param {{id: number, text: string, category: string}} fact */
export function factRow(fact) {
    return make("li", {}, make("a", { class: "toy-fact", href: `/toy/facts/${fact.id}` },
        icon(categoryIcon(fact.category)),
        make("span", { class: "toy-fact-words" }, make("span", { class: "toy-fact-text" }, fact.text))));
}

/** What stands where a page may see nothing of anybody. */
export const nothingToSee = () => unseen(t`Only they and the grown-ups can see what somebody has heard.`);
