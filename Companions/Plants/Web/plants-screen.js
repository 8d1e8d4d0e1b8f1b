import { addDevice } from "../devices/add-device.js";
import { button, iconButton } from "../elements/button.js";
import { connectedSwitch } from "../elements/connected-switch.js";
import { art } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { menu } from "../elements/sheet.js";
import { rowsSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { header } from "../elements/header.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { go } from "../app/shell.js";
import { frameDrawn } from "../app/when-idle.js";
import { plantStore } from "./plant-store.js";
import { notedWaterings } from "./noted.js";
import { addPlant, tryWithoutSensor } from "./plant-form.js";
import { PlantRow } from "./plant-row.js";
import { t } from "../language/text.js";

/** The list of plants: who wants something, and who is well. */
export async function openPlants({ screen, signal, title }) {
    title(t`Plants`);
    const sill = make("div", { class: "sill", "aria-hidden": true });
    const top = header({
        name: t`Plants`, icon: "plants",
        actions: signIn.isAdult && [iconButton(t`Add plant`, "plus", addPlant), iconButton(t`More`, "more", more)],
        below: [sill, make("div", { class: "host" },
            button(t`Update plant data`, { icon: "refresh", press: update }), connectedSwitch(signal))],
    });
    const content = make("div", { class: "content" });
    const list = new PlantList(content);
    const draw = () => {
        const { headline: { text, lead }, plants } = notedWaterings.shownAll(plantStore.data);
        if (top.say.textContent !== text || top.say.querySelector(".skeleton")) top.say.textContent = text;
        top.lead.textContent = lead ?? "";
        top.lead.hidden = !lead;
        const arts = plants.slice(0, 5).map((plant) => plant.art);
        if (sill.dataset.arts !== arts.join()) {
            sill.dataset.arts = arts.join();
            fill(sill, arts.map((name) => art(`art-${name}`, "sill-art")));
        }
        list.show(plants);
    };
    const load = async () => {
        try {
            await plantStore.refresh();
        } catch (error) {
            if (signal.aborted || plantStore.data) return;
            top.say.textContent = t`The plants cannot be shown right now`;
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    plantStore.addEventListener("change", draw, { signal });
    plantStore.moves.addEventListener("moisture", ({ detail }) => list.move(notedWaterings.shown(detail)), { signal });
    screen.append(top.node, content);
    plantStore.recall();
    if (plantStore.data) {
        draw();
        await frameDrawn(); // what is known is shown before the hub is asked
    } else {
        fill(top.say, sayingSkeleton(t`plants`));
        fill(content, rowsSkeleton(4));
    }
    await load();
}

class PlantList {
    #content;
    #rows = new Map();
    #groups = null;

    constructor(content) {
        this.#content = content;
    }

    show(plants) {
        if (plants.length === 0) {
            this.#groups = null;
            this.#rows.clear();
            fill(this.#content, empty());
            return;
        }
        this.#groups ??= this.#frame();
        const there = new Set(plants.map((plant) => plant.id));
        for (const [id, item] of this.#rows) {
            if (there.has(id)) continue;
            item.remove();
            this.#rows.delete(id);
        }
        const wanting = plants.filter((plant) => plant.state !== "ok" || plant.errors?.length > 0
            || plant.conditions?.some((one) => one.words));
        this.#place(this.#groups.look, wanting);
        this.#place(this.#groups.well, plants.filter((plant) => !wanting.includes(plant)));
    }

    move(plant) {
        const item = this.#rows.get(plant.id);
        if (item) item.firstElementChild.plant = plant;
    }

    #place({ node, list }, plants) {
        node.hidden = plants.length === 0;
        plants.forEach((plant, i) => {
            let item = this.#rows.get(plant.id);
            if (!item) {
                item = make("li", {}, new PlantRow());
                this.#rows.set(plant.id, item);
            }
            item.firstElementChild.plant = plant;
            if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
        });
    }

    #frame() {
        const look = group("look", t`Look at these`);
        const well = group("well", t`These are well`);
        fill(this.#content, look.node, well.node, key(),
            signIn.isAdult && make("p", { class: "only-phone" },
                button(t`Add plant`, { icon: "plus", press: addPlant })));
        return { look, well };
    }
}

function group(id, title) {
    const list = make("ul", { class: "rows" });
    const node = make("section", { class: "section", "aria-labelledby": id }, make("h2", { id }, title), list);
    return { node, list };
}

function key() {
    const sample = (...shapes) => make("svg:svg", { viewBox: "0 0 26 12", "aria-hidden": true },
        shapes.map(([d, name]) => make("svg:path", { d, class: name })));
    return make("p", { class: "key" },
        make("span", {}, sample(["M0 9h26", "key-rule"], ["M.5 5v5M25.5 5v5", "key-tick"]), t`What this plant likes`),
        make("span", {}, sample(["M0 6h18", "key-bar"], ["M19.5 0v12", "key-now"]), t`Moisture now`));
}

function empty() {
    return make("div", { class: "empty" },
        art("art-basil", "art"),
        make("h2", { class: "say-s" }, t`No plants yet`),
        make("p", { class: "second" },
            t`Put a sensor into a pot and add the plant. Or try it first with a plant that lives only here.`),
        signIn.isAdult && make("div", { class: "row-of-buttons" },
            button(t`Add plant`, { kind: "primary", icon: "plus", press: addPlant }),
            button(t`Try it without a sensor`, { icon: "chip", press: () => tryWithoutSensor() })));
}

function more() {
    menu(t`Plants`, [
        { word: t`Add plant`, icon: "plus", act: addPlant },
        {
            word: t`Try it without a sensor`, icon: "chip", hint: t`A virtual plant that dries out and gets watered by itself`,
            act: () => tryWithoutSensor(),
        },
        {
            word: t`Add device`, icon: "sensor", hint: t`A sensor that signs in over MQTT`,
            act: () => addDevice({ kind: "plant-sensor", suggestion: t`Plant sensor` }),
        },
        {
            word: t`All devices`, icon: "settings", hint: t`Names, tokens, errors: in Settings`,
            act: () => go("/settings"),
        },
    ]);
}

async function update() {
    try {
        const { asked, answered } = await plantStore.update();
        if (asked === 0) {
            toast(t`No sensor can be asked right now. They send by themselves when there is something new.`, { icon: "info" });
        } else if (answered === asked) {
            toast(t`${asked} sensors asked, all answered.`, { icon: "refresh" });
        } else toast(t`${asked} sensors asked, ${answered} answered.`, { icon: "silent" });
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}
