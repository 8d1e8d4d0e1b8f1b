import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toggle } from "../../elements/switch.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";
import { openLinkChooser } from "../links/chooser.js";

const VIBRATES = "tandem.drums.vibrates"; // of this device
const SOUNDS = [
    { name: "song", word: t`The song`, hint: t`Its melody, or the family’s own recording` },
    { name: "metronome", word: t`Metronome`, hint: t`A click on each beat` },
    { name: "hits", word: t`Drums`, hint: t`A sound for each hit` },
];

let isVibrating = null; // read once: a hit does not wait for the disk

/** Whether this device answers a hit with a nudge. */
export function vibrates() {
    return isVibrating ??= readVibrates();
}

function readVibrates() {
    try {
        return localStorage.getItem(VIBRATES) !== "no";
    } catch {
        return true;
    }
}

/** Whether a song is on the fullscreen view: who goes back in the browser closes a sheet, and has left. */
export const isFullscreen = () => "session" in document.documentElement.dataset;

/** What can be changed while a song is played, which waits meanwhile: what is heard, and which drums. */
export async function openPlaySettings(active) {
    const wasPaused = active.isPaused;
    if (!wasPaused) await active.pause();
    if (active.isOver) return;
    const change = (name, isOn) => {
        active.setSounds({ ...active.sounds, [name]: isOn });
        // The next song of this person is heard the same way, on whatever device; for this one it is so in any case.
        overview.change(active.stored.person, { sounds: active.sounds }).catch(() => {});
    };
    const opened = sheet(t`Sounds and drums`, {
        body: [
            make("div", { class: "rows" }, SOUNDS.map(({ name, word, hint }) => toggle({
                name: word, hint, on: active.sounds[name], change: (isOn) => change(name, isOn),
            }).node), navigator.vibrate && toggle({
                name: t`A nudge at each hit`, hint: t`Where this device can vibrate`, on: vibrates(),
                change: (isOn) => {
                    isVibrating = isOn;
                    try {
                        localStorage.setItem(VIBRATES, isOn ? "yes" : "no");
                    } catch {
                        // A browser that keeps nothing nudges on.
                    }
                },
            }).node),
            make("div", { class: "sheet-actions" },
                button(t`Drums to play with`, { icon: "radio", press: () => openLinkChooser() }),
                button(wasPaused ? t`Close` : t`Go on playing`, { kind: "primary", press: () => opened.close() })),
        ],
        closed: () => {
            if (!wasPaused && isFullscreen() && !document.querySelector("dialog[open]")) active.resume();
        },
    });
}
