import { t } from "../../language/text.js";
import { LINK } from "../engine-constants.js";
import { rememberedOf } from "./hub-device.js";
import { MidiStrokes } from "./midi-strokes.js";
import { WiFiKit } from "./wifi-kit.js";

/** Electronic drums that the hub's own Bluetooth radio holds: for pages on phones that have no Bluetooth for pages. */
export class HubMidi extends WiFiKit {
    kind = LINK.bluetoothMIDI;
    hasOwnClock = false;
    isByHub = true;
    /**
     * What its messages are read by, once it is on.
     * @type {MidiStrokes?}
     */
    strokes = null;

    get id() { return rememberedOf(this.device); }

    async connect() {
        try {
            this.strokes ??= await MidiStrokes.of(this, this.name);
        } catch (error) {
            console.info("MIDI:", error);
            this.become("problem", t`The hub cannot be reached right now. It goes on when the hub is back.`);
            return false;
        }
        return super.connect();
    }

    heard(bytes, at) { this.strokes?.packet(bytes, at); }
}
