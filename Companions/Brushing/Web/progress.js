import { engine } from "../engine/engine.js";
import { now } from "../app/clock.js";
import { outbox } from "../offline/outbox.js";
import { entryBytes } from "../offline/outbox-store.js";
import { bytesOf } from "../engine/base64.js";
import { localMoment } from "./local-moment.js";

export const PATH = "/api/brushing/sessions";
let loading = null;

/**
 * What the engine makes of what the hub answered last, of the sessions that still wait on this device, and of the day
 * that it is now.
 * @param {object} person  of the overview
 * @param {{at: number, bytes: Uint8Array}} [last]  a session that is in neither
 * @returns {Promise<object|null>}  `{sessions, sessionsThisWeek, askedThisWeek, keptThisWeek, totalSeconds, streakDays,
 *   longestStreakDays, habitPercent, garden, week, award, isMorning}`, `award`: the number of what `last` has earned; null where
 *   the state cannot be read, or is not shown to who is here
 */
export async function progressOf(person, last) {
    return (await progressAndTip(person, 1, last)).progress;
}

/** One call after the other without a wait in between: the engine holds the state of one person at a time. */
async function progressAndTip(person, count, last) {
    if (!person.progress) return { progress: null, tip: 0 };
    loading ??= engine("brushing").catch((error) => {
        loading = null;
        throw error;
    });
    const [brushing, waiting] = await Promise.all([loading, waitingOf(person)]);
    const { call } = brushing;
    if (call.loadProgress(brushing.put(bytesOf(person.progress.state))) !== 0) return { progress: null, tip: 0 };
    const record = ({ at, bytes }) => {
        const { day, minute } = localMoment(at, person.timeZone);
        return call.recordBlob(brushing.put(bytes), day, minute);
    };
    for (const one of waiting) record(one);
    const award = last ? Math.max(0, record(last)) : 0; // below 0: the number of what is wrong with it
    const moment = localMoment(now(), person.timeZone);
    const today = call.brushingDay(moment.day, moment.minute);
    call.advanceProgress(today);
    const all = brushing.view("progress");
    const progress = {
        ...all, totalSeconds: all.totalMilliseconds / 1000, garden: brushing.view("garden"),
        award, isMorning: call.isMorning(moment.minute) === 1,
        week: weekOf(brushing.rows("week"), all.weekBegins, today, person.week), waiting: waiting.length,
    };
    return { progress, tip: call.tip(count) };
}

/**
 * Which tip comes next, of so many.
 * @param {number} count
 */
export async function tipAfter(person, count, last) {
    return (await progressAndTip(person, count, last)).tip;
}

/** The seven days from Monday on, as the pips draw them; `data`: what the hub knows of those before the first. */
function weekOf(days, monday, today, data) {
    return days.map(({ morning, evening, third, isFrozen }, i) => {
        const day = new Date((monday + i) * 86_400_000).toISOString().slice(0, 10);
        return {
            day, isBefore: data.some((one) => one.day === day && one.isBefore), isToCome: monday + i > today,
            morning: morning === 1, evening: evening === 1, third: third === 1, isFrozen: isFrozen === 1,
            isToday: monday + i === today,
        };
    });
}

/** Their sessions that the hub does not have yet, the oldest first. */
async function waitingOf(person) {
    const entries = await outbox.entries().catch(() => []);
    const theirs = entries.filter((entry) => entry.path === PATH && entry.about?.person === person.id && !entry.failed
        && entry.queue !== person.lastSession?.id); // that one came, and only the answer was lost
    return Promise.all(theirs.map(async (entry) => ({
        at: entry.about.at, bytes: new Uint8Array(await entryBytes(entry)),
    })));
}
