import { LINK } from "../engine-constants.js";
import { hubDeviceOf } from "./hub-device.js";

/**
 * The link to what was used last on this device, where it can be joined without anybody's press: a kit of the house's
 * network or at the hub's radio; drums that the browser was allowed to remember; MIDI that is allowed already. Else null.
 * @param {{kind: number, id: string?, name: string}} last
 * @returns {Promise<import("./link.js").Link?>}
 */
export async function linkOfBefore({ kind, id, name }) {
    if (kind === LINK.wifi && id) return new (await import("./wifi-kit.js")).WiFiKit({ id, name });
    if (kind === LINK.bluetoothMIDI && hubDeviceOf(id)) {
        return new (await import("./hub-midi.js")).HubMidi({ id: hubDeviceOf(id), name });
    }
    if (kind === LINK.midi) {
        const permission = await navigator.permissions?.query({ name: "midi" }).catch(() => null);
        if (permission?.state !== "granted" || !navigator.requestMIDIAccess) return null;
        return new (await import("./midi-link.js")).MidiLink(name);
    }
    if (kind === LINK.bluetooth || kind === LINK.bluetoothMIDI) {
        const known = await navigator.bluetooth?.getDevices?.().catch(() => []) ?? [];
        const device = known.find((one) => one.id === id);
        if (!device) return null;
        const link = kind === LINK.bluetooth ? new (await import("./bluetooth-kit.js")).BluetoothKit()
            : new (await import("./bluetooth-midi.js")).BluetoothMidi();
        link.take(device);
        return link;
    }
    return null;
}
