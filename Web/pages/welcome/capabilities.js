import { t } from "../../language/text.js";

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
 * @param {Array<import("../../app/declarations.js").Declaration>} [companions]  say what goes without, and what it is for
 * @returns {Capability[]}
 */
export function capabilities(here, hub, found = {}, companions = []) {
    /** @type {Array<[string, string, string, Judge]>} */
    const all = [
        ["secure", t`Secure page`, "lock", secure], ["offline", t`Works offline`, "offline", offline],
        ["motion", t`Motion sensors`, "tilt", motion], ["bluetooth", "Bluetooth", "radio", bluetooth],
        ["midi", "MIDI", "music", midi], ["push", t`Notifications`, "bell", push],
        ["vibration", t`Vibration`, "vibrate", vibration], ["storage", t`Storage is kept`, "keep", storage],
    ];
    return all.map(([id, name, icon, judge]) => ({
        id, name, icon, around: null, word: null, ...judge(here, hub, found[id] ?? null, messageOf(companions, id)),
    }));
}

/** What companions say of a capability: what goes without it, as part of a sentence, and what it is good for. */
function messageOf(companions, id) {
    const instead = companions.flatMap((one) => one.instead?.[id] ?? []).join("; ");
    return {
        instead: instead && `${instead[0].toUpperCase()}${instead.slice(1)}.`,
        without: instead ? t`Without it: ${instead}.` : null,
        until: instead ? t`Until then: ${instead}.` : null,
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

const NEEDS_TRUST = t`Only on a page that came over HTTPS and that this device trusts.`;

/** Whether what needs a trusted page may be had here. */
const isOpen = (here, hub) => here.isSecure && hub.trust !== "untrusted";

/** @type {Judge} */
function secure(here, { origin, trust }) {
    if (!here.isSecure) {
        return toDo(origin ? t`This page came without HTTPS. Open ${origin} instead.`
            : t`This page came without HTTPS, and the hub offers none yet. Start it with --lan.`);
    }
    if (trust === "untrusted") {
        return toDo(t`It is encrypted, but this ${here.noun} does not know whose it is: see step 1.`);
    }
    if (!here.isHTTPS) return works(t`It comes from this computer itself, so it crosses no network.`);
    if (trust === "unknown") {
        return works(t`It came over HTTPS. Whether this ${here.noun} trusts it, ${here.browser} does not tell.`);
    }
    return works(t`It came over HTTPS, and this ${here.noun} trusts it.`);
}

function offline(here, hub) {
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, t`Until then Tandem needs the hub in reach.`);
    if (!here.has.worker) {
        return never(t`${here.browser} keeps no pages here. A private window is one reason.`,
            t`In an ordinary window it may.`);
    }
    return works(t`Tandem opens without the hub too, and sends what you did as soon as the hub is back.`);
}

function motion(here, hub, found) {
    if (!here.isPhone) {
        return never(t`A computer does not feel how you hold it.`, t`A phone or a tablet does.`);
    }
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, t`Until then it measures no motion for Tandem.`);
    if (!here.has.motion) return never(t`${here.browser} gives pages no motion.`, t`Another browser on this phone may.`);
    if (found === "works") return works(t`It feels how you hold it.`);
    if (found === "refused") {
        return toDo(here.system === "ios"
            ? t`You said no. Close Tandem, open it again, press Try, and say Allow.`
            : t`You said no. In ${here.browser}: Site settings, Motion sensors, Allow.`, { word: t`Try again` });
    }
    if (found === "silent") {
        return toTry(t`Nothing came within two seconds. Move the phone, and try again.`, t`Try again`);
    }
    return toTry(here.has.motionAsks ? t`Your phone asks you first.` : t`Press, and tilt it a little.`, t`Try`);
}

function bluetooth(here, hub, found, words) {
    if (here.system === "ios") {
        return never(t`No browser on an ${here.noun} may use Bluetooth.`, words.instead);
    }
    if (here.browser === "Firefox" || here.browser === "Safari") {
        return toDo(t`${here.browser} has no Bluetooth for pages. Open Tandem in Chrome or Edge.`,
            { around: words.without });
    }
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, words.until);
    if (!here.has.bluetooth && here.system === "linux") {
        return toDo(t`In ${here.browser} on Linux, first switch on “experimental web platform features” at chrome://flags.`,
            { around: words.without });
    }
    if (!here.has.bluetooth) {
        return never(t`${here.browser} offers pages no Bluetooth here.`, words.instead);
    }
    if (found === "works") return works(t`It is there. You choose a device when you connect one.`);
    if (found === "missing") {
        return toDo(here.system === "linux"
            ? t`None was found. Switch it on. Linux also needs its service running, bluetoothd.`
            : t`None was found. Switch it on, then try again.`, { word: t`Try again` });
    }
    return toTry(t`Press to see whether it is switched on.`, t`Try`);
}

