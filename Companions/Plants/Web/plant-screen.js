import { AgeLabel } from "../elements/age.js";
import { button, iconButton } from "../elements/button.js";
import { art } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { chartSkeleton, linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { header } from "../elements/header.js";
import { get, isAborted } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { number } from "../text/numbers.js";
import { aroundSection } from "./around.js";
import { careSection } from "./care-section.js";
import { chartSection } from "./chart-section.js";
import { plantStore } from "./plant-store.js";
import { MoistureBar } from "./moisture-bar.js";
import { editPlant } from "./plant-form.js";
import { notedWaterings } from "./noted.js";
import { sensorSection } from "./sensor-section.js";
import { noteWatering } from "./watering.js";
import { wateringLog } from "./watering-log.js";
import { t } from "../language/text.js";

/** One plant: the sentence, the figure on its scale, the chart, what is around it, its waterings, its sensors. */
export async function openPlant({ screen, params, signal, title }) {
    const path = /** @type {const} */ (`/api/plants/${encodeURIComponent(params.id)}`);
    const head = headerOf(() => plant);
    const content = make("div", { class: "content" });
    screen.append(head.node, content);
    let plant = plantStore.plant(params.id) ?? null;
    let parts = null;

    const draw = (data) => {
        plant = data;
        title(plant.name);
        head.show(plant);
        if (!parts) {
            const context = { path, signal, plant: () => plant, changed: load };
            parts = [chartSection(context), aroundSection(), wateringLog(context), careSection(context), sensorSection(context)];
            fill(content, parts.map((part) => part.node));
        }
        for (const part of parts) part.show?.(plant);
    };
    const load = async () => {
        try {
            const data = await get(path, { signal });
            draw(data);
        } catch (error) {
            if (isAborted(error)) return;
            if (error.unreachable) {
                await plantStore.load().catch(() => {}); // The last visit may have known it.
                if (plant || signal.aborted) return;
            }
            head.gone(error);
            fill(content, error.status === 404
                ? notice({
                    icon: "info", title: t`This plant does not exist`, words: t`It may have been deleted.`,
                    actions: [make("a", { class: "button", href: "/plants" }, t`All plants`)],
                })
                : problemNotice(error, { retry: load }));
            parts = null;
        }
    };

    plantStore.moves.addEventListener("moisture", ({ detail }) => {
        if (plant && detail.id === plant.id) {
            plant.moisture = detail.moisture;
            head.show(plant);
        }
    }, { signal });
    plantStore.addEventListener("change", () => {
        const data = plantStore.plant(params.id);
        if (data) draw(data);
        else load(); // Deleted elsewhere: the hub says it in its words.
    }, { signal });
    if (plant) draw(plant);
    else {
        head.wait();
        fill(content, chartSkeleton(), linesSkeleton(40, 90, 70));
    }
    await load();
    // Readings find their plant through the store, and a visit without the hub finds it there.
    if (!plantStore.data) plantStore.load().catch(() => {});
}

function headerOf(plant) {
    const name = make("b", { class: "strong" });
    const place = make("span", { class: "fine" });
    const value = make("b");
    const age = new AgeLabel();
    const bar = new MoistureBar();
    const dry = make("span", { class: "at-low" });
    const wet = make("span", { class: "at-high" });
    const limits = make("p", { class: "limits fine", "aria-hidden": true }, dry, wet);
    const drawing = make("div", { class: "header-drawing", "aria-hidden": true });
    const edit = iconButton(t`Edit plant`, "edit", () => editPlant(plant()));
    const watered = button(t`I watered it`, {
        kind: "primary", size: "l", wide: true, icon: "drop", press: () => water(),
    });
    const figure = make("div", { class: "figure" }, value, age);
    const below = make("div", { class: "header-figure" }, figure, bar, limits, watered);
    const top = header({
        back: { href: "/plants", word: t`Plants` }, actions: signIn.isAdult && [edit],
        above: make("p", { class: "plant-head" }, name, " ", place), below: [below, drawing],
    });
    const water = async () => {
        if (notedWaterings.at(plant()) !== null) return;
        try {
            await noteWatering(plant());
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const head = {
        node: top.node,
        show: (loaded) => {
            const data = notedWaterings.shown(loaded);
            // One that the hub has yet to hear of is not noted twice.
            watered.setAttribute("aria-disabled", String(notedWaterings.at(data) !== null));
            name.textContent = data.name;
            place.textContent = data.place;
            if (top.say.textContent !== data.sentence) top.say.textContent = data.sentence;
            top.lead.textContent = data.detail ?? "";
            top.lead.hidden = !data.detail;
            const known = data.moisture && data.state !== "silent";
            fill(value, ...(known ? [number(data.moisture.value), make("span", { class: "unit" }, "%")] : ["–"]));
            age.at = data.moisture?.at ?? null;
            age.hidden = !data.moisture;
            bar.plant = data;
            limits.style.setProperty("--low", String(data.limits.low));
            limits.style.setProperty("--high", String(data.limits.high));
            dry.textContent = t`${Math.round(data.limits.low)} dry`;
            wet.textContent = t`${Math.round(data.limits.high)} wet`;
            edit.setAttribute("aria-label", t`Edit ${data.name}`);
            edit.title = t`Edit ${data.name}`;
            below.hidden = false;
            edit.hidden = false;
            if (drawing.dataset.art !== data.art) {
                drawing.dataset.art = data.art;
                fill(drawing, art(`art-${data.art}`, "header-art"));
            }
        },
        wait: () => {
            fill(top.say, sayingSkeleton(t`plant`));
            below.hidden = true;
            edit.hidden = true;
        },
        gone: (error) => {
            top.say.textContent = error.status === 404 ? t`Not here` : t`This plant cannot be shown right now`;
            top.lead.hidden = true;
            below.hidden = true;
            edit.hidden = true;
        },
    };
    return head;
}
