/*
 * What is heard, made here: no file to load, and none to be missing.
 */
const READY = 600; // milliseconds
const FADED = 0.15; // seconds: behind the end of a tone nothing of it is heard
const LOUDNESS = { melody: 0.24, accompaniment: 0.11, percussion: 0.2, click: 0.16, hit: 0.34 };
/** Of the kit's four pads: hertz at the stroke and where it falls to, seconds. */
const PADS = [[330, 165, 0.2], [262, 131, 0.24], [196, 98, 0.3], [147, 70, 0.38]];
/** General MIDI's drums by their keys: kick, snare and its like, and cymbals for all others. */
const KICKS = new Set([35, 36]);
const SNARES = new Set([37, 38, 39, 40]);

let context = null;
let noise = null;
/** What a hit of each pad sounds like, and of one that was not asked for: made once, so that a hit waits for nothing. */
const hits = new Map();
/** The next of each of these sounds, which has only to be started: to make one and to join it costs as much as all else. */
const nextHits = new Map();

/**
 * Has the browser let sounds be heard; to be called while something is pressed, else it stays silent until the next
 * touch.
 */
export function unlockSound() {
    if (navigator.userActivation?.hasBeenActive === false) return; // a browser would only complain
    try {
        context ??= prepared(new AudioContext({ latencyHint: "interactive" }));
        if (context.state !== "running") context.resume().catch(() => {});
    } catch {
        context = null; // a browser without sounds
    }
}

/** Has the sounds of hits made, which takes a browser a few milliseconds each, and no hit is to wait for them. */
function prepared(audio) {
    const { sampleRate } = audio;
    for (const [drum, [, , seconds]] of PADS.entries()) {
        for (const isAsked of [true, false]) {
            const offline = new OfflineAudioContext({ length: Math.ceil((seconds + FADED) * sampleRate), sampleRate });
            strike(offline, drum, isAsked, offline.destination);
            offline.startRendering().then((buffer) => {
                const name = nameOfHit(drum, isAsked);
                hits.set(name, buffer);
                makeNextHit(audio, name);
            }).catch(() => {});
        }
    }
    return audio;
}

const nameOfHit = (drum, isAsked) => drum * 2 + Number(isAsked);

/** Waits until sounds may be heard, but not long: a browser that lets nothing be heard is played with in silence. */
export async function soundReady() {
    if (context?.state !== "suspended") return;
    await Promise.race([context.resume().catch(() => {}), new Promise((done) => { setTimeout(done, READY); })]);
}

/**
 * Where sounds are made, or null while nothing may be heard.
 * @returns {AudioContext?}
 */
export function sounding() {
    return context?.state === "running" ? context : null;
}

/** The pitch of a MIDI key, hertz. */
const hertz = (key) => 440 * 2 ** ((key - 69) / 12);

/** An envelope: up at once, down as a struck thing does, over at `end`. */
function envelope(audio, at, end, level, out) {
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(level, at + 0.006);
    gain.gain.exponentialRampToValueAtTime(Math.max(level * 0.3, 0.001), Math.max(at + 0.05, end - 0.05));
    gain.gain.exponentialRampToValueAtTime(0.0006, end + 0.12);
    gain.connect(out);
    return gain;
}

/**
 * @param {BaseAudioContext} audio
 * @param {{at: number, end: number, frequency: number, type: OscillatorType, level: number, out: AudioNode,
 *   falls?: {to: number, within: number}}} sound
 */
function tone(audio, { at, end, frequency, type, level, out, falls }) {
    const source = new OscillatorNode(audio, { frequency, type });
    if (falls) source.frequency.exponentialRampToValueAtTime(falls.to, at + falls.within);
    source.connect(envelope(audio, at, end, level, out));
    source.start(at);
    source.stop(end + FADED);
    return source;
}

/** Half a second of noise, made once. */
function hissOf({ sampleRate }) {
    if (noise?.sampleRate !== sampleRate) {
        noise = new AudioBuffer({ length: sampleRate / 2, sampleRate });
        const samples = noise.getChannelData(0);
        for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    }
    return noise;
}

