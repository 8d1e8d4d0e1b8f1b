import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";

/**
 * Draws one moment of a device's settings as a scheme: what is not meant stays a grey bar, what is to be tapped is set
 * solid. Decoration for screen readers: the sentence beside it says the same.
 *
 * @param {"ios"|"android"|"window"} frame
 * @param {string} bar  the title of the screen, or the address in a browser's
 * @param {Array<object>} lines  each one of
 *   `{bar: percent}`                      something that does not matter here
 *   `{text, value?, icon?, tap?, on?}`    a row; `tap` marks it, `on` (boolean) gives it a switch
 *   `{head}` `{says}` `{gap: true}`       a heading, small words, space
 *   `{buttons: [word], tap: word}`        buttons side by side
 *   `{ask, buttons: [word], tap: word}`   a question over the screen
 * @param {{address?: boolean}} [options]  `address`: the bar is a browser's
 */
export function picture(frame, bar, lines, options = {}) {
    return make("div", { class: "shot", "aria-hidden": true, data: { frame } },
        make("div", { class: "shot-frame" },
            frame === "window" ? make("div", { class: "shot-dots" }, make("i"), make("i"), make("i")) : status(frame),
            make("div", { class: options.address ? "shot-address" : "shot-bar" },
                options.address && icon("lock", "xs"), make("span", {}, bar)),
            make("div", { class: "shot-lines" }, lines.map(line))));
}

function status(frame) {
    return make("div", { class: "shot-status" }, make("span", {}, "9:41"), make("i", { data: { frame } }), make("b"));
}

function line(one) {
    if (one.bar) return make("div", { class: "shot-row" },
        make("i", { class: "shot-grey", vars: { w: `${one.bar}%` } }));
    if (one.gap) return make("div", { class: "shot-gap" });
    if (one.head) return make("p", { class: "shot-head" }, one.head);
    if (one.says) return make("p", { class: "shot-says" }, one.says);
    if (one.ask) {
        return make("div", { class: "shot-ask" }, make("p", {}, one.ask), buttons(one));
    }
    if (one.buttons) return buttons(one);
    return make("div", { class: "shot-row", data: { tap: one.tap ? "" : undefined } },
        one.icon && icon(one.icon, "s"), make("span", {}, one.text),
        one.value && make("em", {}, one.value),
        one.on === undefined ? !one.plain && icon("forward", "xs") : make("i", { class: "shot-switch" }));
}

function buttons({ buttons: words, tap }) {
    return make("div", { class: "shot-buttons" },
        words.map((word) => make("span", { data: { tap: word === tap ? "" : undefined } }, word)));
}
