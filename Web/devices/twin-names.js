import { t } from "../language/text.js";

/**
 * What tells devices of one name apart in a list: the ID, in words, of one whose name another has too.
 * @param {Array<{id: string, name: string}>} devices  all that are listed
 * @returns {(id: string) => string?}  null where the name is enough
 */
export function twinNames(devices) {
    const seen = new Set();
    const twins = new Set();
    for (const { name } of devices) (seen.has(name) ? twins : seen).add(name);
    const known = new Map(devices.map(({ id, name }) => [id, name]));
    return (id) => (twins.has(known.get(id)) ? t`ID ${id}` : null);
}
