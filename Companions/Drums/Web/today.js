import { desk } from "./desk.js";

/** The band of today: the hub's own sentences. */
export async function today() {
    desk.recall();
    const asked = desk.load();
    if (desk.told) asked.catch(() => {});
    else await asked;
    const { headline, lead } = desk.told;
    return { headline, says: [headline, lead].filter(Boolean).join(" "), at: null, events: [] };
}

/** Has the band drawn anew when anything changed. */
export function watch(draw, signal) {
    desk.addEventListener("change", draw, { signal });
}
