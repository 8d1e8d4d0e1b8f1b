import { live } from "../app/live.js";
import { CachedResource } from "../app/cached-resource.js";
import { t } from "../language/text.js";

/** What the hub answered last: `{devices: [{id, name, level, at, state}]}`. */
class Overview extends CachedResource {
    constructor() {
        super("@SLUG@", "/api/@SLUG@");
        for (const type of ["reading", "device"]) live.addEventListener(type, () => { if (this.data) this.soon(); });
    }
}

/** The overview of this page. */
export const overview = new Overview();

/** How things are, in a sentence. @param {{devices: Array}} data */
export function headline({ devices }) {
    if (devices.length === 0) return t`No device yet`;
    const high = devices.filter(({ state }) => state === "high");
    if (high.length > 0) return t`${high[0].name} is high`;
    const low = devices.filter(({ state }) => state === "low");
    return low.length > 0 ? t`${low[0].name} is low` : t`All is well`;
}
