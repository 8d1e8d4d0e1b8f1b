import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { make } from "../elements/make.js";
import { confirm, sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { patch, post, remove } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { go } from "../app/shell.js";
import { artChoice } from "./art-choice.js";
import { plantStore } from "./plant-store.js";
import { kindField } from "./kind-field.js";
import { likesField } from "./likes-field.js";
import { limitsField } from "./limits-field.js";
import { sensorChoice } from "./sensor-choice.js";
import { t } from "../language/text.js";

/** What a form starts from where nothing is said. Its limits are the hub's for that kind of plant. */
const START = { name: "", place: "", art: "basil", sensors: [] };

/** What the hub proposes for a kind of plant. */
const proposed = (art) => plantStore.data?.kinds.find((kind) => kind.art === art)?.limits ?? { low: 0, high: 100 };

/** Opens the sheet that adds a plant. */
export function addPlant() {
    open(t`Add plant`, START, t`Add plant`, async (plant) => {
        const made = await post("/api/plants", { ...plant, virtual: false });
        plantStore.take(made);
        toast(t`${made.name} was added.`, { icon: "plants" });
    }, (opened, typed, searched) => make("div", { class: "sheet-actions" },
        button(t`Try it without a sensor`, {
            kind: "quiet", icon: "chip",
            press: async () => {
                const { name, ...more } = typed();
                // A kind that was typed and not chosen names it as well as anything.
                if (await tryWithoutSensor({ ...more, name: name || searched() })) opened.close();
            },
        })));
}

/** Opens the sheet that changes a plant. */
export function editPlant(plant) {
    const path = /** @type {const} */ (`/api/plants/${encodeURIComponent(plant.id)}`);
    open(t`Edit ${plant.name}`, plant, t`Save`, async (changed) => plantStore.take(await patch(path, changed)),
        (opened) => make("div", { class: "sheet-actions" },
            button(t`Delete plant`, {
                kind: "danger", icon: "trash",
                press: () => confirm({
                    title: t`Delete ${plant.name}?`, yes: t`Delete plant`, no: t`Keep it`,
                    lead: t`Its waterings and its forecast are deleted too. Its sensors stay among your devices. This cannot be undone.`,
                    act: async () => {
                        // The live message may come before the answer: nobody asks for a plant that is being deleted.
                        plantStore.leaving = plant.id;
                        try {
                            await remove(path);
                        } catch (error) {
                            plantStore.leaving = null;
                            throw error;
                        }
                        opened.close();
                        if (plantStore.data) plantStore.data.plants = plantStore.data.plants.filter((one) => one.id !== plant.id);
                        plantStore.soon();
                        go("/plants");
                        toast(t`${plant.name} was deleted.`, { icon: "trash" });
                    },
                }),
            })));
}

/**
 * A virtual plant at one tap, for who has no sensor.
 * @param {Record<string, any>} [typed]  what a form holds already
 * @returns {Promise<boolean>}  whether it grows
 */
export async function tryWithoutSensor(typed = {}) {
    try {
        const made = await post("/api/plants", /** @type {any} */ ({
            art: "basil", ...typed, sensors: [], virtual: true,
            name: typed.name || freeName(t`Virtual basil`), place: typed.place || t`Nowhere in particular`,
        }));
        plantStore.take(made);
        toast(t`${made.name} grows on the hub.`, { icon: "chip" });
        return true;
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
        return false;
    }
}

/** A name that no plant here has yet, so that one tap is enough. Whether it will do, the hub says. */
function freeName(wanted) {
    const taken = new Set((plantStore.data?.plants ?? []).map((plant) => plant.name.toLowerCase()));
    let name = wanted;
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${wanted} ${n}`;
    return name;
}

function open(title, plant, word, send, more) {
    const name = field({ label: t`Name`, name: "name", value: plant.name, required: true });
    const place = field({
        label: t`Place`, name: "place", value: plant.place, hint: t`Where it stands, for example “Kitchen window”.`,
    });
    const picture = artChoice(plant.art);
    const limits = limitsField(plant.limits ?? proposed(plant.art), !plant.limits);
    picture.node.addEventListener("change", () => limits.propose(proposed(picture.value)));
    const opened = sheet(title);
    const likes = likesField(plant.likes);
    const often = (label, name, value) => field({
        label, name, type: "number", value: value ? String(value) : "", attributes: { min: 0, step: 1, inputmode: "numeric" },
    });
    const weeks = often(t`Fertilise every so many weeks; empty for never`, "fertiliseWeeks", plant.fertiliseWeeks);
    const years = often(t`Repot every so many years; empty for never`, "repotYears", plant.repotYears);
    const kind = kindField({
        kind: plant.kind, signal: opened.signal,
        chosen: (chosen) => {
            if (!name.value.trim()) name.input.value = chosen.name;
            picture.choose(chosen.art);
            limits.take(chosen.limits);
            likes.propose(chosen.likes);
            weeks.input.value = chosen.fertiliseWeeks ? String(chosen.fertiliseWeeks) : "";
            years.input.value = chosen.repotYears ? String(chosen.repotYears) : "";
        },
    });
    const sensors = sensorChoice(plant, () => name.value.trim(), opened.signal);
    const typed = () => ({
        name: name.value.trim(), place: place.value.trim(), art: picture.value, limits: limits.value,
        likes: likes.value, kind: kind.value,
        fertiliseWeeks: Number(weeks.value) || 0, repotYears: Number(years.value) || 0, sensors: sensors.value,
    });
    const asked = form({
        fields: [kind, name, place, picture, limits, likes, weeks, years, sensors], word, icon: "check",
        send: async () => {
            await send(typed());
            opened.close();
        },
    });
    opened.paper.append(asked, more(opened, typed, () => kind.searched));
    if (plant === START) name.input.focus();
}
