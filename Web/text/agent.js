// The order matters: most browsers also claim to be the ones after them.
const BROWSERS = [
    ["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"],
];
const SYSTEMS = [
    ["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"],
    ["Linux", "Linux"],
];

/**
 * A browser's own long description in a few words, "Chrome on Android"; another program's as far as it fits.
 * @param {string?} agent  the User-Agent header of the sign-in
 * @returns {{words: string, phone: boolean}}
 */
export function deviceText(agent) {
    const browser = BROWSERS.find(([sign]) => agent?.includes(sign))?.[1];
    const system = SYSTEMS.find(([sign]) => agent?.includes(sign))?.[1];
    const phone = ["iPhone", "iPad", "Android"].includes(system);
    if (browser && system) return { words: `${browser} on ${system}`, phone };
    return { words: agent ? agent.slice(0, 40) : "A program without a name", phone };
}
