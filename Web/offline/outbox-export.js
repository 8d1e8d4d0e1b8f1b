const CHUNK = 24_576; // bytes turned into base64 at once; a multiple of three, so that the pieces can be joined

/**
 * Entries as one JSON file: `{"format": "tandem-outbox", "version": 1, "exportedAt", "entries"}`, each entry with its
 * bytes in base64. Each goes into the file by itself, so that fifty megabytes are never all in memory.
 * @param {object[]} entries  without bytes
 * @param {(entry: object) => Promise<ArrayBuffer|Uint8Array>} bytesOf
 * @returns {Promise<Blob>}
 */
export async function exported(entries, bytesOf) {
    const head = `{"format":"tandem-outbox","version":1,"exportedAt":${Date.now()},"entries":[\n`;
    /** @type {BlobPart[]} */
    const parts = [head];
    for (const [i, entry] of entries.entries()) {
        const bytes = base64(new Uint8Array(await bytesOf(entry)));
        parts.push(new Blob([i > 0 ? ",\n" : "", JSON.stringify({ ...entry, bytes })]));
    }
    parts.push("\n]}\n");
    return new Blob(parts, { type: "application/json" });
}

function base64(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += CHUNK) {
        text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
    }
    return text;
}
