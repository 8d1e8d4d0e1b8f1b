import { t } from "../../language/text.js";
import { BluetoothLink } from "./bluetooth-link.js";
import { LINK } from "../engine-constants.js";
import { MidiStrokes } from "./midi-strokes.js";
import { within } from "./within.js";

/** MIDI over Bluetooth Low Energy, specification 1.0 of the MIDI Association (RP-052). */
const SERVICE = "03b80e5a-ede8-4b33-a751-6ce34ec4c700";
const MESSAGES = "7772e5db-3868-4112-a1a9-f2669d106bf3";
const READING = 1500; // milliseconds: some devices answer the first read late, or never

/** Electronic drums over Bluetooth. They have no lights: the page shows which one. */
export class BluetoothMidi extends BluetoothLink {
    #messages = null;

    kind = LINK.bluetoothMIDI;
    name = t`MIDI kit`;
    service = SERVICE;
    filters = [{ services: [SERVICE] }];
    /**
     * What its messages are read by, once it is on.
     * @type {MidiStrokes?}
     */
    strokes = null;

    async opened(service) {
        const [strokes, messages] = await Promise.all([
            MidiStrokes.of(this, this.name), service.getCharacteristic(MESSAGES),
        ]);
        // A central reads it once before it listens, as RP-052 wants: a device that is to be paired asks for it then.
        const reading = messages.readValue().catch(() => {});
        await within(READING, reading, "").catch(() => {});
        messages.addEventListener("characteristicvaluechanged", this.#received);
        this.#messages = messages;
        this.strokes = strokes;
        const listen = () => this.inTurn(() => messages.startNotifications());
        try {
            await listen();
        } catch {
            // Most browsers refuse it while the read goes on, as it does until somebody has agreed to the pairing.
            await reading;
            await listen();
        }
    }

    closed() {
        this.#messages?.removeEventListener("characteristicvaluechanged", this.#received);
        this.#messages = null;
        this.strokes = null;
    }

    #received = ({ target: { value } }) => {
        if (!this.isOn || !value) return;
        this.strokes.packet(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), performance.now());
    };
}
