import { t } from "../language/text.js";
import { overview } from "./overview.js";

/** The card on Today: the hub's own sentences. */
export async function today({ fresh }) {
    const { headline, lastHeardAt } = await overview.forToday(fresh);
    const events = lastHeardAt ? [{ at: lastHeardAt, icon: "toy", words: t`A fact was heard` }] : [];
    return { headline: headline.text, weight: headline.weight, says: headline.text, at: lastHeardAt, figure: null, events };
}

/** Has the card drawn anew when anything changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
}
