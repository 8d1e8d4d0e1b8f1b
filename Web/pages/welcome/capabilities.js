/**
 * What a page can do on this device, in words. Pure: it judges what {@link readEnvironment} read and what was found
 * out by trying, and asks the browser nothing, so that a test can pose as any phone.
 *
 * States:
 *   `works`   it does
 *   `try`     it may: a press finds out, since the browser asks a person first
 *   `do`      it can, once `says` is done
 *   `never`   not on this device, or not in this browser; `around` says which way the hub goes instead
 *   `locked`  only on a page over trusted HTTPS
 *   `asked`   it was tried, and only a person can tell
 *
 * @typedef {(here: import("./environment.js").Environment, hub: {origin?: string, trust: Trust}, found: string?,
 *   words: ReturnType<typeof messageOf>) => {state: string, says: string, around?: string, word?: string}} Judge
 *
 * @typedef {"trusted"|"untrusted"|"unknown"} Trust
 *
 * @typedef {{id: string, name: string, icon: string, state: string, says: string, around: string?, word: string?}}
 *   Capability  `word`: of the button, where a press makes sense
 *
 * @param {import("./environment.js").Environment} here
 * @param {{origin?: string, trust: Trust}} hub
 * @param {Object<string, string>} [found]  what trying found, by id: see tries.js
 * @param {Array<import("../../app/companions.js").Declaration>} [companions]  say what goes without, and what it is for
 * @returns {Capability[]}
 */
export function capabilities(here, hub, found = {}, companions = []) {
    /** @type {Array<[string, string, string, Judge]>} */
    const all = [
        ["secure", "Secure page", "lock", secure], ["offline", "Works offline", "offline", offline],
        ["motion", "Motion sensors", "tilt", motion], ["bluetooth", "Bluetooth", "radio", bluetooth],
        ["midi", "MIDI", "music", midi], ["push", "Notifications", "bell", push],
        ["vibration", "Vibration", "vibrate", vibration], ["storage", "Storage is kept", "keep", storage],
    ];
    return all.map(([id, name, icon, judge]) => ({
        id, name, icon, around: null, word: null, ...judge(here, hub, found[id] ?? null, messageOf(companions, id)),
    }));
}

/** What companions say of a capability: what goes without it, as half a sentence, and what it is good for. */
function messageOf(companions, id) {
    const instead = companions.flatMap((one) => one.instead?.[id] ?? []).join("; ");
    return {
        instead: instead && `${instead[0].toUpperCase()}${instead.slice(1)}.`,
        after: (word) => (instead ? `${word}: ${instead}.` : null),
        gives: companions.flatMap((one) => one.gives?.[id] ?? []).join(" "),
    };
}

/**
 * How many of them are in a state.
 * @param {Capability[]} all
 */
export function countOf(all, state) {
    return all.filter((one) => one.state === state).length;
}

const works = (says, more) => ({ state: "works", says, ...more });
const toDo = (says, more) => ({ state: "do", says, ...more });
const never = (says, around) => ({ state: "never", says, around });
const toTry = (says, word, more) => ({ state: "try", says, word, ...more });
const locked = (says, around) => ({ state: "locked", says, around });

const NEEDS_TRUST = "Only on a page that came over HTTPS which this device trusts.";

/** Whether what needs a trusted page may be had here. */
const isOpen = (here, hub) => here.isSecure && hub.trust !== "untrusted";

/** @type {Judge} */
function secure(here, { origin, trust }) {
    if (!here.isSecure) {
        return toDo(origin ? `This page came without HTTPS. Open ${origin} instead.`
            : "This page came without HTTPS, and the hub offers none yet. Start it with --lan.");
    }
    if (trust === "untrusted") {
        return toDo(`It is encrypted, but this ${here.noun} does not know whose it is: see step 1.`);
    }
    if (!here.isHTTPS) return works("It comes from this very machine, so no wire lies between.");
    if (trust === "unknown") {
        return works(`It came over HTTPS. Whether this ${here.noun} trusts it, ${here.browser} does not tell.`);
    }
    return works(`It came over HTTPS, and this ${here.noun} trusts it.`);
}

function offline(here, hub) {
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, "Until then Tandem needs the hub in reach.");
    if (!here.has.worker) {
        return never(`${here.browser} keeps no pages here. A private window is one reason.`,
            "In an ordinary window it may.");
    }
    return works("Tandem opens without the hub too, and sends later what was done meanwhile.");
}

function motion(here, hub, found) {
    if (!here.isPhone) {
        return never("A computer does not feel how it is held.", "A phone or a tablet does.");
    }
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, "Nothing that Tandem has today needs it.");
    if (!here.has.motion) return never(`${here.browser} gives pages no motion.`, "Another browser on this phone may.");
    if (found === "works") return works("It feels how it is held.");
    if (found === "refused") {
        return toDo(here.system === "ios"
            ? "You said no. Close Tandem, open it again, press Try, and say Allow."
            : `You said no. In ${here.browser}: Site settings, Motion sensors, Allow.`, { word: "Try again" });
    }
    if (found === "silent") {
        return toTry("Nothing came within two seconds. Move the phone, and try again.", "Try again");
    }
    return toTry(here.has.motionAsks ? "Your phone asks you first." : "Press, and tilt it a little.", "Try");
}

