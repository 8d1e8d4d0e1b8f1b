import { make } from "./make.js";
import { t } from "../language/text.js";

const PAIRS_A_GROUP = 4;

/**
 * A certificate's SHA-256 fingerprint as two people can compare it: eight groups of four pairs, in rows.
 * @param {string} fingerprint  32 pairs of hexadecimal digits, with colons between them
 */
export function fingerprint(fingerprint) {
    const pairs = fingerprint.split(":");
    const groups = [];
    for (let i = 0; i < pairs.length; i += PAIRS_A_GROUP) groups.push(pairs.slice(i, i + PAIRS_A_GROUP));
    return make("ol", { class: "fingerprint", "aria-label": t`Fingerprint, SHA-256` },
        groups.map((group) => make("li", {}, group.map((pair) => make("span", {}, pair)))));
}
