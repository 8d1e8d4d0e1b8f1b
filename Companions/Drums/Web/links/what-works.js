import { declarations } from "../../app/companions.js";
import { capabilities } from "../../pages/welcome/capabilities.js";
import { readEnvironment } from "../../pages/welcome/environment.js";

/**
 * Whether this browser lets pages use Bluetooth and MIDI, in the words of the shell's own page about it.
 * @returns {Promise<{bluetooth: Able, midi: Able}>}
 *
 * @typedef {{can: boolean, says: string?, around: string?}} Able  `says`: why not, or what to do before
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
        return { can: mayTry, says: can ? null : says, around: can ? null : around?.replace(/^Without it: /, "") };
    };
    return { bluetooth: able("bluetooth"), midi: able("midi") };
}
