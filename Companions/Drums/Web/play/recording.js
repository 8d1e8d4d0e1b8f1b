import { t } from "../../language/text.js";
import { cachedFile } from "../../offline/file-cache.js";

const FADE = 0.04; // seconds in which it comes and goes
const RATE = 44_100; // samples a second that it is stored with
/** The longest that is played, milliseconds, some 150 MB in stereo: a longer one is more than a phone gives a page. */
export const LONGEST = 7 * 60_000;
/** What is said of a longer one. */
export const TOO_LONG = t`This recording is longer than seven minutes, more than a page can hold: the metronome plays instead.`;
const GONE = t`The hub did not send this recording: the metronome plays instead.`;
const AWAY = t`The hub does not answer, and this device has not kept this recording yet: the metronome plays instead. Play it once with the hub there, and it is kept.`;

/**
 * The family's own file as the music of a song. It sounds up to the engine's horizon and no further, and goes on from
 * where it stopped.
 */
export class Recording {
    #path;
    #offset; // where position 0 of the song is in the file, seconds
    #rate; // how fast it is played, of its own tempo
    #milliseconds; // how long the hub says it is
    #buffer = null;
    #source = null;
    #gain = null;
    #ends = 0;
    #full = 0; // when it has come in, seconds of the audio clock

    /**
     * @param {{path: string, offsetMilliseconds: number, milliseconds: number, rate: number}} audio  `rate`: slower than 1
     *   it sounds lower too, as a tape does
     */
    constructor({ path, offsetMilliseconds, milliseconds, rate }) {
        this.#path = path;
        this.#milliseconds = milliseconds;
        this.#rate = rate;
        this.#offset = offsetMilliseconds / 1000;
    }

    /** Whether it can be heard. */
    get isThere() { return this.#buffer !== null; }

    /**
     * Loads it.
     * @returns {Promise<string?>}  why it cannot be heard, in words
     */
    async load(signal) {
        if (this.#buffer) return null;
        if (this.#milliseconds > LONGEST) return TOO_LONG; // not even fetched
        try {
            const answer = await cachedFile(this.#path, { signal });
            if (!answer.ok) return GONE;
            // Not by the page's own audio, which does not run before something was pressed.
            const buffer = await new OfflineAudioContext(2, 1, RATE).decodeAudioData(await answer.arrayBuffer());
            if (buffer.duration * 1000 > LONGEST) return TOO_LONG;
            this.#buffer = buffer;
            return null;
        } catch (error) {
            if (signal?.aborted) return null;
            console.info(error);
            return error instanceof DOMException && error.name === "EncodingError"
                ? t`This browser cannot play this recording: the metronome plays instead.`
                : AWAY;
        }
    }

    /**
     * Sounds from a position on, up to the horizon.
     * @param {(at: number) => number} timeOf  seconds of the audio clock, of a position in microseconds
     */
    plan(audio, position, horizon, timeOf, out) {
        if (!this.#buffer) return;
        if (!this.#source) this.#begin(audio, position, horizon, timeOf, out);
        if (!this.#source || horizon === this.#ends) return;
        this.#ends = horizon;
        // Behind its coming in: a ramp whose end is cancelled never rises.
        const from = Math.max(audio.currentTime + FADE, this.#full + 0.001);
        const end = Math.max(timeOf(horizon), from);
        const { gain } = this.#gain;
        gain.cancelScheduledValues(from);
        gain.setValueAtTime(1, Math.max(end - FADE, from));
        gain.linearRampToValueAtTime(0, end + FADE);
        this.#source.stop(end + FADE);
    }

    /** Lets it go out now. */
    stop(audio) {
        if (!this.#source) return;
        const { gain } = this.#gain;
        gain.cancelScheduledValues(audio.currentTime);
        gain.setTargetAtTime(0, audio.currentTime, FADE / 2);
        this.#source.stop(audio.currentTime + FADE * 3);
        this.#source = null;
    }

    #begin(audio, position, horizon, timeOf, out) {
        // A little later than now, so that its exact position in the file is known.
        const from = Math.max(position + 30_000, 0, -this.#offset * 1e6 / this.#rate); // the count-in is counted, not played
        const place = this.#offset + from / 1e6 * this.#rate;
        if (from >= horizon || place >= this.#buffer.duration) return;
        const at = timeOf(from);
        const source = new AudioBufferSourceNode(audio, { buffer: this.#buffer, playbackRate: this.#rate });
        // One that has ended cannot go on: what follows begins anew.
        source.onended = () => { if (this.#source === source) this.#source = null; };
        this.#source = source;
        this.#gain = new GainNode(audio, { gain: 0 });
        this.#gain.gain.setValueAtTime(0, at);
        this.#full = at + FADE;
        this.#gain.gain.linearRampToValueAtTime(1, this.#full);
        source.connect(this.#gain).connect(out);
        source.start(at, place);
        this.#ends = 0;
    }
}
