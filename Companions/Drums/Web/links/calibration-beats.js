const PERIOD = 750; // milliseconds: slow enough for a tap to belong to one beat, quick enough to be felt as a beat
const LISTENING = 4; // beats before the taps count
const COUNTED = 20;
const LONG = 120; // milliseconds of a flash
const CLICK = 0.03; // seconds
const AHEAD = 0.12; // seconds that clicks are scheduled ahead
const PITCH = 1500; // hertz

/**
 * Gives even flashes or clicks to tap along with.
 * @param {"flash"|"click"} sense
 * @param {{flash: (on: boolean) => void, signal: AbortSignal}} options
 * @returns {{ended: Promise<{at: number[], period: number, from: number, to: number}?>, stop: () => void}}
 *   `ended`: when each was given, by `performance.now()`, and between when taps count; null when it was stopped
 */
export function beats(sense, { flash, signal }) {
    const ending = new AbortController();
    const both = AbortSignal.any([signal, ending.signal]);
    const run = sense === "flash" ? flashes(flash, both) : clicks(both);
    const ended = run.then((at) => at && {
        at, period: PERIOD, from: at[LISTENING] - PERIOD / 2, to: at.at(-1) + PERIOD / 2,
    });
    return { ended, stop: () => ending.abort() };
}

/** Each flash is drawn by the first frame after its moment, and that frame's own time is the flash's. */
function flashes(flash, signal) {
    return new Promise((done) => {
        const start = performance.now() + PERIOD;
        const at = [];
        let off = null;
        const frame = (now) => {
            if (signal.aborted) return done(null);
            if (off !== null && now >= off) {
                flash(false);
                off = null;
            }
            if (at.length < LISTENING + COUNTED && now >= start + at.length * PERIOD) {
                flash(true);
                at.push(now);
                off = now + LONG;
            }
            if (at.length === LISTENING + COUNTED && now > at.at(-1) + PERIOD / 2) return done(at);
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    });
}

/** Clicks by the sound's own clock; what lies between it and the ear is what is to be found. */
async function clicks(signal) {
    const sound = new AudioContext({ latencyHint: "interactive" });
    await sound.resume();
    const start = sound.currentTime + PERIOD / 1000;
    const toPage = performance.now() - sound.currentTime * 1000;
    const times = Array.from({ length: LISTENING + COUNTED }, (_, n) => start + (n * PERIOD) / 1000);
    const at = await new Promise((done) => {
        let next = 0;
        const timer = setInterval(() => {
            if (signal.aborted) {
                clearInterval(timer);
                return done(null);
            }
            while (next < times.length && times[next] < sound.currentTime + AHEAD) {
                click(sound, times[next]);
                next += 1;
            }
            if (next === times.length && sound.currentTime > times.at(-1) + PERIOD / 2000) {
                clearInterval(timer);
                done(times.map((time) => time * 1000 + toPage));
            }
        }, 25);
    });
    sound.close();
    return at;
}

function click(sound, when) {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    tone.frequency.value = PITCH;
    loud.gain.setValueAtTime(0.6, when);
    loud.gain.exponentialRampToValueAtTime(0.001, when + CLICK);
    tone.connect(loud).connect(sound.destination);
    tone.start(when);
    tone.stop(when + CLICK);
}
