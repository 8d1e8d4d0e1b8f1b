/** What is heard at each change: notes in hertz, when each begins and how long it sounds, seconds. */
const SOUNDS = {
    quarter: [[784, 0, 0.16], [1047, 0.13, 0.3]],
    step: [[523, 0, 0.16], [659, 0.14, 0.16], [784, 0.28, 0.16], [1047, 0.42, 0.42]],
    end: [
        [523, 0, 0.18], [784, 0.17, 0.18], [1047, 0.34, 0.18], [784, 0.51, 0.18], [1047, 0.68, 0.24], [1319, 0.9, 0.8],
    ],
};
/** What is felt: milliseconds on, off, on. */
const VIBRATIONS = {
    quarter: [180], step: [180, 90, 180], end: [350, 120, 350, 120, 600],
};
const FLASH = 900; // milliseconds
const LOUDNESS = 0.28;

let audio = null;

/**
 * Has the browser let sounds be heard; to be called while something is pressed, else it stays silent until the next
 * touch.
 */
export function unlockSound() {
    if (navigator.userActivation?.hasBeenActive === false) return; // a browser would only complain
    try {
        audio ??= new AudioContext();
        if (audio.state !== "running") audio.resume().catch(() => {});
    } catch {
        audio = null; // a browser without sounds
    }
}

/** What sounds on this page, once something was touched; null before, and where a browser has none. */
export const audioContext = () => audio;

/**
 * Says a change without words, in each way that is on.
 * @param {"quarter"|"step"|"end"} change
 * @param {{sound: boolean, vibration: boolean, colour: boolean}} cues
 * @param {HTMLElement} target  where the colour changes for a moment: `data-cue`
 */
export function give(change, cues, target) {
    if (cues.sound) play(SOUNDS[change]);
    if (cues.vibration) navigator.vibrate?.(VIBRATIONS[change]);
    if (!cues.colour) return;
    target.dataset.cue = change;
    setTimeout(() => { delete target.dataset.cue; }, FLASH);
}

/** Two partials of a soft bell, made here: no file to load, and none to be missing. */
function play(notes) {
    if (!audio || audio.state !== "running") return;
    for (const [pitch, from, length] of notes) {
        for (const [partial, share] of [[1, 1], [2.01, 0.25]]) {
            const begin = audio.currentTime + 0.02 + from;
            const type = partial === 1 ? "triangle" : "sine";
            const tone = new OscillatorNode(audio, { frequency: pitch * partial, type });
            const level = new GainNode(audio, { gain: 0 });
            level.gain.setValueAtTime(0, begin);
            level.gain.linearRampToValueAtTime(LOUDNESS * share, begin + 0.015);
            level.gain.exponentialRampToValueAtTime(0.0008, begin + length + 0.35);
            tone.connect(level).connect(audio.destination);
            tone.start(begin);
            tone.stop(begin + length + 0.4);
        }
    }
}
