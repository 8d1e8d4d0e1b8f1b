import { session } from "../../house/session.js";
import { outbox } from "../../offline/outbox.js";
import { bytesAt } from "../../offline/outbox-store.js";
import { dayIn } from "../../words/civil.js";
import { desk } from "../desk.js";

/**
 * A session that waits on this device for the hub, as the engine reads it from its bytes, with its `entry` of the outbox;
 * null where there is none.
 */
export async function keptSession(id) {
    const entry = (await outbox.entries()).find((one) => one.lane === id);
    if (!entry) return null;
    const { sessionFromBytes } = await import("../play/session-told.js");
    const told = await sessionFromBytes(new Uint8Array(await bytesAt(entry.order)));
    if (!told) return null;
    const zone = desk.person(told.person)?.timeZone ?? session.hub.timeZone;
    return { ...told, day: dayIn(zone, told.startedAt), entry };
}
