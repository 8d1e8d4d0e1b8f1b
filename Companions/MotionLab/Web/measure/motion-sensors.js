import { KIND, SOURCE } from "../engine-constants.js";

const PATIENCE = 2000; // milliseconds: a phone's sensors answer within a tenth of that

/**
 * Why there is nothing to measure: `insecure` (the page came without HTTPS), `denied` (the person or the browser did not
 * allow it), `missing` (the device has no such sensor, or its browser gives none), `failed`.
 */
export class SensorTrouble extends Error {
    /**
     * @param {"insecure"|"denied"|"missing"|"failed"} reason
     * @param {"motion"|"microphone"|"barometer"} [sensor]
     */
    constructor(reason, sensor = "motion") {
        super(reason);
        this.reason = reason;
        this.sensor = sensor;
    }
}

/**
 * Asks for the motion sensors of this device. iOS wants it to come from a press.
 * @throws {SensorTrouble}
 */
export async function permitMotion() {
    if (!isSecureContext) throw new SensorTrouble("insecure");
    const events = self.DeviceMotionEvent;
    if (!events) throw new SensorTrouble("missing");
    const ask = /** @type {any} */ (events).requestPermission;
    if (typeof ask === "function") {
        const answer = await ask.call(events).catch(() => "denied"); // without a press
        if (answer !== "granted") throw new SensorTrouble("denied");
        return;
    }
    if (await isDenied("accelerometer") || await isDenied("gyroscope")) throw new SensorTrouble("denied");
}

/** Whose units and signs a motion event has: every browser on iOS is WebKit, whatever it is called, and says so here. */
export function motionSource() {
    // not shown: a vendor
    return navigator.vendor.startsWith("Apple") ? SOURCE.webKitMotion : SOURCE.chromiumMotion;
}

async function isDenied(name) {
    try {
        return (await navigator.permissions.query({ name })).state === "denied";
    } catch {
        return false; // a browser that has no such word has no such question
    }
}

/**
 * Gives what the motion sensors measure to the engine, until the signal ends it.
 * @param {Set<number>} kinds  of {@link KIND}: what is wanted
 * @param {(kind: number, source: number, at: number, x: number, y: number, z: number) => void} take  `at`: UTC
 *   milliseconds; NaN for an axis that the browser did not give
 * @param {AbortSignal} signal
 * @param {(reason: "missing") => void} nothing  called where nothing comes
 */
export function readMotion(kinds, take, signal, nothing) {
    const source = motionSource();
    let hasCome = false;
    addEventListener("devicemotion", (event) => {
        const at = performance.timeOrigin + event.timeStamp;
        const { accelerationIncludingGravity: felt, acceleration: linear, rotationRate: rate } = event;
        for (const [kind, values] of /** @type {Array<[number, Array<number?>?]>} */ ([
            // What the engine makes of others it needs before these.
            [KIND.accelerometer, felt && [felt.x, felt.y, felt.z]],
            [KIND.linearAcceleration, linear && [linear.x, linear.y, linear.z]],
            [KIND.gyroscope, rate && [rate.alpha, rate.beta, rate.gamma]],
        ])) {
            // A device without this sensor has null for all of it.
            if (!kinds.has(kind) || !values || values.every((value) => value === null)) continue;
            hasCome = true;
            const [x, y, z] = values.map((value) => value ?? NaN);
            take(kind, source, at, x, y, z);
        }
    }, { signal });
    const timer = setTimeout(() => { if (!hasCome) nothing("missing"); }, PATIENCE);
    signal.addEventListener("abort", () => clearTimeout(timer));
}
