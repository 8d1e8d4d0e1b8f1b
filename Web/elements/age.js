import { now } from "../app/clock.js";
import { ageText, fullTime } from "../text/dates.js";
import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

const TICK = 5000; // milliseconds
const shown = new Set();
let ticking = null;

/**
 * How old a value is, kept true while one looks at it: `<tandem-age>` with the property `at`, UTC milliseconds.
 * Every value stands beside one.
 */
export class AgeLabel extends HTMLElement {
    #at = null;
    #words = make("span");
    #lead = "";
    /** @type {(ago: string) => string} */
    #sentence = (ago) => ago;

    /** When the value was measured, UTC milliseconds; null when there was none yet. */
    get at() { return this.#at; }
    set at(at) {
        this.#at = at ?? null;
        this.title = this.#at === null ? "" : fullTime(at);
        this.tick();
    }

    /** The sentence that the age stands in: t`heard ${ago}`. @param {(ago: string) => string} words */
    set words(words) {
        this.#sentence = words;
        this.tick();
    }

    /** Words before the age, such as "DLI, ". */
    set lead(words) {
        this.#lead = words;
        this.tick();
    }

    connectedCallback() {
        if (!this.#words.isConnected) {
            if (!this.hasAttribute("plain")) {
                this.classList.add("age");
                this.append(icon("clock"));
            }
            this.append(this.#words);
        }
        shown.add(this);
        ticking ??= setInterval(() => shown.forEach((label) => label.tick()), TICK);
        this.tick();
    }

    disconnectedCallback() {
        shown.delete(this);
        if (shown.size === 0) {
            clearInterval(ticking);
            ticking = null;
        }
    }

    /** Says the age as it is now. */
    tick() {
        const ago = this.#at === null ? t`never` : ageText(now() - this.#at, this.#at);
        const words = this.#lead + this.#sentence(ago);
        if (this.#words.textContent !== words) this.#words.textContent = words;
    }
}

customElements.define("tandem-age", AgeLabel);

/**
 * @param {number|null} at  UTC milliseconds
 * @param {{plain?: boolean, lead?: string, words?: (ago: string) => string}} [options]  `plain`: without the clock;
 *   `words`: the sentence that it stands in
 * @returns {AgeLabel}
 */
export function age(at, options = {}) {
    const node = make("tandem-age", { plain: options.plain });
    if (options.lead) node.lead = options.lead;
    if (options.words) node.words = options.words;
    node.at = at;
    return node;
}
