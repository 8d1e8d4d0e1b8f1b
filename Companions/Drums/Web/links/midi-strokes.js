import { engine } from "../../engine/engine.js";
import { Flood } from "./flood.js";
import { keepMap, mapOf } from "./stored-links.js";

const STROKE = 16; // bytes, as the engine's exports say
const NO_DRUM = 255;

/**
 * What a MIDI device plays, read by the engine, and dispatched as events of its link: `note` for each stroke (detail:
 * `{drum, note, velocity, at}`, `drum` null where the pad was not taught), and `strike` where it is one of the drums.
 */
export class MidiStrokes {
    #engine;
    #link;
    #name;
    #flood = new Flood();

    constructor(read, link, name) {
        this.#engine = read;
        this.#link = link;
        this.#name = name;
        this.#begin();
    }

    /**
     * For a connection that just began.
     * @param {import("./link.js").Link} link
     * @param {string} name  of the device
     */
    static async of(link, name) {
        return new MidiStrokes(await engine("drums"), link, name);
    }

    #begin() {
        this.#engine.call.midiBegin();
        const map = mapOf(this.#name); // where there is none, the notes of General MIDI hold
        if (map) this.#engine.call.loadPadMap(this.#engine.put(Uint8Array.from(map)));
    }

    /**
     * One message of Web MIDI.
     * @param {Uint8Array} bytes
     * @param {number} at  by `performance.now()`
     */
    message(bytes, at) {
        this.#tell(this.#engine.answer(this.#engine.call.midiMessage(this.#engine.put(bytes), at)), at);
    }

    /** One packet of MIDI over Bluetooth LE. */
    packet(bytes, at) {
        this.#tell(this.#engine.answer(this.#engine.call.bleMidiPacket(this.#engine.put(bytes), at)), at);
    }

    /** Forgets which note is which drum, to be taught anew. */
    unlearn() {
        this.#engine.call.unmapPads();
    }

    /** From now on this note is that drum. */
    learn(note, drum) {
        this.#engine.call.mapPad(note, drum);
    }

    /** Keeps on this device what was taught. */
    store() {
        keepMap(this.#name, [...this.#engine.answer(this.#engine.call.padMap())]);
    }

    /** Takes back what was taught since {@link store}. */
    revert() {
        this.#engine.call.unmapPads();
        this.#begin();
    }

    #tell(strokes, arrival) {
        const view = new DataView(strokes.buffer);
        for (let from = 0; from + STROKE <= strokes.length; from += STROKE) {
            if (this.#flood.isOver(arrival)) return;
            const drum = strokes[from] === NO_DRUM ? null : strokes[from];
            const detail = { drum, note: strokes[from + 1], velocity: strokes[from + 2], at: view.getFloat64(from + 8, true) };
            this.#link.dispatchEvent(new CustomEvent("note", { detail }));
            if (drum !== null) this.#link.dispatchEvent(new CustomEvent("strike", { detail }));
        }
    }
}