function midi(here, hub, found, words) {
    const around = words.instead;
    if (here.system === "ios") return never(t`No browser on an ${here.noun} lets pages use MIDI.`, around);
    if (here.browser === "Safari") return toDo(t`Safari has no MIDI for pages. Open Tandem in Chrome, Edge or Firefox.`);
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, words.until);
    if (!here.has.midi) return never(t`${here.browser} lets pages use no MIDI here.`, around);
    if (found === "works") return works(words.gives || t`It is there.`);
    if (found === "refused") {
        return toDo(t`You said no. In ${here.browser}: Site settings, MIDI devices, Allow.`, { word: t`Try again` });
    }
    return toTry(t`The browser asks you first.`, t`Try`);
}

function push(here, hub, found) {
    const around = t`Until then reminders come on the open page, or by a calendar feed.`;
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, around);
    const permission = found ?? here.notifications;
    if (here.system === "ios" && !here.isInstalled) {
        return here.iosVersion !== null && here.iosVersion < 16.4
            ? never(t`Only from iOS 16.4 on. This ${here.noun} has an older one.`,
                t`Reminders on the open page, or by a calendar feed.`)
            : toDo(t`Only from the home screen. Put Tandem there first: step 3.`, { around });
    }
    if (!here.has.push) {
        return never(t`${here.browser} shows no notifications from pages here.`,
            t`Reminders on the open page, or by a calendar feed.`);
    }
    if (found === "subscribed") return works(t`Reminders come here from now on, even while Tandem is closed.`);
    if (found === "unsubscribed") {
        return toDo(t`They are allowed, but the browser’s push service did not answer. Does this device reach the internet?`, { around, word: t`Try again` });
    }
    if (permission === "granted") {
        return works(t`They may be shown, even while Tandem is closed. In Settings, under Reminders, you choose whose.`);
    }
    if (permission === "denied") {
        return toDo(here.system === "ios" ? t`You said no. Open Settings, Notifications, Tandem, and allow them.`
            : t`You said no. In ${here.browser}: Site settings, Notifications, Allow.`, { around, word: t`Try again` });
    }
    return toTry(t`The browser asks you first.`, t`Try`, { around });
}

function vibration(here, hub, found) {
    const around = t`Sound, and a flash of colour.`;
    if (here.system === "ios") return never(t`An ${here.noun} lets no page make it buzz.`, around);
    if (!here.isPhone) return never(t`A computer does not buzz.`, around);
    if (!here.has.vibrate) return never(t`${here.browser} lets no page make it buzz.`, around);
    if (found === "sent") return { state: "asked", says: t`Did it buzz?` };
    if (found === "felt") return works(t`You felt it.`);
    if (found === "not-felt") {
        return toDo(t`Not felt. Silent mode, battery saving or touch feedback switched off may be why.`,
            { around: t`Otherwise there is sound, and a flash of colour.`, word: t`Try again` });
    }
    if (found === "refused") return never(t`${here.browser} did not let it buzz.`, around);
    return toTry(t`Press, and feel.`, t`Try`);
}

function storage(here, hub, found) {
    if (!isOpen(here, hub)) return locked(NEEDS_TRUST, t`Until then nothing stays here that the hub does not have.`);
    if (found === "persistent" || here.isPersistent) {
        return works(t`What waits here for the hub is not thrown away when room gets scarce.`);
    }
    const around = here.system === "ios" && !here.isInstalled
        ? t`Safari forgets a site that was not opened for a week. From the home screen it does not.`
        : t`What you did goes to the hub as soon as it is in reach.`;
    if (!here.has.persist) return never(t`${here.browser} makes no such promise here.`, around);
    if (found === "refused") {
        return toDo(here.isInstalled ? t`The browser does not promise it yet. After some days of use it mostly does.`
            : here.isPhone ? t`The browser does not promise it yet. Put Tandem on the home screen first: step 3.`
                : t`The browser does not promise it yet. Put Tandem on this computer first: step 3.`,
        { around, word: t`Try again` });
    }
    return toTry(t`Ask the browser to keep it.`, t`Ask`, { around });
}
