import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { LINK } from "../engine-constants.js";
import { links } from "../links/links.js";

const NAMES = {
    [LINK.bluetooth]: t`Kit by Bluetooth`, [LINK.wifi]: t`Kit through the hub`, [LINK.midi]: t`MIDI kit`,
    [LINK.bluetoothMIDI]: t`MIDI kit by Bluetooth`,
};
/** While they are not there; nothing is lost meanwhile. */
const STATES = {
    searching: (name) => t`Looking for: ${name}. What was played is kept.`,
    connecting: (name) => t`Connecting: ${name}. What was played is kept.`,
    lost: (name) => t`No answer: ${name}. What was played is kept.`,
    problem: (name) => t`Not there: ${name}. What was played is kept.`,
    off: (name) => t`Not connected: ${name}. What was played is kept.`,
};

/**
 * How the drums are joined, in a line.
 * @param {object} active  see active-session.js
 * @returns {{words: string, icon: string}}
 */
export function linkText({ session, latency }) {
    const link = links.current;
    if (!link) {
        const isKeys = session.link === LINK.keyboard;
        return {
            icon: isKeys ? "laptop" : "phone",
            words: isKeys ? t`Keys F G H J, or the pads. Every beat is kept.` : t`Pads on this screen. Every beat is kept.`,
        };
    }
    const name = NAMES[link.kind] ?? link.name;
    if (!link.isOn) return { icon: "offline", words: (STATES[link.state] ?? STATES.problem)(name) };
    return {
        icon: "radio", words: latency ? t`${name}, answers in ${number(latency.median)} ms. Every beat is kept.`
            : t`${name}. Every beat is kept.`,
    };
}
