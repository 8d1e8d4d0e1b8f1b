import { declarations } from "../../app/companions.js";
import { t } from "../../language/text.js";
import { capabilities } from "../../pages/welcome/capabilities.js";
import { readEnvironment } from "../../pages/welcome/environment.js";

/**
 * Whether this browser lets pages use Bluetooth and MIDI, in the words of the shell's own page about it.
 * @returns {Promise<{bluetooth: Able, midi: Able}>}
 *
 * @typedef {{can: boolean, says: string?, around: string?}} Able  `says`: why not, or what to do before;
 *   `around`: what goes instead, as a sentence
 */
export async function whatWorks() {
    const here = await readEnvironment(window);
    const hasRadio = await navigator.bluetooth?.getAvailability?.().catch(() => true) ?? true;
    const all = capabilities(here, { origin: null, trust: here.isSecure ? "trusted" : "unknown" }, {
        bluetooth: hasRadio ? null : "missing",
    }, declarations().filter(({ slug }) => slug === "drums"));
    const able = (id) => {
        const { state, says, around } = all.find((one) => one.id === id);
        const can = state === "works" || state === "try";
        // A radio that is off may be switched on meanwhile: the press finds out.
        const mayTry = can || (id === "bluetooth" && here.has.bluetooth && here.isSecure);
        // Of what never works, the shell's page tells what goes in a line of its own.
        const instead = around && state === "never" ? t`Instead: ${around}` : around;
        return { can: mayTry, says: can ? null : says, around: can ? null : instead };
    };
    return { bluetooth: able("bluetooth"), midi: able("midi") };
}
