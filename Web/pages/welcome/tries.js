import { signIn } from "../../app/sign-in.js";

const MOTION_WAIT = 2000; // milliseconds: a sensor that is there speaks many times in them
const BUZZ = [180, 90, 180]; // milliseconds on, off, on

/**
 * Finds out by trying what a browser tells only after a person's press. Each answers a word that
 * {@link capabilities} takes as `found`.
 * @param {Window} window
 * @returns {Object<string, () => Promise<string>>}
 */
export function tries(window) {
    const { navigator } = window;
    return {
        motion: async () => {
            try {
                const asked = await window.DeviceMotionEvent.requestPermission?.();
                if (asked === "denied") return "refused";
            } catch {
                return "refused"; // Safari throws when it was said no before, or no press came first.
            }
            return await heardMotion(window) ? "works" : "silent";
        },
        bluetooth: async () => (await navigator.bluetooth.getAvailability?.() ?? true ? "works" : "missing"),
        midi: async () => {
            try {
                await navigator.requestMIDIAccess();
                return "works";
            } catch {
                return "refused";
            }
        },
        push: () => subscribe(window),
        vibration: async () => (navigator.vibrate(BUZZ) ? "sent" : "refused"),
        storage: async () => (await navigator.storage.persist() ? "persistent" : "refused"),
    };
}

/** Before somebody is signed in there is nobody to be reminded: the permission is all that can be had. */
async function subscribe(window) {
    if (!signIn.person) return window.Notification.requestPermission();
    const { push, usualPeople } = await import("../../reminders/push.js");
    try {
        const answer = await push.subscribe(usualPeople());
        return answer === "granted" ? "subscribed" : answer;
    } catch (error) {
        console.info("No push subscription.", error); // not shown: for the console
        return window.Notification.permission === "granted" ? "unsubscribed" : "denied";
    }
}

function heardMotion(window) {
    return new Promise((done) => {
        const heard = ({ accelerationIncludingGravity: felt }) => {
            // A browser without the sensor may send one event of nulls.
            if (felt && felt.x !== null) end(true);
        };
        const timer = setTimeout(() => end(false), MOTION_WAIT);
        const end = (worked) => {
            clearTimeout(timer);
            window.removeEventListener("devicemotion", heard);
            done(worked);
        };
        window.addEventListener("devicemotion", heard);
    });
}
