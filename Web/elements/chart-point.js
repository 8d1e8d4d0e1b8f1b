import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * Lets a chart be asked for one of its points: by a tap beside it, or with the arrow keys; what it says stands below the
 * chart and is said to who listens. `range` and `said` belong into the chart's frame.
 */
export class ChartPoint {
    #places = [];
    #words = (index) => "";
    #shown;

    /** Goes from point to point by arrow keys, for who sees and for who hears. */
    range = make("input", { type: "range", class: "unseen chart-range", min: 0, step: 1, "aria-label": t`Point of the chart` });
    /** What the chosen point says. */
    said = make("output", { class: "chart-point small", hidden: true });

    /** @param {(index: number) => any} shown  that a point is the chosen one */
    constructor(shown) {
        this.#shown = shown;
        this.range.addEventListener("input", () => this.choose(Number(this.range.value)));
    }

    /**
     * Takes other points, of which none is chosen yet; the last is where the arrow keys begin.
     * @param {number[]} places  where each stands, along the chart, in any unit
     * @param {(index: number) => string} words
     * @param {{isKept?: boolean}} [options]  `isKept`: it is the same chart with newer points, and the chosen one stays
     */
    take(places, words, options = {}) {
        const { isKept = false } = options;
        this.#places = places;
        this.#words = words;
        const last = Math.max(0, places.length - 1);
        this.range.max = String(last);
        this.range.hidden = places.length === 0;
        if (!isKept) {
            this.range.value = String(last);
            this.said.hidden = true;
        }
        this.range.setAttribute("aria-valuetext", places.length > 0 ? words(Number(this.range.value)) : "");
    }

    /** @param {number} index */
    choose(index) {
        if (!(index in this.#places)) return;
        const words = this.#words(index);
        this.range.value = String(index);
        this.range.setAttribute("aria-valuetext", words);
        this.said.textContent = words;
        this.said.hidden = false;
        this.#shown(index);
    }

    /** Chooses the point that is nearest. @param {number} place */
    nearest(place) {
        let found = 0;
        this.#places.forEach((one, i) => {
            if (Math.abs(one - place) < Math.abs(this.#places[found] - place)) found = i;
        });
        this.choose(found);
    }
}

/**
 * The same for a chart that is drawn as SVG: a line marks the chosen point.
 * @param {SVGElement} plot
 * @param {number[]} places  percent from the left
 * @param {(index: number) => string} words
 * @param {{chosen?: number, choose?: (index: number) => any}} [options]  `chosen`: the one that is chosen already; `choose`: that
 *   one was chosen
 * @returns {Node[]}  what belongs behind the plot; nothing where there are no points
 */
export function chosenPoint(plot, places, words, options = {}) {
    const { chosen = -1, choose } = options;
    if (places.length === 0) return [];
    const line = make("svg:line", { class: "chosen", y1: 0, y2: "100%" });
    const point = new ChartPoint((index) => {
        line.setAttribute("x1", `${places[index]}%`);
        line.setAttribute("x2", `${places[index]}%`);
        plot.prepend(line);
        choose?.(index);
    });
    point.take(places, words);
    if (chosen >= 0) point.choose(chosen);
    plot.dataset.asked = "";
    plot.addEventListener("click", (event) => {
        const box = plot.getBoundingClientRect();
        point.nearest(((event.clientX - box.left) / box.width) * 100);
    });
    return [point.range, point.said];
}
