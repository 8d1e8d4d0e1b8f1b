/**
 * What of a phone can be felt from a page: `vibrate` by the Vibration API, `switch` by the tick that iOS gives a switch when
 * it is pressed, `sound` where nothing can be felt.
 * @typedef {"vibrate"|"switch"|"sound"} Way
 */

const TONE = 160; // Hz: as low as a phone's loudspeaker goes
const TICK_APART = 60; // milliseconds between two ticks of a switch: closer together they are one

/** @type {AudioContext?} */
let audio = null;

/** @returns {Way} */
export function wayHere() {
    // Every browser of a computer has the function too, and moves nothing.
    const isHeld = matchMedia("(pointer: coarse)").matches; // not shown: a query
    if (typeof navigator.vibrate === "function" && isHeld) return "vibrate";
    if (/iPhone/.test(navigator.userAgent) && "switch" in HTMLInputElement.prototype) return "switch";
    return "sound";
}

/**
 * Plays a pattern: milliseconds of vibration and rest in turns. To be called by a press.
 * @param {Uint16Array} pattern
 * @param {Way} way
 * @returns {boolean}  whether the browser took it
 */
export function play(pattern, way) {
    if (way === "vibrate") return navigator.vibrate([...pattern]);
    if (way === "switch") return ticks(pattern);
    return tones(pattern);
}

/** Ends what is still played. */
export function silence() {
    if (typeof navigator.vibrate === "function") navigator.vibrate(0);
    audio?.suspend();
}

/** Each vibration is a tick at its beginning: a switch knows no length. */
function ticks(pattern) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "checkbox";
    input.setAttribute("switch", "");
    label.className = "unseen";
    label.setAttribute("aria-hidden", "true");
    label.append(input);
    document.body.append(label);
    let at = 0;
    pattern.forEach((part, i) => {
        if (i % 2 === 0) setTimeout(() => label.click(), Math.max(at, (i / 2) * TICK_APART));
        at += part;
    });
    setTimeout(() => label.remove(), at + pattern.length * TICK_APART);
    return true;
}

function tones(pattern) {
    try {
        audio ??= new AudioContext();
        audio.resume();
        let at = audio.currentTime + 0.01;
        pattern.forEach((part, i) => {
            const lasts = part / 1000;
            if (i % 2 === 0) {
                const tone = new OscillatorNode(audio, { frequency: TONE, type: "triangle" });
                const gain = new GainNode(audio, { gain: 0 });
                // A tone that begins at once is a click.
                gain.gain.setValueAtTime(0, at);
                gain.gain.linearRampToValueAtTime(0.5, at + 0.003);
                gain.gain.setValueAtTime(0.5, at + Math.max(lasts, 0.006) - 0.003);
                gain.gain.linearRampToValueAtTime(0, at + Math.max(lasts, 0.006));
                tone.connect(gain).connect(audio.destination);
                tone.start(at);
                tone.stop(at + Math.max(lasts, 0.006) + 0.01);
            }
            at += lasts;
        });
        return true;
    } catch (error) {
        console.info(error);
        return false;
    }
}
