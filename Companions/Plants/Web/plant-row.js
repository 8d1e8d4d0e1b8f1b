import { AgeLabel } from "../elements/age.js";
import { button } from "../elements/button.js";
import { art, icon } from "../elements/icon.js";
import { fill, make, text } from "../elements/make.js";
import { toast } from "../elements/toast.js";
import { messageOf } from "../app/problem.js";
import { t } from "../language/text.js";
import { dayAndTimeWithin } from "../text/dates.js";
import { number } from "../text/numbers.js";
import { MoistureBar } from "./moisture-bar.js";
import { notedWaterings } from "./noted.js";
import { putOff, remindAgain } from "./snooze.js";
import { noteWatering } from "./watering.js";

const TAGS = {
    dry: { state: "now", icon: "drop" },
    wet: { state: undefined, icon: "watered" },
    silent: { state: "unknown", icon: "silent" },
    none: { state: "unknown", icon: "clock" },
};

/**
 * `<plant-row>`: one plant in the list. Its property `plant` may be set again and again: what changed is changed in
 * place, so that a bar moves, and the focus and a reader's place are kept.
 */
export class PlantRow extends HTMLElement {
    #parts = null;

    set plant(plant) {
        const parts = this.#parts ??= this.#build();
        const { moisture, state } = plant;
        parts.link.href = `/plants/${encodeURIComponent(plant.id)}`;
        if (parts.link.dataset.art !== plant.art) {
            parts.link.dataset.art = plant.art;
            parts.art.replaceChildren(art(`art-${plant.art}`, "art"));
        }
        text(parts.name, plant.name);
        const virtual = plant.sensors.some((sensor) => sensor.virtual) && t`virtual`;
        text(parts.place, [plant.place, virtual].filter(Boolean).join(", "));
        const known = moisture && state !== "silent";
        fill(parts.value, ...(known ? [number(moisture.value), make("span", { class: "unit" }, "%")] : ["–"]));
        parts.value.classList.toggle("gone", !known);
        parts.age.at = moisture?.at ?? null;
        parts.age.hidden = !moisture;
        parts.bar.plant = plant;
        this.#says(parts, plant);
    }

    #says(parts, plant) {
        const tag = TAGS[plant.state];
        const signature = JSON.stringify([plant.state, plant.say, plant.detail, plant.errors, plant.snoozedUntil,
            notedWaterings.at(plant) !== null]);
        if (parts.next.dataset.says === signature) return;
        parts.next.dataset.says = signature;
        const error = plant.errors?.at(-1);
        fill(parts.next,
            tag ? make("span", { class: "tag", data: { state: tag.state } }, icon(tag.icon), plant.say)
                : make("span", { class: "next" }, plant.say),
            make("span", { class: "small second" }, plant.detail),
            plant.snoozedUntil && make("span", { class: "small second" },
                t`Nobody is reminded until ${dayAndTimeWithin(plant.snoozedUntil)}.`),
            error && make("span", { class: "problem" }, icon("warning"), make("span", {}, error.message)));
        const wantsWater = plant.state === "dry";
        // Of those without a sensor, or with one that is silent, the log is all that is known.
        const isUnknown = plant.state === "none" || plant.state === "silent";
        parts.acts.hidden = !wantsWater && !isUnknown && !plant.snoozedUntil;
        fill(parts.acts,
            (wantsWater || isUnknown) && named(t`I watered ${plant.name}`, wateredButton(plant)),
            plant.snoozedUntil
                ? named(t`Remind again of ${plant.name}`, button(t`Remind again`, {
                    kind: "quiet", icon: "bell", press: () => remindAgain(plant),
                }))
                : wantsWater && named(t`Not today: ${plant.name}`, button(t`Not today`, {
                    kind: "quiet", icon: "snooze", press: () => putOff(plant),
                })));
    }

    #build() {
        const parts = {
            art: make("span", { class: "plant-art" }), name: make("span", { class: "name" }),
            place: make("span", { class: "fine" }), value: make("b"), age: new AgeLabel(), bar: new MoistureBar(),
            next: make("span", { class: "plant-next" }), acts: make("div", { class: "plant-acts", hidden: true }),
        };
        parts.link = make("a", { class: "plant" }, parts.art,
            make("span", { class: "plant-name" }, parts.name, parts.place),
            make("span", { class: "plant-value" }, parts.value, parts.age), parts.bar, parts.next);
        this.append(parts.link, parts.acts);
        return parts;
    }
}

/** In a list each button says of which plant it is. */
function named(name, node) {
    node.setAttribute("aria-label", name);
    return node;
}

/** It rests until a watering that was noted is known. */
function wateredButton(plant) {
    const node = button(t`I watered it`, { icon: "drop", press: () => water(plant) });
    node.setAttribute("aria-disabled", String(notedWaterings.at(plant) !== null));
    return node;
}

async function water(plant) {
    if (notedWaterings.at(plant) !== null) return;
    try {
        await noteWatering(plant);
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}

customElements.define("plant-row", PlantRow);
