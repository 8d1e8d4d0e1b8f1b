import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { whenIdle } from "../house/when-idle.js";
import { counted } from "../words/numbers.js";

/**
 * "2 waiting", for the strip of the shell: a link to where they are listed, away while nothing waits. The outbox is
 * read once the page is drawn.
 * @param {AbortSignal} [signal]
 * @returns {HTMLElement}
 */
export function outboxMark(signal) {
    const words = make("span");
    const mark = icon("clock");
    const node = make("a", { class: "tag outbox-mark", href: "/settings#s-waiting-to-be-sent", hidden: true },
        mark, words);
    const draw = (outbox) => {
        const { waiting, parked } = outbox.state ?? { waiting: 0, parked: 0 };
        node.hidden = waiting + parked === 0;
        node.dataset.state = parked > 0 ? "problem" : "unknown";
        words.textContent = parked > 0 ? `${parked} refused` : `${waiting} waiting`;
        node.setAttribute("aria-label", parked > 0
            ? `${counted(parked, "thing")} refused by the hub, ${waiting} waiting`
            : `${counted(waiting, "thing")} waiting to be sent`);
    };
    const begin = async () => {
        const { outbox } = await import("./outbox.js");
        outbox.addEventListener("changed", () => draw(outbox), { signal });
        draw(outbox);
    };
    whenIdle(() => begin().catch(() => {})); // the hub went away: the next load has it
    return node;
}
