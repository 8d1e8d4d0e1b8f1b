import { make } from "../elements/make.js";

/**
 * Has the browser save bytes as a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
    const href = URL.createObjectURL(blob);
    const link = make("a", { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * Has the browser save what an address answers, under the name that the hub gives it.
 * @param {string} path
 */
export function saveFrom(path) {
    const link = make("a", { href: path, download: "" });
    document.body.append(link);
    link.click();
    link.remove();
}
