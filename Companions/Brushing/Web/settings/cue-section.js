import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { put } from "../../app/api.js";
import { overview } from "../overview.js";
import { t } from "../../language/text.js";

const CUES = [
    ["sound", t`Sound`, "sound"], ["vibration", t`Vibration`, "vibrate"], ["colour", t`Flash of colour`, "sun"],
];

const WAKING = 80; // milliseconds until the browser has its sound ready after a press

/**
 * What tells at each change that the next part begins; each can be tried.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function cueSection(path) {
    const { node, body, show, save } = savedSection(t`At each change`, ({ cues }) => {
        for (const { key, input } of rows) input.checked = cues[key];
    });
    const rows = CUES.map(([key, name, sign]) => {
        const input = make("input", { type: "checkbox", role: "switch", name: `cues.${key}`, "aria-label": name });
        input.addEventListener("change", () => {
            const isOn = input.checked;
            save(async (person) => overview.take(
                await put(path(person, "settings"), { cues: { ...person.cues, [key]: isOn } })), input);
        });
        const turn = button(t`Try`, { kind: "quiet", press: () => tryOut(key) });
        turn.setAttribute("aria-label", t`Try: ${name}`);
        return {
            key, input,
            node: make("div", { class: "row cue", data: { field: "" } }, icon(sign),
                make("span", { class: "words" }, make("span", { class: "name" }, name),
                    key === "vibration" && !("vibrate" in navigator)
                        && make("span", { class: "fine" }, t`not on this device, but maybe on others`)),
                turn, make("label", { class: "switch only" }, input, make("i"))),
        };
    });
    fill(body, make("div", { class: "rows" }, rows.map((row) => row.node)));
    return { node, show };
}

/** As in a session, only now; the flash goes over the header. */
async function tryOut(key) {
    const { give, unlockSound } = await import("../session/cues.js");
    unlockSound();
    await new Promise((done) => { setTimeout(done, WAKING); });
    give("step", { sound: false, vibration: false, colour: false, [key]: true }, document.querySelector(".header"));
}
