import { problemNotice } from "../elements/notice.js";
import { fill } from "../elements/make.js";
import { go } from "../app/shell.js";
import { overview } from "./overview.js";

/**
 * Has a screen draw itself from the overview: from what this page knows of it at once, and from the hub's when it comes.
 * Where there is none, that is said, with a way to try again.
 * @param {() => void} draw  draws nothing while there is no overview
 * @param {{signal: AbortSignal, say: Element, words: string, place: Element}} options  `words`: for `say`, where there is
 *   none; `place`: where the reason is shown then
 */
export async function showOverview(draw, { signal, say, words, place }) {
    overview.addEventListener("change", draw, { signal });
    overview.recall();
    draw();
    try {
        await overview.refresh();
    } catch (error) {
        if (signal.aborted || overview.data) return;
        say.textContent = words;
        fill(place, problemNotice(error, { retry: () => go(location.pathname, { replace: true }) }));
    }
}
