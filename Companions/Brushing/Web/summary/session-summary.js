import { engine } from "../../engine/engine.js";
import { get } from "../../app/api.js";
import { bytesOf } from "../../engine/base64.js";
import { localMoment } from "../local-moment.js";

const KINDS = ["brush", "floss", "rinse"];

/**
 * What a session was, as the engine reads it from its bytes on this device.
 * @param {{startedAt: number, person: {timeZone: string}, bytes: string}} done
 * @returns {Promise<object|null>}  `{startedAt, isMorning, isComplete, counts, isThrough, parts: [{kind, repetition,
 *   repetitions, length, done}], done, planned, total, length}`, in seconds, `done` and `planned` by kind, a part's `done` 0 to 1,
 *   `isThrough` where the end was reached, if by skipping; null where nobody can read them
 */
export async function sessionFromBytes({ startedAt, person, bytes }) {
    const brushing = await engine("brushing");
    if (brushing.call.look(brushing.put(bytesOf(bytes))) !== 0) return null;
    const parts = brushing.rows("segments").map((part) => ({ ...part, length: part.milliseconds / 1000 }));
    const result = brushing.view("result");
    const done = KINDS.map((kind) => result[`${kind}Milliseconds`] / 1000);
    return summaryOf({
        startedAt, parts, done, isMorning: brushing.call.isMorning(localMoment(startedAt, person.timeZone).minute) === 1,
        isComplete: result.isComplete === 1, counts: result.counts === 1,
        isThrough: brushing.view("session").isFinished === 1,
    });
}

/**
 * The same, as the hub tells it.
 * @param {string} id
 */
export async function sessionFromHub(id, signal) {
    const answer = await get(`/api/brushing/sessions/${encodeURIComponent(id)}`, { signal });
    const parts = (answer.steps ?? []).map((step) => ({
        kind: KINDS.indexOf(step.kind), repetition: step.repetition, repetitions: step.repetitions,
        place: step.place, length: step.plannedSeconds,
        done: step.plannedSeconds > 0 ? Math.min(1, step.doneSeconds / step.plannedSeconds) : 1,
    }));
    return {
        answer,
        ...summaryOf({
            startedAt: answer.startedAt, parts, done: [answer.brushSeconds, answer.flossSeconds, answer.rinseSeconds],
            isMorning: answer.slot === "morning", isComplete: answer.isComplete, counts: answer.counts,
            isThrough: answer.reason === "finished",
        }),
    };
}

function summaryOf({ parts, done, ...rest }) {
    const planned = KINDS.map((_, kind) => parts.filter((one) => one.kind === kind)
        .reduce((sum, { length }) => sum + length, 0));
    const sum = (all) => all.reduce((before, one) => before + one, 0);
    return { ...rest, parts, done, planned, length: sum(planned), total: sum(done) };
}
