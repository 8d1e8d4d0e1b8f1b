import { counted, number } from "../../text/numbers.js";
import { calibrated, measuredOf } from "./stored-links.js";
import { LINK } from "./link.js";

/** What each link is called, its icon, and what it is, for who has never seen one. */
export const KINDS = {
    [LINK.screen]: { name: "This screen and the keyboard", icon: "phone", what: "Four pads, and the keys F G H J. Always there." },
    [LINK.bluetooth]: { name: "Drum kit by Bluetooth", icon: "radio", what: "A BeeBop kit, straight to this device." },
    [LINK.wifi]: { name: "Drum kit on Wi-Fi", icon: "wifi", what: "A kit in the house’s network, through the hub." },
    [LINK.midi]: { name: "Electronic drums on a cable", icon: "music", what: "MIDI over USB. The screen shows which pad." },
    [LINK.bluetoothMIDI]: {
        name: "Electronic drums by Bluetooth", icon: "music", what: "MIDI over Bluetooth. The screen shows which pad.",
    },
};

const milliseconds = (tenths) => number(tenths / 10);

/** "18 ms, median of 212 hits, half of them between 15 and 24". */
export function spreadText({ median, lower, upper, count }, what) {
    return `${milliseconds(median)} ms, median of ${counted(count, what)}, half of them between ${milliseconds(lower)} and `
        + `${milliseconds(upper)}`;
}

/**
 * What is known of the time that a link takes: as sessions measured it where its drums have a clock of their own, as
 * calibration found it where not.
 * @param {number} kind
 * @returns {{known: boolean, words: string}}
 */
export function latencyText(kind) {
    const found = measuredOf(kind) ?? null;
    if (kind === LINK.bluetooth || kind === LINK.wifi) {
        return found ? { known: true, words: `Answers in ${spreadText(found, "hit")}.` }
            : { known: false, words: "How fast it answers is measured in the first song." };
    }
    const own = calibrated(kind) ?? (kind === LINK.screen ? calibrated(LINK.keyboard) : null);
    return own ? { known: true, words: `Takes ${spreadText(own, "tap")}.` }
        : { known: false, words: "Not calibrated: what the device takes counts as reaction time." };
}
