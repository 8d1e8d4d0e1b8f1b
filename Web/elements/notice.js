import { wordsOf } from "../house/problem.js";
import { button } from "./button.js";
import { icon } from "./icon.js";
import { make } from "./make.js";

/**
 * A box of words: something worth knowing, not known, or a problem.
 * @param {{icon: string, title: string, words?: string|Node, state?: "problem"|"unknown", actions?: Node[]}} says
 */
export function notice(says) {
    return make("div", { class: "notice", data: { state: says.state } },
        icon(says.icon),
        make("p", { class: "notice-title" }, says.title),
        says.words && make("p", { class: "small" }, says.words),
        says.actions && make("div", { class: "row-of-buttons" }, says.actions));
}

/**
 * The notice of an error, in the hub's words, with a button that tries again where that makes sense.
 * @param {unknown} error
 * @param {{title?: string, retry?: () => any}} [options]
 */
export function problemNotice(error, options = {}) {
    return notice({
        icon: error?.unreachable ? "offline" : "warning",
        state: "problem",
        title: options.title ?? (error?.unreachable ? "No answer from the hub" : error?.title ?? "That did not work"),
        words: wordsOf(error),
        actions: options.retry && [button("Try again", { icon: "refresh", press: options.retry })],
    });
}
