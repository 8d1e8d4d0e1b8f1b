import { CachedResource } from "../app/cached-resource.js";
import { t } from "../language/text.js";
import { nameOf } from "./recordings/recording-text.js";

/** How things are in the lab: what the hub answered last. */
const overview = new CachedResource("lab", "/api/lab", "lab overview");

/** The card on Today: the class that is open, or what was recorded last, and otherwise that there is something to measure. */
export async function today({ fresh }) {
    const { headline, latest, openClass } = await overview.forToday(fresh);
    const at = latest ? latest.startMicroseconds / 1000 : null;
    const events = latest ? [{ at, icon: "record", words: t`${nameOf(latest)} was recorded` }] : [];
    const says = openClass ? `${headline.text} ${headline.lead}` : latest ? t`Recorded last: ${nameOf(latest)}.` : headline.lead;
    return { headline: headline.text, weight: headline.weight, says, at: openClass ? null : at, figure: null, events };
}

/** Has the card drawn anew when anything changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
}
