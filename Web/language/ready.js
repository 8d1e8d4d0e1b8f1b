import { catalogs, english } from "./catalogs.js";
import { speak } from "./text.js";

// Whoever is imported after this module finds the language chosen: constants may be sentences too.
const STORED = "tandem.language";

/** The languages that there are, English first. */
export const languages = ["en", ...Object.keys(catalogs)];

/** What somebody chose on this device; null where the browser decides. */
export function storedLanguage() {
    try {
        return localStorage.getItem(STORED);
    } catch {
        return null; // a browser that keeps nothing
    }
}

/**
 * Keeps the choice on this device. The page speaks it once it is loaded again.
 * @param {string?} tag  null: as the browser has it
 */
export function storeLanguage(tag) {
    if (tag === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, tag);
}

/** The first that is wished for and there (RFC 4647, 3.4). */
function best() {
    for (const wish of [storedLanguage(), ...navigator.languages]) {
        for (let tag = wish?.toLowerCase(); tag; tag = tag.slice(0, Math.max(tag.lastIndexOf("-"), 0))) {
            if (languages.includes(tag)) return tag;
        }
    }
    return "en";
}

const tag = best();
document.documentElement.lang = tag;
speak("en", english);
if (tag !== "en") {
    try {
        speak(tag, (await catalogs[tag]()).default);
    } catch {
        document.documentElement.lang = "en"; // without the hub, before this device has the language
    }
}
