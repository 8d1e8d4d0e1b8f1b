import { signIn } from "../../app/sign-in.js";
import { outbox } from "../../offline/outbox.js";
import { entryBytes } from "../../offline/outbox-store.js";
import { dayIn } from "../../text/civil.js";
import { overview } from "../overview.js";

/**
 * A session that waits on this device for the hub, as the engine reads it from its bytes, with its `entry` of the outbox;
 * null where there is none.
 */
export async function queuedSession(id) {
    const entry = (await outbox.entries()).find((one) => one.queue === id);
    if (!entry) return null;
    const { sessionFromBytes } = await import("../play/session-summary.js");
    const data = await sessionFromBytes(new Uint8Array(await entryBytes(entry)));
    if (!data) return null;
    const zone = overview.person(data.person)?.timeZone ?? signIn.hub.timeZone;
    return { ...data, day: dayIn(zone, data.startedAt), entry };
}
