const SYSTEMS = {
    ios: { noun: "iPhone", isPhone: true }, android: { noun: "Android phone", isPhone: true },
    mac: { noun: "Mac", isPhone: false }, windows: { noun: "Windows computer", isPhone: false },
    linux: { noun: "Linux computer", isPhone: false }, other: { noun: "device", isPhone: false },
};

// The order matters: most browsers also claim to be the ones after them.
/** @type {Array<[string, RegExp]>} */
const BROWSERS = [
    ["Firefox", /Firefox\/|FxiOS\//], ["Edge", /Edg\/|EdgA\/|EdgiOS\//], ["Samsung Internet", /SamsungBrowser\//],
    ["Opera", /OPR\/|OPiOS\//], ["Chrome", /Chrome\/|CriOS\/|Chromium\//], ["Safari", /Safari\//],
];

/**
 * What kind of device and browser this is, as far as it tells.
 * @param {{userAgent: string, maxTouchPoints?: number}} navigator
 * @returns {{system: "ios"|"android"|"mac"|"windows"|"linux"|"other", noun: string, isPhone: boolean, browser: string,
 *   iosVersion: number?}}  `noun`: what to call it in a sentence, "this iPhone"; `iosVersion` such as 16.4
 */
export function deviceKind({ userAgent, maxTouchPoints = 0 }) {
    const isPad = /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
    const system = isPad || /iPhone|iPod/.test(userAgent) ? "ios"
        : /Android/.test(userAgent) ? "android"
            : /Macintosh|Mac OS X/.test(userAgent) ? "mac"
                : /Windows/.test(userAgent) ? "windows"
                    : /Linux|X11|CrOS/.test(userAgent) ? "linux" : "other";
    const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0] ?? "this browser";
    const isTablet = system === "android" && !/Mobile/.test(userAgent);
    const noun = isPad ? "iPad" : isTablet ? "Android tablet" : SYSTEMS[system].noun;
    const version = /OS (\d+)_(\d+)/.exec(userAgent);
    const iosVersion = system === "ios" && version ? Number(version[1]) + Number(version[2]) / 10 : null;
    return { system, noun, isPhone: SYSTEMS[system].isPhone, browser, iosVersion };
}

/** The kinds of which the wizard shows steps: a system, or Firefox on a computer, which may have a store of its own. */
export const TRUST_KINDS = [
    ["ios", "iPhone or iPad"], ["android", "Android"], ["mac", "Mac"], ["windows", "Windows"], ["linux", "Linux"],
    ["firefox", "Firefox"],
];

/**
 * The steps that this device wants.
 * @param {{system: string, browser: string, isPhone: boolean}} kind
 */
export function trustKind({ system, browser, isPhone }) {
    if (browser === "Firefox" && !isPhone) return "firefox";
    return system === "other" ? "linux" : system;
}

/**
 * Why the steps cannot be gone in this browser, and which one to take; null where they can.
 * @param {{system: string, browser: string}} kind
 */
export function betterBrowser({ system, browser }) {
    if (system === "ios" && browser !== "Safari") {
        return `Only Safari hands a profile to the system. Open this page in Safari for step 1; ${browser} then trusts `
            + "the hub too.";
    }
    if (system === "android" && browser === "Firefox") {
        return "Firefox on Android believes only what it brought along. Open this page in Chrome.";
    }
    return null;
}
