let addresses = {};

/**
 * Where a file of this build is served: its name holds a hash of what is in it.
 * @param {string} path  in the folder of the page, a companion's below its own, such as "wasm/aquarium.wasm"
 * @returns {string}
 */
export function address(path) {
    const known = addresses[path];
    if (!known) throw new Error(`This build has no file ${path}.`);
    return known;
}

/** Says where the files of this build are. Not in this file: what every chunk imports changes with none of them. */
export function setAddresses(all) {
    addresses = all;
}
