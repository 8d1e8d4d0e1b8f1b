import { get } from "../../app/api.js";

const EXCHANGES = 8;
const PAUSE = 150; // milliseconds: exchanges that follow at once meet the same queue

/**
 * Finds out how this device's clock stands to the hub's: the engine makes of the exchanges what is sure.
 * @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} engine
 * @param {() => void} found  called when something is known, and again when all is
 * @param {() => Promise<{receivedMicroseconds: number, answeredMicroseconds: number}>} [ask]  the hub's clock
 */
export async function alignClock(engine, found, ask = () => get("/api/lab/clock")) {
    for (let i = 0; i < EXCHANGES; i += 1) {
        const asked = clock();
        try {
            const { receivedMicroseconds, answeredMicroseconds } = await ask();
            engine.call.clockExchange(asked, receivedMicroseconds, answeredMicroseconds, clock());
            if (i === 0) found(); // a recording may end before the last of them
        } catch {
            break; // the hub is away: what is known is what came
        }
        await new Promise((done) => { setTimeout(done, PAUSE); });
    }
    if (!Number.isNaN(engine.call.clockOffset())) found();
}

/** UTC milliseconds of this device's clock, as samples have it. */
export const deviceNow = () => performance.timeOrigin + performance.now();

/**
 * When something of the hub's clock is by this device's, UTC milliseconds: of an engine that {@link alignClock} has told, and
 * until then as if both clocks were one.
 * @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} engine
 * @param {number} microseconds  the hub's
 */
export function byDeviceClock(engine, microseconds) {
    const offset = engine.call.clockOffset();
    return microseconds / 1000 - (Number.isNaN(offset) ? 0 : offset);
}

const clock = () => Math.round(deviceNow() * 1000);
