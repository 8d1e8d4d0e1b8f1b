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
import { session } from "../app/session.js";
import { go } from "../app/shell.js";
import { frameDrawn } from "../app/when-idle.js";
import { counted } from "../text/numbers.js";
import { garden } from "./garden.js";
import { addPlant, tryWithoutSensor } from "./plant-form.js";
import { PlantRow } from "./plant-row.js";

/** The list of plants: who wants something, and who is well. */
export async function openGarden({ screen, signal, title }) {
    title("Plants");
    const sill = make("div", { class: "sill", "aria-hidden": true });
    const top = header({
        name: "Plants", icon: "plants",
        actions: session.isAdult && [iconButton("Add plant", "plus", addPlant), iconButton("More", "more", more)],
        below: [sill, make("div", { class: "host" },
            button("Update plant data", { icon: "refresh", press: update }), connectedSwitch(signal))],
    });
    const content = make("div", { class: "content" });
    const list = new PlantList(content);
    const draw = () => {
        const { headline, lead, plants } = garden.data;
        if (top.say.textContent !== headline || top.say.querySelector(".skeleton")) top.say.textContent = headline;
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
            await garden.load();
        } catch (error) {
            if (signal.aborted || garden.data) return;
            top.say.textContent = "The plants cannot be seen now";
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    garden.addEventListener("change", draw, { signal });
    garden.moves.addEventListener("moisture", ({ detail }) => list.move(detail), { signal });
    screen.append(top.node, content);
    garden.recall();
    if (garden.data) {
        draw();
        await frameDrawn(); // what is known is shown before the hub is asked
    } else {
        fill(top.say, sayingSkeleton("plants"));
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
        const wanting = plants.filter((plant) => plant.state !== "ok" || plant.errors?.length > 0);
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
        const look = group("look", "Look at these");
        const well = group("well", "These are well");
        fill(this.#content, look.node, well.node, key(),
            session.isAdult && make("p", { class: "only-phone" },
                button("Add plant", { icon: "plus", press: addPlant })));
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
        make("span", {}, sample(["M0 9h26", "key-rule"], ["M.5 5v5M25.5 5v5", "key-tick"]), "What this plant likes"),
        make("span", {}, sample(["M0 6h18", "key-bar"], ["M19.5 0v12", "key-now"]), "Moisture now"));
}

function empty() {
    return make("div", { class: "empty" },
        art("art-basil", "art"),
        make("h2", { class: "say-s" }, "No plant yet"),
        make("p", { class: "second" },
            "Put a sensor into a pot and add the plant. Or see first how it looks, with a plant that lives only here."),
        session.isAdult && make("div", { class: "row-of-buttons" },
            button("Add plant", { kind: "primary", icon: "plus", press: addPlant }),
            button("Try it without a sensor", { icon: "chip", press: tryWithoutSensor })));
}

function more() {
    menu("Plants", [
        { word: "Add plant", icon: "plus", act: addPlant },
        {
            word: "Try it without a sensor", icon: "chip", hint: "A virtual plant that dries and is watered by itself",
            act: tryWithoutSensor,
        },
        {
            word: "Add device", icon: "sensor", hint: "A sensor that logs in over MQTT",
            act: () => addDevice({ kind: "plant-sensor", suggestion: "Plant sensor" }),
        },
        {
            word: "All devices", icon: "settings", hint: "Names, tokens, errors: in Settings",
            act: () => go("/settings"),
        },
    ]);
}

async function update() {
    try {
        const { asked, answered } = await garden.update();
        if (asked === 0) {
            toast("No sensor can be asked now. Each sends by itself when it has something.", { icon: "info" });
        } else if (answered === asked) {
            toast(`${counted(asked, "sensor")} asked, all answered.`, { icon: "refresh" });
        } else toast(`${counted(asked, "sensor")} asked, ${answered} answered.`, { icon: "silent" });
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}
