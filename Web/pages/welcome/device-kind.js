import { t } from "../../language/text.js";

const SYSTEMS = {
    ios: { noun: "iPhone", isPhone: true }, android: { noun: t`Android phone`, isPhone: true },
    mac: { noun: "Mac", isPhone: false }, // not shown: a name, the same in every language
    windows: { noun: t`Windows computer`, isPhone: false }, linux: { noun: t`Linux computer`, isPhone: false },
    other: { noun: t`device`, isPhone: false },
};

// The order matters: most browsers also claim to be the ones after them.
/** @type {Array<[string, RegExp]>} */
const BROWSERS = [
    ["Firefox", /Firefox\/|FxiOS\//], ["Edge", /Edg\/|EdgA\/|EdgiOS\//], // not shown: names
    ["Samsung Internet", /SamsungBrowser\//],
    ["Opera", /OPR\/|OPiOS\//], ["Chrome", /Chrome\/|CriOS\/|Chromium\//], ["Safari", /Safari\//], // not shown: names
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
    const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0] ?? t`this browser`;
    const isTablet = system === "android" && !/Mobile/.test(userAgent);
    const noun = isPad ? "iPad" : isTablet ? t`Android tablet` : SYSTEMS[system].noun;
    const version = /OS (\d+)_(\d+)/.exec(userAgent);
    const iosVersion = system === "ios" && version ? Number(version[1]) + Number(version[2]) / 10 : null;
    return { system, noun, isPhone: SYSTEMS[system].isPhone, browser, iosVersion };
}

/** The kinds of which the wizard shows steps: a system, or Firefox on a computer, which may have a store of its own. */
export const TRUST_KINDS = [
    ["ios", t`iPhone or iPad`], ["android", "Android"], ["mac", "Mac"], ["windows", "Windows"], // not shown: names
    ["linux", "Linux"], ["firefox", "Firefox"],
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
        return t`Only Safari hands a profile to the system. Open this page in Safari for step 1; ${browser} then trusts the hub too.`;
    }
    if (system === "android" && browser === "Firefox") {
        return t`Firefox on Android trusts only what it came with. Open this page in Chrome.`;
    }
    return null;
}
