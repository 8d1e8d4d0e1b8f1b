import { session } from "../../house/session.js";
import { running } from "../../offline/running.js";

/** Under which name a household's session is kept while it runs: whoever else signs in here meets none of it. */
export const nameOf = (household) => `brushing ${household.id}`;

/** The session of this household that is kept on this device, in whatever page it runs; null where none is. */
export async function keptRun() {
    return session.household ? running(nameOf(session.household)).catch(() => null) : null;
}

/** Delivers a session that was left and is over, where there is one; the engine is loaded only then. */
export async function settleLeft() {
    if (!await keptRun()) return;
    await (await import("./run.js")).lookRun();
}
