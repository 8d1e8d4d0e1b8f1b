import { outbox } from "../../offline/outbox.js";
import { bytesAt } from "../../offline/outbox-store.js";

/** A session that waits on this device for the hub, as the engine reads it from its bytes; null where there is none. */
export async function keptSession(id) {
    const entry = (await outbox.entries()).find((one) => one.lane === id);
    if (!entry) return null;
    const { sessionFromBytes } = await import("../play/session-told.js");
    const told = await sessionFromBytes(new Uint8Array(await bytesAt(entry.order)));
    return told && { ...told, isWaiting: true };
}
