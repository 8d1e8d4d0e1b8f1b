import { AgeLabel } from "../elements/age.js";
import { art, icon } from "../elements/icon.js";
import { fill, make, text } from "../elements/make.js";
import { number } from "../text/numbers.js";
import { MoistureBar } from "./moisture-bar.js";

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
        const virtual = plant.sensors.some((sensor) => sensor.virtual) && "virtual";
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
        const signature = JSON.stringify([plant.state, plant.say, plant.detail, plant.errors]);
        if (parts.next.dataset.says === signature) return;
        parts.next.dataset.says = signature;
        const error = plant.errors?.at(-1);
        fill(parts.next,
            tag ? make("span", { class: "tag", data: { state: tag.state } }, icon(tag.icon), plant.say)
                : make("span", { class: "next" }, plant.say),
            make("span", { class: "small second" }, plant.detail),
            error && make("span", { class: "problem" }, icon("warning"), make("span", {}, error.message)));
    }

    #build() {
        const parts = {
            art: make("span", { class: "plant-art" }), name: make("span", { class: "name" }),
            place: make("span", { class: "fine" }), value: make("b"), age: new AgeLabel(), bar: new MoistureBar(),
            next: make("span", { class: "plant-next" }),
        };
        parts.link = make("a", { class: "plant" }, parts.art,
            make("span", { class: "plant-name" }, parts.name, parts.place),
            make("span", { class: "plant-value" }, parts.value, parts.age), parts.bar, parts.next);
        this.append(parts.link);
        return parts;
    }
}

customElements.define("plant-row", PlantRow);
