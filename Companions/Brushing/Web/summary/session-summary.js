import { engine } from "../../engine/engine.js";
import { get } from "../../app/api.js";
import { bytesOf } from "../../engine/base64.js";
import { localMoment } from "../local-moment.js";
import { segmentsOf } from "../session/segments.js";

const FINISHED = 1; // the engine's number of an end that was reached
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
    const { call } = brushing;
    if (call.look(brushing.put(bytesOf(bytes))) !== 0) return null;
    const parts = segmentsOf(call).map((part, i) => ({ ...part, length: part.length / 1000, done: call.segmentDone(i) }));
    const done = KINDS.map((_, kind) => call.resultMilliseconds(kind) / 1000);
    return summaryOf({
        startedAt, parts, done, isMorning: call.isMorning(localMoment(startedAt, person.timeZone).minute) === 1,
        isComplete: call.isComplete() === 1, counts: call.counts() === 1,
        isThrough: call.endReason() === FINISHED,
    });
}

/**
 * The same, as the hub tells it.
 * @param {string} id
 */
export async function sessionFromHub(id, signal) {
    const answer = await get(`/api/brushing/sessions/${encodeURIComponent(id)}`, { signal });
    const parts = (answer.steps ?? []).map((step) => ({
        kind: KINDS.indexOf(step.kind), repetition: step.repetition - 1, repetitions: step.repetitions,
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
