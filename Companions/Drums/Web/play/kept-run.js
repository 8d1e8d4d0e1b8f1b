/** Delivers a session that was left and is over, where there is one; the engine is loaded only then. */
export async function settleLeft() {}
