const PIECE = 8192; // bytes

/**
 * Bytes of their text in base64, as the hub's JSON has them.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytesOf(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {Uint8Array} bytes @returns {string} */
export function textOf(bytes) {
    let text = "";
    // In pieces: no function takes as many arguments as a long session has bytes.
    for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    return btoa(text);
}

/**
 * Bytes of their text in base64 as addresses and keys have it (RFC 4648, 5), without padding.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytesOfURL(text) {
    return bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/** The other way round. @param {Uint8Array} bytes @returns {string} */
export function urlTextOf(bytes) {
    return textOf(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
