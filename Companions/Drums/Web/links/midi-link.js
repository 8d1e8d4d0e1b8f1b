import { t } from "../../language/text.js";
import { Link } from "./link.js";
import { LINK } from "../engine-constants.js";
import { MidiStrokes } from "./midi-strokes.js";

/** Electronic drums on a cable, by Web MIDI. They have no lights: the page shows which one. */
export class MidiLink extends Link {
    #access = null;
    #port = null;
    #wanted;
    #turn = 0;

    kind = LINK.midi;
    name = t`MIDI kit`;
    /**
     * What its messages are read by, once it is on.
     * @type {MidiStrokes?}
     */
    strokes = null;

    /** @param {string?} [wanted]  the name of the device that is taken when it is there */
    constructor(wanted = null) {
        super();
        this.#wanted = wanted;
        if (wanted) this.name = wanted;
    }

    /** What is plugged in: `{id, name}` each. */
    get ports() {
        return [...this.#access?.inputs.values() ?? []].filter(({ state }) => state === "connected")
            .map(({ id, name }) => ({ id, name: name || t`MIDI device` }));
    }

    async connect() {
        if (this.isOn) return true;
        const turn = this.#turn += 1;
        this.become("searching", this.#access ? null : t`Your browser may ask you first.`);
        try {
            this.#access ??= await navigator.requestMIDIAccess({ sysex: false });
        } catch (error) {
            console.info("MIDI:", error);
            if (turn === this.#turn) this.become("problem", wordsOfMIDI(error));
            return false;
        }
        if (turn !== this.#turn) return false;
        this.#access.addEventListener("statechange", this.#plugged);
        await this.#look();
        return this.isOn;
    }

    disconnect() {
        this.#turn += 1;
        this.#access?.removeEventListener("statechange", this.#plugged);
        this.#leave();
        this.become("off");
    }

    /**
     * Takes one of {@link ports}.
     * @param {string} id
     */
    async choose(id) {
        const port = this.#access?.inputs.get(id);
        if (!port) return this.#look();
        const turn = this.#turn += 1;
        this.#leave();
        this.#wanted = port.name || t`MIDI device`;
        this.name = this.#wanted;
        this.become("connecting");
        try {
            const strokes = await MidiStrokes.of(this, this.name);
            await port.open();
            if (turn !== this.#turn) return;
            this.strokes = strokes;
            this.#port = port;
            port.addEventListener("midimessage", this.#received);
            this.become("on");
        } catch (error) {
            console.info("MIDI:", error);
            if (turn === this.#turn) {
                this.become("problem", t`${this.name} is used by another program. Close that one, then try again.`);
            }
        }
    }

    /** Takes the device that is wanted, or the only one there is. */
    async #look() {
        const { ports } = this;
        const one = ports.find(({ name }) => name === this.#wanted) ?? (this.#wanted ? null : ports.length === 1 && ports[0]);
        if (one) await this.choose(one.id);
        else this.#sayWhatThereIs();
    }

    #sayWhatThereIs() {
        const { ports } = this;
        if (ports.length > 0) this.become("searching", t`Which of these are the drums?`);
        else this.become("searching", t`Nothing is plugged in. Plug the drums in and switch them on: they appear here.`);
        this.dispatchEvent(new Event("state")); // which they are is news too
    }

    /** Something was plugged in, or out. */
    #plugged = ({ port }) => {
        if (port.type !== "input") return;
        if (port.state === "disconnected") {
            if (this.#port?.id === port.id) {
                this.#leave();
                this.become("lost", t`${this.name} was unplugged. Plug it in again: the song goes on.`);
            } else if (this.state === "searching") this.#sayWhatThereIs();
        } else if (!this.isOn && this.state !== "connecting") {
            if (this.state === "searching" && !this.#wanted) this.#sayWhatThereIs();
            else if ((port.name || t`MIDI device`) === this.#wanted) this.choose(port.id);
        }
    };

    #leave() {
        this.#port?.removeEventListener("midimessage", this.#received);
        this.#port = null;
        this.strokes = null;
    }

    #received = ({ data, timeStamp }) => {
        if (this.isOn && data) this.strokes.message(data, timeStamp || performance.now());
    };
}

function wordsOfMIDI({ name }) {
    if (name === "NotAllowedError" || name === "SecurityError") {
        return t`This browser was told to give this page no MIDI. Its site settings have the switch: MIDI devices, Allow.`;
    }
    if (name === "NotSupportedError") return t`This browser has no MIDI on this device.`;
    return t`The device’s MIDI does not answer. Unplug the drums, plug them in again, then try again.`;
}
