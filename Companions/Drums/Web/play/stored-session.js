import { storedSession } from "../../sessions/stored-session.js";

/** The song of this household that is stored on this device, in whatever page it is played; null where none is. */
export const storedSong = () => storedSession("drums");

/** Delivers a session that was left and is over, where there is one; the engine is loaded only then. */
export async function settleLeft() {
    if (!await storedSong()) return;
    await (await import("./active-sessions.js")).findSession();
}
