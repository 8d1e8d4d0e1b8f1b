const LONGEST = 80; // milliseconds of output latency that are made up for: behind a slower one sounds follow the hand
const SLEW = 0.02; // milliseconds that the two clocks are brought together by at each look
const JUMP = 40; // milliseconds: so far apart they are not drifting, the sound card has stopped for a while

/**
 * The audio clock by the page's: at which `currentTime` a sound has to begin that is to be heard at a time of
 * `performance.now()`. Both run evenly, but the browser tells of them in steps: the relation is measured once and then
 * only followed, in steps that nobody hears, so that beats stay as even as the audio clock is.
 */
export class AudioClock {
    #audio;
    #ahead; // how far the audio clock is ahead of the page's, milliseconds

    /** @param {AudioContext} audio */
    constructor(audio) {
        this.#audio = audio;
        this.#ahead = this.#measured();
    }

    /** Looks how far apart the clocks are now. Called each time that something is planned. */
    follow() {
        const off = this.#measured() - this.#ahead;
        if (Math.abs(off) > JUMP) this.#ahead += off;
        else this.#ahead += Math.max(-SLEW, Math.min(SLEW, off));
    }

    /** Measures anew, while nothing sounds that could be heard to jump. */
    begin() {
        const seen = Array.from({ length: 5 }, () => this.#measured()).sort((a, b) => a - b);
        this.#ahead = seen[2];
    }

    /** Seconds of the audio clock. @param {number} at  milliseconds by `performance.now()` */
    timeOf(at) {
        return (at + this.#ahead) / 1000;
    }

    #measured() {
        const audio = this.#audio;
        const seen = audio.getOutputTimestamp?.();
        const now = performance.now();
        const inside = audio.currentTime * 1000 - now;
        if (!seen || !seen.performanceTime) return inside;
        const heard = seen.contextTime * 1000 - seen.performanceTime;
        return Math.max(inside - LONGEST, Math.min(inside, heard));
    }
}
