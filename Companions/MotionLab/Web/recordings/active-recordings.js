import { t } from "../../language/text.js";
import { ActiveSessions } from "../../sessions/active-sessions.js";
import { ActiveRecording } from "./active-recording.js";

const activeRecordings = new ActiveSessions({
    slug: "lab",
    notStored: t`This device cannot save while it records. Please leave this page open until the end.`,
    busy: t`Another window on this device is recording.`,
    isUploaded: true,
    make: (engine, stored, held) => new ActiveRecording(activeRecordings, engine, stored, held),
    now: () => performance.now(),
    isOver: ({ call }) => call.isRecordingOver() === 1,
});

/** Delivers what a page that was closed has left. */
export const settleRecordings = () => activeRecordings.lookAll();

/**
 * Begins a recording.
 * @param {{id: string, name: string}} person
 * @param {Parameters<ActiveRecording["begin"]>[0]} of
 * @returns {Promise<ActiveRecording>}
 */
export async function beginRecording(person, of) {
    let begun = null;
    await activeRecordings.begin({ person: { id: person.id, name: person.name } }, async (active) => {
        await active.begin(of);
        begun = active;
    });
    if (begun) return begun;
    // One of before was there, and is delivered first; it ran in no page, or this one would not have begun.
    const active = await activeRecordings.goOn();
    if (active && active !== "elsewhere") await active.stop();
    await activeRecordings.begin({ person: { id: person.id, name: person.name } }, async (next) => {
        await next.begin(of);
        begun = next;
    });
    if (!begun) throw new Error("a recording runs already");
    return begun;
}
