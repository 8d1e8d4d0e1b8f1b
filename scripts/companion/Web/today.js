import { headline, overview } from "./overview.js";

/** The band of today: how things are, and how old that is. */
export async function today({ fresh }) {
    const told = await overview.forToday(fresh);
    const at = Math.max(0, ...told.devices.map((device) => device.at ?? 0)) || null;
    return { headline: headline(told), says: headline(told), at, figure: null, events: [] };
}

/** Has the band drawn anew when something changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
}
