import { engine } from "../../engine/engine.js";

const OVER = 2000; // milliseconds: over which the share of a core is

const NOTHING = () => ({ engine: 0, busy: 0, frames: 0, dropped: 0 });

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
    #isDrawing = false;
    /** Until when how much was busy, oldest first. @type {Array<{at: number, busy: number}>} */
    #marks = [];
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
    /**
     * What it has cost until now, in milliseconds and frames; counted from the start. `busy`: of the thread that all of
     * the page runs on, for each sample, and of each frame until the browser has drawn it.
     */
    cost = NOTHING();

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

    /** What the engine says of a sensor now: Browser/LiveExports.swift. @param {number} kind */
    sensor(kind) { return this.engine.view("sensor", kind, this.now()); }

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
            this.cost = NOTHING();
            this.#marks = [{ at: performance.now(), busy: 0 }];
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

    /**
     * The share of one processor core that this page's measuring took in the last seconds, by the page's own clock; 0
     * before the start. A clock of whole milliseconds will do: as many are counted too long as too short.
     */
    get share() {
        const now = { at: performance.now(), busy: this.cost.busy };
        if (!this.isRunning || this.#marks.length === 0) return this.#share;
        // The last mark that is old enough, or the first.
        while (this.#marks.length > 1 && now.at - this.#marks[1].at >= OVER) this.#marks.shift();
        if (now.at - this.#marks.at(-1).at >= OVER / 8) this.#marks.push(now);
        const [from] = this.#marks;
        if (now.at - from.at >= OVER / 8) this.#share = (now.busy - from.busy) / (now.at - from.at);
        return this.#share;
    }

    #share = 0;

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
        const lasted = performance.now() - before;
        this.#spent += lasted;
        if (!this.#isDrawing) this.cost.busy += lasted; // what a frame takes is counted below, all of it
        return result;
    }

    #loop(signal) {
        let last = null;
        let usual = 1000 / 60;
        let wordsAt = 0;
        // A message that is sent while a frame is made comes when the browser has styled, laid out and painted it.
        const { port1, port2 } = new MessageChannel();
        let began = 0;
        port1.onmessage = () => {
            this.cost.busy += performance.now() - began;
            this.#isDrawing = false;
        };
        signal.addEventListener("abort", () => {
            port1.close();
            this.#isDrawing = false;
        });
        const frame = (at) => {
            if (signal.aborted) return;
            if (!this.#isDrawing) {
                began = performance.now();
                this.#isDrawing = true;
                port2.postMessage(null);
            }
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
