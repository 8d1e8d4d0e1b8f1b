/**
 * What is in sight of one kind on the track of a lane. What has gone out of sight is used again: while a song is played no
 * node comes into the page or leaves it, which would have a browser look through the whole page between two frames.
 */
export class LaneMarks {
    #track;
    #build;
    /** @type {Map<number, HTMLElement>} */
    #placed = new Map();
    /** @type {HTMLElement[]} */
    #spare = [];

    /**
     * @param {HTMLElement} track
     * @param {() => HTMLElement} build  makes one
     */
    constructor(track, build) {
        this.#track = track;
        this.#build = build;
    }

    /**
     * Has one stand somewhere, unless it does.
     * @param {number} number  of what it is a mark
     * @param {number} x  pixels
     */
    put(number, x) {
        if (this.#placed.has(number)) return;
        const node = this.#spare.pop() ?? this.#make();
        node.style.setProperty("--x", `${x}px`);
        node.removeAttribute("data-spare");
        this.#placed.set(number, node);
    }

    /**
     * Takes those away that are not between these two numbers.
     * @param {number} first
     * @param {number} last
     */
    keep(first, last) {
        for (const [number, node] of this.#placed) {
            if (number >= first && number <= last) continue;
            this.#placed.delete(number);
            node.setAttribute("data-spare", "");
            this.#spare.push(node);
        }
    }

    /** Takes all away. */
    clear() { this.keep(Infinity, -Infinity); }

    #make() {
        const node = this.#build();
        this.#track.append(node);
        return node;
    }
}
