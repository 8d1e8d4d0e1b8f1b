import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { padShape } from "../pads.js";

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
    #nodes = new Map(); // what is in sight, by its name
    #beatAt;
    #beats;
    #width = 0;
    #perSecond = 100;
    #isStill = matchMedia("(prefers-reduced-motion: reduce)"); // not shown: a media query
    #asked = null;
    #edge = null;

    node = make("div", { class: "lane", role: "img", "aria-label": t`What is coming` }, this.#track, this.#gate);

    /**
     * @param {{beatAt: (beat: number) => number, beats: number, countIn: number}} song  `beatAt`: microseconds of the
     *   song's time
     */
    constructor({ beatAt, beats, countIn }) {
        this.#beatAt = beatAt;
        this.#beats = { from: -countIn, to: beats };
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
            this.#track.style.setProperty("--at", `${(-edge / 1e6) * this.#perSecond}px`);
        }
        const wanted = new Set();
        for (let beat = this.#beatFrom(behind); beat <= this.#beats.to && this.#beatAt(beat) < ahead; beat += 1) {
            wanted.add(`b${beat}`);
            this.#put(`b${beat}`, this.#beatAt(beat), () => make("i", { class: beat < 0 ? "beat count" : "beat" }));
            const half = (this.#beatAt(beat) + this.#beatAt(beat + 1)) / 2;
            if (beat === this.#beats.to) continue;
            wanted.add(`h${beat}`);
            this.#put(`h${beat}`, half, () => make("i", { class: "half" }));
        }
        for (const { step, drum, at } of coming) {
            if (at > ahead) break;
            wanted.add(`c${step}`);
            this.#put(`c${step}`, at, () => padShape(drum, "cue"));
        }
        for (const [name, node] of this.#nodes) {
            if (wanted.has(name)) continue;
            node.remove();
            this.#nodes.delete(name);
        }
        const drum = asked?.drum ?? null;
        if (drum === this.#asked) return;
        this.#asked = drum;
        this.#gate.replaceChildren(...(drum === null ? [] : [padShape(drum, "cue")]));
    }

    #put(name, at, build) {
        if (this.#nodes.has(name)) return;
        const node = build();
        node.style.setProperty("--x", `${(at / 1e6) * this.#perSecond}px`);
        this.#nodes.set(name, node);
        this.#track.append(node);
    }

    #measure() {
        this.#width = this.node.clientWidth;
        const beat = (this.#beatAt(1) - this.#beatAt(0)) / 1e6;
        this.#perSecond = this.#width / Math.max(SECONDS, FEWEST * beat);
        this.#edge = null;
        for (const node of this.#nodes.values()) node.remove();
        this.#nodes.clear();
    }

    /** The last half of a beat that is over. */
    #stepBefore(position) {
        const beat = this.#beatFrom(position);
        const [at, next] = [this.#beatAt(beat - 1), this.#beatAt(beat)];
        return position >= (at + next) / 2 ? (at + next) / 2 : at;
    }

    /** The first beat at or behind a position. */
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
