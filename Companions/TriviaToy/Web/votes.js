import { put } from "../app/api.js";
import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { toast } from "../elements/toast.js";
import { number } from "../text/numbers.js";
import { t } from "../language/text.js";

/**
 * The two vote buttons of a fact. Pressed again, a vote is taken back.
 * @param {{id: number, vote: number, upvotes: number, downvotes: number}} fact
 * @param {string} labelledBy  the id of their heading
 * @param {string} [person]  whose votes they are; the profile's where it is left out
 * @returns {{node: HTMLElement, show: (fact: {id: number, vote: number, upvotes: number, downvotes: number}) => void}}
 *   `show`: what the hub says now, where somebody else has voted
 */
export function votes(fact, labelledBy, person) {
    const node = make("div", { class: "toy-votes", role: "group", "aria-labelledby": labelledBy });
    let current = fact;
    const draw = () => fill(node,
        choice(1, "thumb-up", t`Good one`, current.upvotes),
        choice(-1, "thumb-down", t`Not this one`, current.downvotes));
    const choice = (vote, picture, word, count) => make("button", {
        class: "toy-vote", type: "button", "aria-pressed": current.vote === vote, on: { click: () => cast(vote) },
    }, icon(picture), make("span", { class: "name" }, word), make("span", { class: "count" }, number(count)));
    const cast = async (vote) => {
        const before = current;
        const now = vote === current.vote ? 0 : vote;
        // What a person says is shown at once.
        const change = (of) => (now === of ? 1 : 0) - (before.vote === of ? 1 : 0);
        current = {
            ...current, vote: now, upvotes: current.upvotes + change(1), downvotes: current.downvotes + change(-1),
        };
        redraw(vote);
        try {
            current = await put(`/api/toy/facts/${String(fact.id)}/vote`, { vote: now, person });
        } catch (error) {
            current = before;
            toast(t`The vote was not stored: ${messageOf(error)}`, { icon: "warning" });
        }
        redraw(vote);
    };
    const redraw = (vote) => {
        const hadFocus = node.contains(document.activeElement);
        draw();
        if (hadFocus) /** @type {HTMLElement} */ (node.children[vote > 0 ? 0 : 1]).focus();
    };
    draw();
    return {
        node,
        show: (newer) => {
            if (newer.vote === current.vote && newer.upvotes === current.upvotes && newer.downvotes === current.downvotes) return;
            current = newer;
            redraw(newer.vote);
        },
    };
}

/**
 * Calls back whenever somebody has voted: on another page, with a toy or in the original's app.
 * @param {AbortSignal} signal  of the screen
 * @param {() => void} again
 */
export function onVote(signal, again) {
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "toy" && detail.what === "vote") again();
    }, { signal });
}
