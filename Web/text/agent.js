import { t } from "../language/text.js";

// The order matters: most browsers also claim to be the ones after them.
const BROWSERS = [
    // not shown but as names, which are the same everywhere
    ["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"],
];
const SYSTEMS = [
    // not shown but as names
    ["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"],
    ["Linux", "Linux"], // not shown but as a name
];

/**
 * A browser's own long description in a few words, "Chrome on Android"; another program's as far as it fits.
 * @param {string?} agent  the User-Agent header of the sign-in
 * @returns {{words: string, phone: boolean}}
 */
export function deviceText(agent) {
    const browser = BROWSERS.find(([sign]) => agent?.includes(sign))?.[1];
    const system = SYSTEMS.find(([sign]) => agent?.includes(sign))?.[1];
    // not shown: names
    const phone = ["iPhone", "iPad", "Android"].includes(system);
    if (browser && system) return { words: t`${browser} on ${system}`, phone };
    return { words: agent ? agent.slice(0, 40) : t`A program without a name`, phone };
}
