import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { toggle } from "../../elements/switch.js";
import { put } from "../../app/api.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";

const SOUNDS = [["song", t`The song`, t`Its melody and what goes with it`],
    ["metronome", t`Metronome`, t`A click on each beat`],
    ["hits", t`Drums`, t`A sound for each hit`]];

/**
 * What is to be heard.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function soundSection(path) {
    const { node, body, show, save } = savedSection(t`Sounds`, ({ settings }) => {
        for (const { key, input } of rows) input.checked = settings.sounds[key];
    });
    const rows = SOUNDS.map(([key, name, hint]) => {
        const one = toggle({
            name, hint, on: false,
            change: (on) => save(async (person) => overview.take(await put(path(person, "settings"),
                { sounds: { ...person.settings.sounds, [key]: on } })), one.input),
        });
        return { key, ...one };
    });
    fill(body, make("div", { class: "rows" }, rows.map((one) => one.node)));
    return { node, show };
}
