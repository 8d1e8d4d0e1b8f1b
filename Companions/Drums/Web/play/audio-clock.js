const LONGEST = 80; // milliseconds of output latency that are made up for: behind a slower one sounds follow the hand
const SLEW = 0.0003; // milliseconds in a millisecond that the two clocks are brought together by: six times what they drift
const JUMP = 40; // milliseconds: so far apart they are not drifting, the sound card has stopped for a while
const LOOKS = 99; // of which the middle one is believed
const FEW = 9; // looks at once, where there were none before

/**
 * The audio clock by the page's: at which `currentTime` a sound has to begin that is to be heard at a time of
 * `performance.now()`. Both run evenly, but the browser tells of them in steps: the relation is measured once and then
 * only followed, in steps that nobody hears, so that beats stay as even as the audio clock is.
 */
export class AudioClock {
    #seen = []; // how far the audio clock was ahead of the page's at the last looks, milliseconds
    #ahead;
    #looked = performance.now();

    /**
     * Whose clock it is.
     * @type {AudioContext}
     */
    audio;

    /** @param {AudioContext} audio */
    constructor(audio) {
        this.audio = audio;
        for (let i = 0; i < FEW; i += 1) this.#look();
        this.begin();
    }

    /** Looks how far apart the clocks are now. Called each time that something is planned, or may be soon. */
    follow() {
        this.#look();
        const now = performance.now();
        const most = SLEW * (now - this.#looked);
        this.#looked = now;
        const off = this.#middle() - this.#ahead;
        this.#ahead += Math.abs(off) > JUMP ? off : Math.max(-most, Math.min(most, off));
    }

    /** Believes what was seen, while nothing sounds that could be heard to jump. */
    begin() {
        this.#ahead = this.#middle();
    }

    #look() {
        this.#seen.push(this.#measured());
        if (this.#seen.length > LOOKS) this.#seen.shift();
    }

    #middle() {
        return new Float64Array(this.#seen).sort()[this.#seen.length >> 1]; // a typed array is sorted by numbers, and quickly
    }

    /**
     * Seconds of the audio clock.
     * @param {number} at  milliseconds by `performance.now()`
     */
    timeOf(at) {
        return (at + this.#ahead) / 1000;
    }

    #measured() {
        const { audio } = this;
        const seen = audio.getOutputTimestamp?.();
        const now = performance.now();
        const inside = audio.currentTime * 1000 - now;
        if (!seen || !seen.performanceTime) return inside;
        const heard = seen.contextTime * 1000 - seen.performanceTime;
        return Math.max(inside - LONGEST, Math.min(inside, heard));
    }
}
