import { english } from "./english.js";
import { speak } from "./text.js";

// Imported before everything else, so that whoever comes after finds the language chosen: constants may be sentences too.
const STORED = "tandem.language";

/** Where the sentences of each language are, by its tag; English needs none. */
const addresses = new Map(
    (document.documentElement.dataset.languages ?? "").split(" ").filter((entry) => entry.includes("="))
        .map((entry) => /** @type {[string, string]} */ (entry.split("="))));

/** The languages that there are, English first. */
export const languages = ["en", ...addresses.keys()];

/** What somebody chose on this device; null where the browser decides. */
export function storedLanguage() {
    try {
        return localStorage.getItem(STORED);
    } catch {
        return null; // a browser that stores nothing
    }
}

/**
 * Stores the choice on this device. The page speaks it once it is loaded again.
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

async function load(tag) {
    const response = await self.fetch(addresses.get(tag), { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${tag} answered with ${response.status}.`);
    return response.json();
}

speak("en", english);
const wanted = best();
if (wanted !== "en") {
    try {
        speak(wanted, await load(wanted));
        document.documentElement.lang = wanted;
        // not shown: a selector
        document.querySelector('link[rel="manifest"]')?.setAttribute("href", `/manifest.${wanted}.webmanifest`);
    } catch {
        // Without the hub, before this device has the language: English, which is in the page.
    }
}
