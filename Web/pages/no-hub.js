import { button } from "../elements/button.js";
import { make } from "../elements/make.js";
import { lostTrust } from "../house/lost-trust.js";
import { wordsOf } from "../house/problem.js";
import { greeting, porch } from "./porch.js";

const PAUSE = 4000; // milliseconds between two tries

/**
 * Said when the page came but the hub behind it does not answer.
 * @param {Partial<import("../house/problem.js").Problem>} error
 * @param {() => any} again
 */
export function openNoHub(error, again) {
    let timer = null;
    const retry = () => {
        clearTimeout(timer);
        return again();
    };
    porch("No hub",
        greeting(error.unreachable ? "Nobody answers" : "The hub cannot open now", wordsOf(error)),
        make("div", { class: "row-of-buttons" },
            button("Try again", { kind: "primary", icon: "refresh", press: retry })),
        make("p", { class: "fine" }, "This page tries again by itself."),
        error.unreachable && lostTrust());
    timer = setTimeout(retry, PAUSE);
}
