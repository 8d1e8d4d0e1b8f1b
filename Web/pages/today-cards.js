import { age } from "../elements/age.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice } from "../elements/notice.js";
import { sayingSkeleton } from "../elements/skeleton.js";
import { isAborted } from "../app/api.js";
import { now } from "../app/clock.js";
import { ResponseOrder } from "../app/response-order.js";
import { localDay } from "../text/dates.js";
import { t } from "../language/text.js";

/**
 * A painted card for each companion that says how it is. A companion gives a `today({signal, fresh})` that answers
 * `{headline, weight, says, at, figure, events: [{at, icon, words, isAhead?}]}`.
 * @param {Array<object>} companions
 * @param {AbortSignal} signal
 * @returns {{node: HTMLElement, load: (fresh: boolean) => Promise<{headline: string?, events: Array}?>, watch: (draw: () => void) => void}}
 *   `load`: draws them, and answers the sentence that matters most and what happens today; null once the screen was left,
 *   or something newer is drawn
 */
export function todayCards(companions, signal) {
    const shown = companions.filter((companion) => companion.today);
    const cards = shown.map((companion) => ({ companion, order: new ResponseOrder(), ...card(companion) }));
    const node = make("ul", { class: "cards", "aria-label": t`Companions`, data: { count: shown.length } },
        cards.map((one) => one.node));
    const order = new ResponseOrder(); // one that waits for the hub may end after one that began later
    const load = async (fresh) => {
        const isCurrent = order.sent();
        const data = await Promise.all(cards.map(async (one) => {
            const isOwnCurrent = one.order.sent();
            try {
                const today = await one.companion.today({ signal, fresh });
                if (isOwnCurrent()) one.show(today);
                return today;
            } catch (error) {
                if (!isAborted(error) && isOwnCurrent()) one.trouble(error);
                return null;
            }
        }));
        if (signal.aborted || !isCurrent()) return null;
        const known = data.filter(Boolean);
        // Which of them matters most the hub says, by a weight; of equal ones the first in the navigation.
        const [first] = known.filter((one) => one.headline).toSorted((a, b) => (b.weight ?? 1) - (a.weight ?? 1));
        const today = localDay(now());
        const events = known.flatMap((one) => one.events ?? []).filter((event) => localDay(event.at) === today);
        return { headline: first?.headline ?? null, events };
    };
    const watch = (draw) => { for (const { companion } of cards) companion.watch?.(draw, signal); };
    return { node, load, watch };
}

function card(companion) {
    const says = make("span", { class: "card-says" }, sayingSkeleton(companion.title));
    const aged = make("span", { class: "fine" });
    const figure = make("span", { class: "card-figure" });
    const link = make("a", { class: "card", data: { companion: companion.slug }, href: companion.path },
        make("span", { class: "card-name" }, icon(companion.icon), companion.title, " ", aged), says, figure);
    const node = make("li", {}, link);
    const show = (today) => {
        if (node.firstElementChild !== link) node.replaceChildren(link);
        fill(says, today.says);
        fill(aged, today.at && age(today.at, { plain: true }));
        fill(figure, today.figure);
    };
    const trouble = (error) => {
        const said = calmNotice(error, {
            title: t`${companion.title} cannot be shown now`, retry: () => location.reload(),
        });
        if (said.matches(".away")) return show({ says: said });
        node.replaceChildren(make("div", { class: "card-trouble", data: { companion: companion.slug } }, said));
    };
    return { node, show, trouble };
}
