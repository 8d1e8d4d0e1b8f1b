import { t } from "../../language/text.js";
import { BluetoothLink } from "./bluetooth-link.js";
import { Flood } from "./flood.js";
import { LinkProblem } from "./link.js";
import { LINK } from "../engine-constants.js";

/** Nordic's UART service. Its two characteristics are named from the drums' side; older papers of Nordic swap them. */
const SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e";
const WRITTEN = "6e400002-b5a3-f393-e0a9-e50e24dcca9e";
const NOTIFIED = "6e400003-b5a3-f393-e0a9-e50e24dcca9e";
const NAME = "BeeBop";
const LONGEST = 20; // bytes of a notification, as the engine takes them
const MOST_PIECES = 26; // 512 bytes, the longest value that a characteristic has

/**
 * The original kit: four drums with lights and a clock of their own, over Bluetooth LE's Nordic UART. A cue is one digit;
 * what they answer is read by the engine, byte for byte as it came.
 */
export class BluetoothKit extends BluetoothLink {
    #written = null;
    #notified = null;
    #flood = new Flood();

    kind = LINK.bluetooth;
    name = NAME;
    hasOwnClock = true;
    service = SERVICE;
    filters = [{ services: [SERVICE] }, { name: NAME }];

    async opened(service) {
        const all = await service.getCharacteristics();
        this.#written = chosen(all, WRITTEN, ({ write, writeWithoutResponse }) => write || writeWithoutResponse);
        this.#notified = chosen(all, NOTIFIED, ({ notify, indicate }) => notify || indicate);
        if (!this.#written || !this.#notified) {
            throw new LinkProblem(t`${this.name} is there, but it is not a kit that Tandem knows. Is it the right device?`);
        }
        this.#notified.addEventListener("characteristicvaluechanged", this.#received);
        await this.inTurn(() => this.#notified.startNotifications());
    }

    closed() {
        this.#notified?.removeEventListener("characteristicvaluechanged", this.#received);
        this.#written = null;
        this.#notified = null;
    }

    write(digit) {
        const to = this.#written;
        if (!to) throw new LinkProblem(t`${this.name} is not connected.`);
        const bytes = new TextEncoder().encode(digit);
        // Without an answer it is on its way a whole exchange earlier; the radio repeats what got lost either way.
        return this.inTurn(() => (to.properties.writeWithoutResponse
            ? to.writeValueWithoutResponse(bytes) : to.writeValueWithResponse(bytes)));
    }

    #received = ({ target }) => {
        const at = performance.now();
        if (!this.isOn || !target.value || this.#flood.isOver(at)) return;
        const { buffer, byteOffset, byteLength } = target.value;
        for (const piece of pieces(new Uint8Array(buffer, byteOffset, byteLength))) this.heard(piece, at);
    };
}

/** The characteristic of a name that can do what is wanted; else any that can, for a kit that has the two swapped. */
function chosen(all, uuid, can) {
    const able = all.filter(({ properties }) => can(properties));
    return able.find((one) => one.uuid === uuid) ?? able[0] ?? null;
}

/**
 * What came before the first NUL, as the kit ends it, in pieces as long as an old radio's.
 * @param {Uint8Array} value
 */
export function pieces(value) {
    const end = value.indexOf(0);
    const data = end < 0 ? value : value.subarray(0, end);
    const count = Math.min(MOST_PIECES, Math.ceil(data.length / LONGEST));
    return Array.from({ length: count }, (_, at) => data.slice(at * LONGEST, (at + 1) * LONGEST));
}
