import { register } from "../../offline/registration.js";
import { deviceKind } from "./device-kind.js";

const PATIENCE = 3000; // milliseconds for an answer of the browser about itself, which at times never comes

/**
 * What this browser says of itself, as plain values: what {@link capabilities} judges. Reading it asks for no
 * permission and shows no question.
 * @param {Window} window
 * @returns {Promise<Environment>}
 *
 * @typedef {ReturnType<typeof deviceKind> & Interfaces} Environment  with what {@link deviceKind} says
 *
 * @typedef {object} Interfaces
 * @property {boolean} isSecure       a secure context
 * @property {boolean} isLoopback     the page of a hub on this very machine
 * @property {boolean} isInstalled    opened from the home screen
 * @property {Object<string, boolean>} has  which interfaces there are
 * @property {boolean} isHTTPS
 * @property {NotificationPermission} notifications
 * @property {boolean?} isPersistent  storage is persistent; null where it is not known
 * @property {{used: number, most: number}?} room  bytes
 */
export async function readEnvironment(window) {
    const { navigator, location } = window;
    const estimate = await settled(() => navigator.storage?.estimate?.());
    return {
        ...deviceKind(navigator),
        isSecure: window.isSecureContext,
        isHTTPS: location.protocol === "https:",
        isLoopback: isLoopback(location.hostname),
        isInstalled: navigator.standalone === true || window.matchMedia("(display-mode: standalone)").matches, // not shown: a media query
        has: {
            worker: "serviceWorker" in navigator,
            motion: "DeviceMotionEvent" in window,
            motionAsks: typeof window.DeviceMotionEvent?.requestPermission === "function",
            bluetooth: "bluetooth" in navigator,
            midi: "requestMIDIAccess" in navigator,
            push: "PushManager" in window && "Notification" in window,
            vibrate: "vibrate" in navigator,
            persist: typeof navigator.storage?.persist === "function",
        },
        notifications: window.Notification?.permission ?? "default",
        isPersistent: (await settled(() => navigator.storage?.persisted?.())) ?? null,
        room: estimate?.quota ? { used: estimate.usage ?? 0, most: estimate.quota } : null,
    };
}

/**
 * Whether this browser trusts the hub's certificate. A page can be opened past the browser's warning; a service
 * worker cannot be registered past it, and that tells the two apart.
 * @param {Window} window
 * @returns {Promise<"trusted"|"untrusted"|"unknown">}
 */
export async function readTrust({ isSecureContext, location, navigator }) {
    if (!isSecureContext || !navigator.serviceWorker) return "unknown";
    try {
        // As the app does when it starts: a second time changes nothing.
        await register(navigator.serviceWorker);
        return "trusted";
    } catch (error) {
        if (/certificate|SSL/i.test(error.message)) return "untrusted";
        // An answer other than the script came, so the way to the hub was clear.
        if (/bad HTTP response|MIME|evaluation/i.test(error.message)) return "trusted";
        // No answer at all, though this page came just now over HTTPS: Chromium names the certificate only at times.
        // Other errors are of a browser that is set to store nothing.
        return location.protocol === "https:" && error.name === "TypeError" ? "untrusted" : "unknown";
    }
}

/** Whether a page of that host is one of a hub on this very machine. */
export const isLoopback = (hostname) => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** What a browser does not offer, refuses, or does not answer in time is not known: undefined. */
async function settled(ask) {
    try {
        return await Promise.race([ask(), new Promise((done) => { setTimeout(done, PATIENCE); })]);
    } catch {
        return undefined;
    }
}
