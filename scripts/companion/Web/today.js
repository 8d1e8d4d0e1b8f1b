import { headline, overview } from "./overview.js";

/** The card on Today: how things are, and how old that is. */
export async function today({ fresh }) {
    const data = await overview.forToday(fresh);
    const at = Math.max(0, ...data.devices.map((device) => device.at ?? 0)) || null;
    return { headline: headline(data), says: headline(data), at, figure: null, events: [] };
}

/** Has the card drawn anew when something changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
}
