import { AgeLabel } from "../elements/age.js";
import { button, iconButton } from "../elements/button.js";
import { art } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { chartSkeleton, linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { wall } from "../elements/wall.js";
import { get, isAborted } from "../house/api.js";
import { wordsOf } from "../house/problem.js";
import { session } from "../house/session.js";
import { number } from "../words/numbers.js";
import { aroundSection } from "./around.js";
import { chartSection } from "./chart-section.js";
import { garden } from "./garden.js";
import { MoistureBar } from "./moisture-bar.js";
import { editPlant } from "./plant-form.js";
import { sensorSection } from "./sensor-section.js";
import { noteWatering } from "./watering.js";
import { wateringLog } from "./watering-log.js";

/** One plant: the sentence, the figure on its scale, the chart, what is around it, its waterings, its sensors. */
export async function openPlant({ room, params, signal, title }) {
    const path = /** @type {const} */ (`/api/plants/${encodeURIComponent(params.id)}`);
    const head = wallOf(() => plant);
    const floor = make("div", { class: "floor" });
    room.append(head.node, floor);
    let plant = garden.plant(params.id) ?? null;
    let parts = null;

    const draw = (told) => {
        plant = told;
        title(plant.name);
        head.show(plant);
        if (!parts) {
            const context = { path, signal, plant: () => plant, changed: load };
            parts = [chartSection(context), aroundSection(), wateringLog(context), sensorSection(context)];
            fill(floor, parts.map((part) => part.node));
        }
        for (const part of parts) part.show?.(plant);
    };
    const load = async () => {
        try {
            const told = await get(path, { signal });
            draw(told);
        } catch (error) {
            if (isAborted(error)) return;
            if (error.unreachable) {
                await garden.load().catch(() => {}); // The last visit may have known it.
                if (plant || signal.aborted) return;
            }
            head.gone(error);
            fill(floor, error.status === 404
                ? notice({
                    icon: "info", title: "There is no such plant", words: "It may have been deleted.",
                    actions: [make("a", { class: "button", href: "/plants" }, "All plants")],
                })
                : problemNotice(error, { retry: load }));
            parts = null;
        }
    };

    garden.moves.addEventListener("moisture", ({ detail }) => {
        if (plant && detail.id === plant.id) {
            plant.moisture = detail.moisture;
            head.show(plant);
        }
    }, { signal });
    garden.addEventListener("change", () => {
        const told = garden.plant(params.id);
        if (told) draw(told);
        else load(); // Deleted elsewhere: the hub says it in its words.
    }, { signal });
    if (plant) draw(plant);
    else {
        head.wait();
        fill(floor, chartSkeleton(), linesSkeleton(40, 90, 70));
    }
    await load();
    // Readings find their plant through the garden, and a visit without the hub finds it there.
    if (!garden.told) garden.load().catch(() => {});
}

function wallOf(plant) {
    const name = make("b", { class: "strong" });
    const place = make("span", { class: "fine" });
    const value = make("b");
    const age = new AgeLabel();
    const bar = new MoistureBar();
    const dry = make("span", { class: "at-low" });
    const wet = make("span", { class: "at-high" });
    const limits = make("p", { class: "limits fine", "aria-hidden": true }, dry, wet);
    const drawing = make("div", { class: "wall-drawing", "aria-hidden": true });
    const edit = iconButton("Edit plant", "edit", () => editPlant(plant()));
    const watered = button("I watered it", {
        kind: "primary", size: "l", wide: true, icon: "drop", press: () => water(),
    });
    const figure = make("div", { class: "figure" }, value, age);
    const below = make("div", { class: "wall-figure" }, figure, bar, limits, watered);
    const top = wall({
        back: { href: "/plants", word: "Plants" }, actions: session.isAdult && [edit],
        above: make("p", { class: "plant-head" }, name, " ", place), below: [below, drawing],
    });
    const water = async () => {
        try {
            await noteWatering(plant());
        } catch (error) {
            toast(wordsOf(error), { icon: "warning" });
        }
    };
    const head = {
        node: top.node,
        show: (told) => {
            name.textContent = told.name;
            place.textContent = told.place;
            if (top.say.textContent !== told.sentence) top.say.textContent = told.sentence;
            top.lead.textContent = told.detail ?? "";
            top.lead.hidden = !told.detail;
            const known = told.moisture && told.state !== "silent";
            fill(value, ...(known ? [number(told.moisture.value), make("span", { class: "unit" }, "%")] : ["–"]));
            age.at = told.moisture?.at ?? null;
            age.hidden = !told.moisture;
            bar.plant = told;
            limits.style.setProperty("--low", String(told.limits.low));
            limits.style.setProperty("--high", String(told.limits.high));
            dry.textContent = `${number(told.limits.low)} dry`;
            wet.textContent = `${number(told.limits.high)} wet`;
            edit.setAttribute("aria-label", `Edit ${told.name}`);
            edit.title = `Edit ${told.name}`;
            below.hidden = false;
            edit.hidden = false;
            if (drawing.dataset.art !== told.art) {
                drawing.dataset.art = told.art;
                fill(drawing, art(`art-${told.art}`, "wall-art"));
            }
        },
        wait: () => {
            fill(top.say, sayingSkeleton("plant"));
            below.hidden = true;
            edit.hidden = true;
        },
        gone: (error) => {
            top.say.textContent = error.status === 404 ? "Not here" : "This plant cannot be seen now";
            top.lead.hidden = true;
            below.hidden = true;
            edit.hidden = true;
        },
    };
    return head;
}
