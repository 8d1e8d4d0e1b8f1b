/** Of CRC-32 with the polynomial of ISO-HDLC, as in gzip (RFC 1952, 8), for each byte. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
});

/**
 * The CRC-32 of bytes that come behind others.
 * @param {Uint8Array} bytes
 * @param {number} [before]  the CRC-32 of those before them; 0 where there are none
 * @returns {number}
 */
export function checksum(bytes, before = 0) {
    let value = ~before;
    for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff];
    return ~value >>> 0;
}

/**
 * As a header field has it: eight hexadecimal digits.
 * @param {number} value
 */
export const checksumDigits = (value) => value.toString(16).padStart(8, "0");
