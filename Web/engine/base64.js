/** Bytes of their text in base64, as the hub's JSON has them. @param {string} text @returns {Uint8Array} */
export function bytesOf(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {Uint8Array} bytes @returns {string} */
export function textOf(bytes) {
    return btoa(String.fromCharCode(...bytes));
}
