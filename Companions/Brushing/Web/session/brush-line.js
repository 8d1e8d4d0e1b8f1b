import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { clockOf } from "../../text/durations.js";
import { t } from "../../language/text.js";

/**
 * What the toothbrushes of those who brush say themselves, where the hub's radio hears them: their own time, and that one is
 * pressed too hard. Nothing where nobody has such a brush, or the hub is away.
 * @param {Array<{id: string, name: string}>} people  who brush
 * @param {AbortSignal} signal
 */
export function brushLine(people, signal) {
    const node = make("p", { class: "brush-line small", "aria-live": "polite", hidden: true });
    const load = async () => {
        const brushes = await get("/api/brushing/brushes", { signal }).catch(() => []);
        const said = brushes.filter(({ now, person }) => now && people.some(({ id }) => id === person));
        node.hidden = said.length === 0;
        const isTooHard = said.some(({ now }) => now.isTooHard);
        node.dataset.state = isTooHard ? "hard" : "on";
        fill(node, icon(isTooHard ? "warning" : "radio", "s"), make("span", {}, said.map((one) => words(one, people)).join(" ")));
    };
    live.addEventListener("changed", ({ detail: { companion, what } }) => {
        if (companion === "brushing" && what === "brush") load();
    }, { signal });
    load();
    return node;
}

function words({ person, now: { seconds, isTooHard } }, people) {
    const { name } = people.find(({ id }) => id === person);
    if (isTooHard) return people.length > 1 ? t`${name}: press less.` : t`Press less: the brush does the work.`;
    return people.length > 1 ? t`${name}’s brush: ${clockOf(seconds)}` : t`Your brush: ${clockOf(seconds)}`;
}
