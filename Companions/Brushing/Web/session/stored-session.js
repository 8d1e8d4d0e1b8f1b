import { storedSession } from "../../sessions/stored-session.js";

/** The session of this household that is stored on this device, in whatever page it runs; null where none is. */
export const storedBrushing = () => storedSession("brushing");

/** Delivers a session that was left and is over, where there is one; the engine is loaded only then. */
export async function settleLeft() {
    if (!await storedBrushing()) return;
    await (await import("./active-session.js")).findSession();
}
