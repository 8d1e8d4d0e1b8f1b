import { engine } from "../../engine/engine.js";

/**
 * Something that is measured on a page: from start to stop, and never longer than the page is there. Its engine has the
 * numbers; here it is fed, and asked once a frame for what is drawn.
 *
 * Events: `change` when it was started or stopped, or could not be (`trouble` says why).
 */
export class Measuring extends EventTarget {
    #running = null;
    #open;
    #draw;
    #slow;
    #spent = 0;
    #ready = Promise.resolve();

    /**
     * The engine: one of this page's own.
     * @type {Awaited<ReturnType<typeof engine>>}
     */
    engine;
    /**
     * Why it could not be started, or went on no longer.
     * @type {import("./motion-sensors.js").SensorTrouble?}
     */
    trouble = null;
    /**
     * Gets each sample as well, for a recording.
     * @type {((...values: number[]) => void)?}
     */
    tap = null;
    /** How many a second are wanted; 0 for all. */
    hertz = 0;
    /** Since when it runs, UTC milliseconds by this device's clock; 0 before. */
    startedAt = 0;
    /** What it has cost until now, in milliseconds and frames; counted from the start. */
    cost = { engine: 0, frames: 0, dropped: 0 };

    /**
     * @param {AbortSignal} signal  of the screen
     * @param {{open: (take: (...values: number[]) => void, signal: AbortSignal,
     *   fail: (trouble: Error) => void) => Promise<void>, draw: (now: number) => void, slow?: () => void}} how
     *   `open`: opens what gives samples, and throws where it cannot; `draw`: of each frame, with UTC milliseconds; `slow`:
     *   some times a second, for words
     */
    constructor(signal, { open, draw, slow }) {
        super();
        this.#open = open;
        this.#draw = draw;
        this.#slow = slow ?? (() => {});
        signal.addEventListener("abort", () => this.stop());
    }

    get isRunning() { return this.#running !== null; }

    async load() { this.engine = await engine("lab"); }

    /** How far the clock of the samples is ahead of this device's, milliseconds, where they are another's. */
    shift = 0;

    /** Now, UTC milliseconds by the clock that the samples have. */
    now() { return performance.timeOrigin + performance.now() + this.shift; }

    /** Settles when the engine is there, and has begun anew. */
    get ready() { return this.#ready; }

    /** To be called by a press: iOS asks for the sensors only then. */
    async start() {
        if (this.isRunning) return;
        const running = this.#running = new AbortController();
        this.trouble = null;
        let began = () => {};
        this.#ready = new Promise((done) => { began = () => done(undefined); });
        try {
            const opened = this.#open((...values) => this.take(...values), running.signal, (trouble) => this.#fail(trouble));
            opened.catch(() => {}); // what it says is heard below, once the engine is there
            // Asked before anything is waited for, or it would not come from the press.
            if (!this.engine) await this.load();
            this.engine.call.begin(this.hertz);
            began();
            this.startedAt = this.now();
            this.cost = { engine: 0, frames: 0, dropped: 0 };
            await opened;
        } catch (error) {
            return this.#fail(error);
        }
        if (running.signal.aborted) return;
        this.dispatchEvent(new Event("change"));
        this.#loop(running.signal);
    }

    /** Ends what runs; nothing goes on. */
    stop() {
        if (!this.#running) return;
        this.#running.abort();
        this.#running = null;
        this.dispatchEvent(new Event("change"));
    }

    /** Gives a sample to the engine. */
    take(...values) {
        if (!this.engine) return;
        this.#timed(() => {
            this.engine.call.sample(...values);
            this.tap?.(...values);
        });
    }

    /**
     * So many a second are wanted from now on; 0 for all.
     * @param {number} hertz
     */
    want(hertz) {
        this.hertz = hertz;
        this.engine?.call.want(hertz);
    }

    #fail(error) {
        if (!error.reason) console.info(error);
        this.trouble = error.reason ? error : Object.assign(error, { reason: "failed" });
        const wasRunning = this.#running;
        this.#running = null;
        wasRunning?.abort();
        this.dispatchEvent(new Event("change"));
    }

    #timed(work) {
        const before = performance.now();
        const result = work();
        this.#spent += performance.now() - before;
        return result;
    }

    #loop(signal) {
        let last = null;
        let usual = 1000 / 60;
        let wordsAt = 0;
        const frame = (at) => {
            if (signal.aborted) return;
            if (last !== null) {
                const lasted = at - last;
                this.cost.frames += 1;
                // A screen may have any rate: what is usual here is learned from the shortest.
                usual = Math.min(usual, Math.max(lasted, 4));
                this.cost.dropped += Math.max(0, Math.round(lasted / usual) - 1);
            }
            last = at;
            this.#timed(() => this.#draw(this.now()));
            if (at - wordsAt > 120) {
                wordsAt = at;
                this.#timed(this.#slow);
            }
            this.cost.engine += this.#spent;
            this.#spent = 0;
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
        // What happened while nobody looked is no dropped frame.
        document.addEventListener("visibilitychange", () => { last = null; }, { signal });
    }
}