function hiss(audio, { at, length, level, cutoff, out }) {
    const source = new AudioBufferSourceNode(audio, { buffer: hissOf(audio) });
    const filter = new BiquadFilterNode(audio, { type: "highpass", frequency: cutoff });
    source.connect(filter).connect(envelope(audio, at, at + length, level, out));
    source.start(at);
    source.stop(at + length + FADED);
}

/**
 * Has a note of a song sound.
 * @param {AudioContext} audio
 * @param {{pitch: number, velocity: number, voice: number}} note  as the engine numbers voices
 * @param {number} at  seconds of the audio clock
 * @param {number} length  seconds
 * @param {AudioNode} out
 */
export function playNote(audio, { pitch, velocity, voice }, at, length, out) {
    const strength = 0.4 + 0.6 * velocity / 127;
    if (voice === 2) return playPercussion(audio, pitch, at, strength * LOUDNESS.percussion, out);
    const level = strength * (voice === 0 ? LOUDNESS.melody : LOUDNESS.accompaniment);
    const end = at + Math.max(0.09, length * 0.92);
    const frequency = hertz(pitch);
    tone(audio, { at, end, frequency, type: "triangle", level, out });
    if (voice === 0) {
        tone(audio, {
            at, end: at + Math.min(0.5, end - at), frequency: frequency * 2, type: "sine", level: level * 0.3, out,
        });
    }
}

function playPercussion(audio, key, at, level, out) {
    if (KICKS.has(key)) {
        tone(audio, {
            at, end: at + 0.14, frequency: 120, type: "sine", level: level * 1.4, out, falls: { to: 48, within: 0.1 },
        });
    } else if (SNARES.has(key)) hiss(audio, { at, length: 0.13, level: level * 0.7, cutoff: 1400, out });
    else hiss(audio, { at, length: 0.05, level: level * 0.4, cutoff: 6500, out });
}

/**
 * A click of the metronome.
 * @param {boolean} isFirst  of a bar
 */
export function playClick(audio, at, isFirst, out) {
    tone(audio, {
        at, end: at + 0.03, frequency: isFirst ? 1661 : 1109, type: "square",
        level: LOUDNESS.click * (isFirst ? 0.55 : 0.4), out,
    });
}

/**
 * The sound of one's own hit, at once.
 * @param {number} drum
 * @param {boolean} isAsked  the drum that was asked for
 */
export function playHit(drum, isAsked) {
    const audio = sounding();
    if (!audio) return;
    const name = nameOfHit(drum, isAsked);
    const next = nextHits.get(name);
    nextHits.delete(name);
    if (next) next.start();
    else playStrike(audio, drum, isAsked, audio.destination);
}

/** The same for nobody to hear: the first sound of each kind takes a browser long. @type {typeof playHit} */
export function playUnheard(drum, isAsked) {
    const audio = sounding();
    if (audio) playStrike(audio, drum, isAsked, new GainNode(audio, { gain: 0 }));
}

function playStrike(audio, drum, isAsked, out) {
    const buffer = hits.get(nameOfHit(drum, isAsked));
    if (buffer) hitOf(audio, buffer, out).start();
    else strike(audio, drum, isAsked, out);
}

function hitOf(audio, buffer, out) {
    const source = new AudioBufferSourceNode(audio, { buffer });
    source.connect(out);
    return source;
}

/** Each makes the one after it ready, once it has been heard. */
function makeNextHit(audio, name) {
    const next = hitOf(audio, hits.get(name), audio.destination);
    next.onended = () => makeNextHit(audio, name);
    nextHits.set(name, next);
}

function strike(audio, drum, isAsked, out) {
    const at = audio.currentTime + 0.001;
    const [from, to, length] = PADS[drum];
    const level = LOUDNESS.hit * (isAsked ? 1 : 0.45);
    tone(audio, {
        at, end: at + length, frequency: from, type: "sine", level, out, falls: { to, within: length },
    });
    if (isAsked) hiss(audio, { at, length: 0.03, level: level * 0.3, cutoff: 2500, out });
}

/** A few notes at the end of a song. */
export function playEnd() {
    const audio = sounding();
    if (!audio) return;
    [72, 76, 79, 84].forEach((pitch, i) => playNote(audio, { pitch, velocity: 90, voice: 0 },
        audio.currentTime + 0.25 + i * 0.13, i === 3 ? 0.8 : 0.16, audio.destination));
}
