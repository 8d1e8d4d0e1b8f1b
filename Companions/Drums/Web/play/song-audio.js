import { AudioClock } from "./audio-clock.js";
import { Recording } from "./recording.js";
import { playClick, playNote, sounding } from "./sound.js";

const AHEAD = 300; // milliseconds that are planned: more than a busy page is late; the horizon holds it where it may stop
const LATE = 60; // milliseconds: what should have sounded longer ago is left out
const FADE = 0.18; // seconds in which what rings goes out when the music stops

/**
 * The music of a song as it is played. Notes and clicks are planned a little ahead of the audio clock, and never beyond
 * the engine's horizon: where the song would stop if no answer comes. What was planned and is no longer to be, since it
 * was paused, fades.
 *
 * Positions are the song's own, microseconds; times are `performance.now()`, milliseconds.
 */
export class SongAudio {
    #notes; // {at, length, pitch, velocity, voice}, by their start
    #clicks; // {at, isFirst}
    #recording;
    #nextNote = 0;
    #nextClick = 0;
    #clock = null;
    #out = null;
    #isRunning = false;
    #anchor = NaN;

    /** Which of them are heard: `{song, metronome}`. */
    sounds;

    /**
     * @param {{notes: object[], clicks: object[], audio: {path: string, offsetMilliseconds: number, milliseconds: number, rate: number}?}} song
     * @param {{song: boolean, metronome: boolean}} sounds
     */
    constructor({ notes, clicks, audio }, sounds) {
        this.#notes = notes;
        this.#clicks = clicks;
        this.#recording = audio ? new Recording(audio) : null;
        this.sounds = sounds;
    }

    get #hasMusic() { return this.#notes.length > 0 || this.#recording?.isThere; }

    /** Loads the family's own file, where the song has one. Why it cannot be heard, in words, or null. */
    async load(signal) {
        return this.#recording?.load(signal) ?? null;
    }

    /**
     * Plans what is due soon.
     * @param {{isRunning: boolean, isWaiting: boolean, anchor: number, floor: number, horizon: number}} song
     *   `anchor`: when position 0 is, milliseconds; `floor` and `horizon`: between them it may sound; `isWaiting`: for
     *   an answer, so that what rings may ring on
     */
    plan({ isRunning, isWaiting, anchor, floor, horizon }) {
        const audio = sounding();
        if (!audio) return;
        if (this.#clock?.audio !== audio) this.#clock = new AudioClock(audio);
        this.#clock.follow();
        if (!isRunning) return this.#stop(isWaiting);
        if (!this.#isRunning || anchor !== this.#anchor) this.#goOn(audio, anchor, floor);
        const now = performance.now();
        const position = (now - anchor) * 1000;
        const until = Math.min(position + AHEAD * 1000, horizon);
        const timeOf = (at) => Math.max(this.#clock.timeOf(anchor + at / 1000), audio.currentTime + 0.002);
        const isHeard = (at) => at >= position - LATE * 1000;
        for (; this.#nextNote < this.#notes.length && this.#notes[this.#nextNote].at < until; this.#nextNote += 1) {
            const note = this.#notes[this.#nextNote];
            if (this.sounds.song && !this.#recording?.isThere && isHeard(note.at)) {
                playNote(audio, note, timeOf(note.at), note.length / 1e6, this.#out);
            }
        }
        for (; this.#nextClick < this.#clicks.length && this.#clicks[this.#nextClick].at < until; this.#nextClick += 1) {
            const { at, isFirst } = this.#clicks[this.#nextClick];
            const isWanted = this.sounds.metronome || ((at < 0 || !this.#hasMusic) && this.sounds.song);
            if (isWanted && isHeard(at)) playClick(audio, timeOf(at), isFirst, this.#out);
        }
        if (this.sounds.song) this.#recording?.plan(audio, Math.max(position, floor), horizon, timeOf, this.#out);
        else this.#recording?.stop(audio);
    }

    /** Lets what sounds fade, and forgets what was planned. */
    hush() {
        this.#stop(false);
    }

    #stop(mayRing) {
        if (!this.#isRunning) return;
        this.#isRunning = false;
        const out = this.#out;
        this.#recording?.stop(out.context);
        if (mayRing) return;
        const { context, gain } = out;
        gain.setValueAtTime(1, context.currentTime);
        gain.linearRampToValueAtTime(0, context.currentTime + FADE);
        setTimeout(() => out.disconnect(), FADE * 2000);
    }

    /** The music begins, or goes on at another time: what is planned already and has not begun is planned anew. */
    #goOn(audio, anchor, floor) {
        this.hush();
        this.#isRunning = true;
        this.#anchor = anchor;
        this.#clock.begin();
        this.#out = new GainNode(audio);
        this.#out.connect(audio.destination);
        // What was played up to where it stopped stays played, though the song takes a breath before it goes on.
        this.#nextNote = firstFrom(this.#notes, floor);
        this.#nextClick = firstFrom(this.#clicks, floor);
    }
}

function firstFrom(all, at) {
    let [low, high] = [0, all.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (all[middle].at < at) low = middle + 1;
        else high = middle;
    }
    return low;
}
