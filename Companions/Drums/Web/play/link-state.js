import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { LINK } from "../links/link.js";
import { links } from "../links/links.js";

const NAMES = {
    [LINK.bluetooth]: t`Kit by Bluetooth`, [LINK.wifi]: t`Kit on Wi-Fi`, [LINK.midi]: t`MIDI kit`,
    [LINK.bluetoothMIDI]: t`MIDI kit by Bluetooth`,
};
const STATES = {
    searching: "is being looked for", connecting: "is being connected", lost: "does not answer", problem: "is not there",
    off: "is not connected",
};

/**
 * How the drums are joined, in a line.
 * @param {object} active  see active-session.js
 * @returns {{words: string, icon: string}}
 */
export function linkText({ says, latency }) {
    const link = links.current;
    if (!link) {
        const isKeys = says.currentLink() === LINK.keyboard;
        return {
            icon: isKeys ? "laptop" : "phone",
            words: isKeys ? t`Keys F G H J, or the pads. Every beat is kept.` : t`Pads on this screen. Every beat is kept.`,
        };
    }
    const name = NAMES[link.kind] ?? link.name;
    if (!link.isOn) return { icon: "offline", words: t`${name} ${STATES[link.state] ?? "is away"}. What was played is kept.` };
    const answers = latency ? t`, answers in ${number(latency.median)} ms` : "";
    return { icon: "radio", words: t`${name}${answers}. Every beat is kept.` };
}
