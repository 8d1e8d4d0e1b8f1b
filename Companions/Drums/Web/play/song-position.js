import { setup } from "./engine-says.js";

const IN_SIGHT = 16; // beats to come that a fullscreen view may draw

/** Where one is in the song that an engine plays. */
export class SongPosition {
    #engine;
    /** @type {ReturnType<SongPosition["look"]>} */
    #seen = {
        phase: "count", position: 0, coming: [], asked: null, isWaiting: false, isFlow: false, count: 0, beat: 0,
    };
    #comingAfter = { step: NaN, beat: NaN }; // of what is coming, as it was asked of the engine

    /** @param {object} engine  see engine/engine.js */
    constructor(engine) {
        this.#engine = engine;
    }

    /**
     * What stands still of a song: for a fullscreen view, and its lane. Once it has begun.
     * @returns {object}  what {@link setup} tells, and `beats` to hit, `whole` beats of the song, `beatAt(beat)`
     *   microseconds of the song's time, also of beats of the count-in, which are below 0
     */
    get song() {
        const { call } = this.#engine;
        const data = setup(this.#engine);
        const { stepsPerBeat, steps, tempo } = data;
        const whole = Math.ceil(steps / stepsPerBeat);
        const beyond = call.microsecondsPerBeat(steps - 1) / stepsPerBeat; // a step behind the end
        const at = Array.from({ length: whole + 2 }, (_, beat) => call.stepPosition(Math.min(beat * stepsPerBeat, steps))
            + Math.max(0, beat * stepsPerBeat - steps) * beyond);
        const beatAt = (beat) => (beat < 0 ? beat * tempo : at[Math.min(beat, whole + 1)]);
        return { ...data, beats: this.#engine.view("session").beatCount, whole, beatAt };
    }

    /**
     * Everything that moves. It is looked at with each frame, so one object is made and then changed; of what is in it
     * `coming` and `asked` are others when they are news.
     * @param {number} at  microseconds of the page's clock
     * @returns {{phase: "count"|"playing"|"paused"|"lost"|"over", position: number, coming: object[],
     *   asked: {step: number, drum: number, side: number}?, isWaiting: boolean, isFlow: boolean, count: number,
     *   beat: number}}  `position`: microseconds of the song's time, as is `at` of the beats that are `coming`; `count`: beats
     *   of the count-in that are left
     */
    look(at) {
        const { call } = this.#engine;
        const seen = this.#seen;
        const position = call.songAt(at);
        const session = this.#engine.view("session");
        const { cueStep: step, beatsAsked: beat, isPaused } = session;
        // After a pause the song takes a breath before the drum is lit again.
        const isLit = step >= 0 && !isPaused && (session.isCueDue || session.isCueShown);
        if (!isLit) seen.asked = null;
        else if (seen.asked?.step !== step) seen.asked = { step, drum: session.cueDrum, side: session.cueSide };
        if (step !== this.#comingAfter.step || beat !== this.#comingAfter.beat) {
            this.#comingAfter = { step, beat };
            seen.coming = this.#engine.rows("upcoming", IN_SIGHT);
        }
        seen.phase = session.end !== 0 ? "over" : isPaused ? "paused" : session.isLinkLost ? "lost"
            : position < 0 && beat === 0 ? "count" : "playing";
        seen.position = position;
        seen.isWaiting = session.isWaiting === 1;
        seen.isFlow = session.isFlow === 1;
        seen.count = Math.ceil(-position / call.microsecondsPerBeat(0));
        seen.beat = beat;
        return seen;
    }
}
