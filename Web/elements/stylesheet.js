import { address } from "./address.js";
import { make } from "./make.js";

const asked = new Map();

/**
 * Loads a style sheet that only some pages want, once, and waits for it.
 * @param {string} path  inside this build, such as "styles/welcome.css"
 * @returns {Promise<void>}
 */
export function stylesheet(path) {
    if (!asked.has(path)) {
        asked.set(path, new Promise((done) => {
            document.head.append(make("link", { rel: "stylesheet", href: address(path), on: { load: done, error: done } }));
        }));
    }
    return asked.get(path);
}
