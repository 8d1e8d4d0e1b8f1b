import { button } from "../elements/button.js";
import { make } from "../elements/make.js";
import { lostTrust } from "../app/lost-trust.js";
import { messageOf, Unreachable } from "../app/problem.js";
import { greeting, signInLayout } from "./sign-in-layout.js";
import { t } from "../language/text.js";

const PAUSE = 4000; // milliseconds between two tries

/**
 * Said when the page came but the hub behind it does not answer.
 * @param {Partial<import("../app/problem.js").Problem>} error
 * @param {() => any} again
 */
export function openNoHub(error, again) {
    let timer = null;
    const retry = () => {
        clearTimeout(timer);
        return again();
    };
    signInLayout(t`No hub`,
        greeting(sayingOf(error), messageOf(error)),
        make("div", { class: "row-of-buttons" },
            button(t`Try again`, { kind: "primary", icon: "refresh", press: retry })),
        make("p", { class: "fine" }, t`This page tries again by itself.`),
        error instanceof Unreachable && error.reason === "silent" && lostTrust());
    timer = setTimeout(retry, PAUSE);
}

function sayingOf(error) {
    if (!(error instanceof Unreachable)) return t`The hub cannot open now`;
    return error.reason === "silent" ? t`The hub does not answer` : error.title;
}
