import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { button } from "./button.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

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
 * The notice of an error, in the hub's words, with a button that tries again where that makes sense. That the password is
 * wanted is no fault, and that the hub is away is none of whoever is here.
 * @param {Partial<import("../app/problem.js").Problem>} error
 * @param {{title?: string, retry?: () => any}} [options]
 */
export function problemNotice(error, options = {}) {
    const isLocked = error?.wantsPassword;
    return notice({
        icon: error?.unreachable ? "offline" : isLocked ? "lock" : "warning",
        state: isLocked ? undefined : error?.unreachable ? "unknown" : "problem",
        title: options.title ?? error?.title ?? t`That did not work`,
        words: messageOf(error),
        actions: options.retry && [isLocked ? button(t`Type the password`, { icon: "lock", press: options.retry })
            : button(t`Try again`, { icon: "refresh", press: options.retry })],
    });
}

/**
 * As {@link problemNotice}, but where the strip of the page says already that the hub is away, one line: what stands
 * here comes by itself when the hub is back, which whoever shows it sees to.
 */
export function calmNotice(error, options = {}) {
    if (!error?.unreachable || !["lost", "connecting"].includes(live.state)) return problemNotice(error, options);
    return make("p", { class: "away small second" }, icon("offline", "s"), t`It comes back when the hub answers.`);
}
