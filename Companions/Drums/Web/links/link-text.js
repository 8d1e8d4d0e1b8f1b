import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { calibrated, measuredOf } from "./stored-links.js";
import { LINK } from "../engine-constants.js";

/** What each link is called, its icon, and what it is, for who has never seen one. */
export const KINDS = {
    [LINK.screen]: { name: t`This screen and the keyboard`, icon: "phone", what: t`Four pads, and the keys F G H J. Always there.` },
    [LINK.bluetooth]: { name: t`Drum kit by Bluetooth`, icon: "radio", what: t`A BeeBop kit, straight to this device.` },
    [LINK.wifi]: { name: t`Drum kit on Wi-Fi`, icon: "wifi", what: t`A kit in the network of this house, through the hub.` },
    [LINK.midi]: { name: t`Electronic drums on a cable`, icon: "music", what: t`MIDI over USB. The screen shows which pad.` },
    [LINK.bluetoothMIDI]: {
        name: t`Electronic drums by Bluetooth`, icon: "music", what: t`MIDI over Bluetooth. The screen shows which pad.`,
    },
};

const milliseconds = (tenths) => number(tenths / 10);

/** "18 ms, median of 20 taps, half of them between 15 and 24.", of tenths of a millisecond. */
export function spreadText({ median, lower, upper, count }) {
    return t`${milliseconds(median)} ms, median of ${count} taps, half of them between ${milliseconds(lower)} and ${milliseconds(upper)}.`;
}

function answersText({ median, lower, upper, count }) {
    return t`Answers in ${milliseconds(median)} ms, median of ${count} hits, half of them between ${milliseconds(lower)} and ${milliseconds(upper)}.`;
}

function takesText({ median, lower, upper, count }) {
    return t`Takes ${milliseconds(median)} ms, median of ${count} taps, half of them between ${milliseconds(lower)} and ${milliseconds(upper)}.`;
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
        return found ? { known: true, words: answersText(found) }
            : { known: false, words: t`How fast it answers is measured in the first song.` };
    }
    const own = calibrated(kind) ?? (kind === LINK.screen ? calibrated(LINK.keyboard) : null);
    return own ? { known: true, words: takesText(own) }
        : { known: false, words: t`Not measured: the delay of the device counts as reaction time.` };
}
