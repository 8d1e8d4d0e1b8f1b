import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { whenIdle } from "../app/when-idle.js";
import { t } from "../language/text.js";

/**
 * "2 waiting", or "2 lost", for the strip of the shell: a link to where they are listed, away while nothing waits. The outbox is
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
        const { waiting, failed, lost } = outbox.state ?? { waiting: 0, failed: 0, lost: null };
        node.hidden = waiting + failed === 0 && !lost;
        node.dataset.state = failed > 0 || lost ? "problem" : "unknown";
        words.textContent = lost ? t`${lost.count} lost` : failed > 0 ? t`${failed} refused` : t`${waiting} waiting`;
        node.setAttribute("aria-label", lost ? t`${lost.count} things that waited here are lost`
            : failed > 0 ? t`${failed} things refused by the hub, ${waiting} waiting`
                : t`${waiting} things waiting to be sent`);
    };
    const begin = async () => {
        const { outbox } = await import("./outbox.js");
        outbox.addEventListener("changed", () => draw(outbox), { signal });
        draw(outbox);
    };
    whenIdle(() => begin().catch(() => {})); // the hub went away: the next load has it
    return node;
}