function bluetooth(here, hub, found, words) {
    if (here.system === "ios") {
        return never(`No browser on an ${here.noun} may use Bluetooth.`, words.instead);
    }
    if (here.browser === "Firefox" || here.browser === "Safari") {
        return toDo(`${here.browser} has none. Open Tandem in Chrome or Edge for it.`,
            { around: words.after("Without it") });
    }
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, words.after("Until then"));
    if (!here.has.bluetooth && here.system === "linux") {
        return toDo(`${here.browser} on Linux wants chrome://flags, “experimental web platform features”.`,
            { around: words.after("Without it") });
    }
    if (!here.has.bluetooth) {
        return never(`${here.browser} offers pages no Bluetooth here.`, words.instead);
    }
    if (found === "works") return works("It is there. Which device may be used, you choose when you connect one.");
    if (found === "missing") {
        return toDo(here.system === "linux"
            ? "None was found. Switch it on; Linux wants it running as a service, bluetoothd."
            : "None was found. Switch it on, then try again.", { word: "Try again" });
    }
    return toTry("Press to see whether it is switched on.", "Try");
}

function midi(here, hub, found, words) {
    const around = words.instead;
    if (here.system === "ios") return never(`No browser on an ${here.noun} lets pages use MIDI.`, around);
    if (here.browser === "Safari") return toDo("Safari has none. Open Tandem in Chrome, Edge or Firefox for it.");
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, words.after("Until then"));
    if (!here.has.midi) return never(`${here.browser} lets pages use no MIDI here.`, around);
    if (found === "works") return works(words.gives || "It is there.");
    if (found === "refused") {
        return toDo(`You said no. In ${here.browser}: Site settings, MIDI devices, Allow.`, { word: "Try again" });
    }
    return toTry("The browser asks you first.", "Try");
}

function push(here, hub, found) {
    const around = "Until then reminders come on the open page, or by a calendar feed.";
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, around);
    const permission = found ?? here.notifications;
    if (here.system === "ios" && !here.isInstalled) {
        return here.iosVersion !== null && here.iosVersion < 16.4
            ? never(`From iOS 16.4 on; this ${here.noun} has an older one.`,
                "Reminders on the open page, or by a calendar feed.")
            : toDo("Only from the home screen. Put Tandem there first: step 3.", { around });
    }
    if (!here.has.push) {
        return never(`${here.browser} shows none for pages here.`,
            "Reminders on the open page, or by a calendar feed.");
    }
    if (found === "subscribed") return works("Reminders come here from now on, also while Tandem is closed.");
    if (found === "unsubscribed") {
        return toDo("They are allowed, but the browser’s push service did not answer. Does this device reach "
            + "the internet?", { around, word: "Try again" });
    }
    if (permission === "granted") {
        return works("They may be shown, also while Tandem is closed. Settings, Reminders says whose.");
    }
    if (permission === "denied") {
        return toDo(here.system === "ios" ? "You said no. Open Settings, Notifications, Tandem, and allow them."
            : `You said no. In ${here.browser}: Site settings, Notifications, Allow.`, { around, word: "Try again" });
    }
    return toTry("The browser asks you first.", "Try", { around });
}

function vibration(here, hub, found) {
    const around = "Sound, and a flash of colour.";
    if (here.system === "ios") return never(`An ${here.noun} lets no page make it buzz.`, around);
    if (!here.isPhone) return never("A computer does not buzz.", around);
    if (!here.has.vibrate) return never(`${here.browser} lets no page make it buzz.`, around);
    if (found === "sent") return { state: "asked", says: "Did it buzz?" };
    if (found === "felt") return works("You felt it.");
    if (found === "not-felt") {
        return toDo("Not felt. Silent mode, battery saving or touch feedback switched off may be why.",
            { around: `Otherwise: ${around[0].toLowerCase()}${around.slice(1)}`, word: "Try again" });
    }
    if (found === "refused") return never(`${here.browser} did not let it buzz.`, around);
    return toTry("Press, and feel.", "Try");
}

function storage(here, hub, found) {
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, "Until then nothing is kept here that the hub does not have.");
    if (found === "kept" || here.isPersistent) {
        return works("What waits here for the hub is not thrown away when room gets scarce.");
    }
    const around = here.system === "ios" && !here.isInstalled
        ? "Safari forgets a site that was not opened for a week. From the home screen it does not."
        : "What was done goes to the hub as soon as it is in reach.";
    if (!here.has.persist) return never(`${here.browser} promises nothing here.`, around);
    if (found === "refused") {
        const place = here.isPhone ? "the home screen" : "this computer";
        return toDo(here.isInstalled ? "The browser does not promise it yet. It mostly does after some days of use."
            : `The browser does not promise it yet. Put Tandem on ${place} first: step 3.`,
        { around, word: "Try again" });
    }
    return toTry("Ask the browser to keep it.", "Ask", { around });
}
