import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { PADS, padShape } from "../pads.js";
import { LaneMarks } from "./lane-marks.js";
import { shownShape } from "./shown-shape.js";

const SECONDS = 3.6; // of the song that are in sight, at an ordinary tempo
const BEHIND = 0.9; // seconds that are left of where one is
const FEWEST = 4; // beats that are in sight, however slow they are

/**
 * The track of what is coming: drums on a ruled scale of beats that moves towards the gate, in which the drum stands
 * that is asked for now. With reduced motion it goes on by whole steps.
 */
export class Lane {
    #track = make("div", { class: "lane-track" });
    #gate = make("div", { class: "lane-gate" });
    #showAsked = shownShape(this.#gate, "cue");
    #counts = new LaneMarks(this.#track, () => make("i", { class: "beat count" }));
    #lines = new LaneMarks(this.#track, () => make("i", { class: "beat" }));
    #halves = new LaneMarks(this.#track, () => make("i", { class: "half" }));
    #cues = PADS.map((_, drum) => new LaneMarks(this.#track, () => padShape(drum, "cue")));
    #inSight = { from: NaN, to: NaN, coming: null, cues: 0 };
    #beatAt;
    #beats;
    #width = 0;
    #perSecond = 100;
    #isStill = matchMedia("(prefers-reduced-motion: reduce)"); // not shown: a media query
    #edge = null;

    node = make("div", { class: "lane", role: "img", "aria-label": t`What is coming` }, this.#track, this.#gate);

    /**
     * @param {{beatAt: (beat: number) => number, beats: number, countInBeats: number}} song  `beatAt`: microseconds of the
     *   song's time
     */
    constructor({ beatAt, beats, countInBeats }) {
        this.#beatAt = beatAt;
        this.#beats = { from: -countInBeats, to: beats };
        new ResizeObserver(() => this.#measure()).observe(this.node);
    }

    /**
     * @param {{position: number, asked: {drum: number}?, coming: {step: number, drum: number, at: number}[]}} view
     *   `position` and `at`: microseconds
     */
    show({ position, asked, coming }) {
        if (this.#width === 0) this.#measure();
        const behind = position - BEHIND * 1e6;
        const ahead = position + (this.#width / this.#perSecond) * 1e6;
        const edge = this.#isStill.matches ? this.#stepBefore(position) : position;
        if (edge !== this.#edge) {
            this.#edge = edge;
            // Not by a custom property: the track's own ones would be looked at with each frame too.
            this.#track.style.transform = `translateX(${-this.#across(edge)}px)`;
        }
        const from = this.#beatFrom(behind);
        const to = this.#lastBefore(ahead);
        let cues = 0;
        while (cues < coming.length && coming[cues].at <= ahead) cues += 1;
        const seen = this.#inSight;
        if (from !== seen.from || to !== seen.to || coming !== seen.coming || cues !== seen.cues) {
            this.#inSight = { from, to, coming, cues };
            this.#rule(from, to);
            this.#place(coming.slice(0, cues));
        }
        this.#showAsked(asked?.drum ?? null);
    }

    /** The scale, from beat to beat. */
    #rule(from, to) {
        this.#counts.keep(from, to);
        this.#lines.keep(from, to);
        this.#halves.keep(from, Math.min(to, this.#beats.to - 1));
        for (let beat = from; beat <= to; beat += 1) {
            const at = this.#beatAt(beat);
            (beat < 0 ? this.#counts : this.#lines).put(beat, this.#across(at));
            if (beat < this.#beats.to) this.#halves.put(beat, this.#across((at + this.#beatAt(beat + 1)) / 2));
        }
    }

    /** The drums to come. */
    #place(coming) {
        for (const cues of this.#cues) cues.keep(coming[0]?.step ?? Infinity, coming.at(-1)?.step ?? -Infinity);
        for (const { step, drum, at } of coming) this.#cues[drum].put(step, this.#across(at));
    }

    /** Where a time of the song, microseconds, is on the track, pixels. */
    #across(at) { return (at / 1e6) * this.#perSecond; }

    #measure() {
        this.#width = this.node.clientWidth;
        const beat = (this.#beatAt(1) - this.#beatAt(0)) / 1e6;
        this.#perSecond = this.#width / Math.max(SECONDS, FEWEST * beat);
        this.#edge = null;
        this.#inSight.from = NaN;
        for (const marks of [this.#counts, this.#lines, this.#halves, ...this.#cues]) marks.clear();
    }

    /** The last half of a beat that is over. */
    #stepBefore(position) {
        const beat = this.#beatFrom(position);
        const [at, next] = [this.#beatAt(beat - 1), this.#beatAt(beat)];
        return position >= (at + next) / 2 ? (at + next) / 2 : at;
    }

    /** The last beat before a position. */
    #lastBefore(position) {
        const beat = this.#beatFrom(position);
        return this.#beatAt(beat) < position ? beat : beat - 1;
    }

    /** The first beat at or behind a position, or the last one of all. */
    #beatFrom(position) {
        let [low, high] = [this.#beats.from, this.#beats.to];
        while (low < high) {
            const middle = Math.floor((low + high) / 2);
            if (this.#beatAt(middle) < position) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}
