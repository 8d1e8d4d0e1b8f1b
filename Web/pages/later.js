import { art } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { wall } from "../elements/wall.js";

const LATER = {
    drums: ["Drums come later", "Practice for hands, with four pads and the family’s songs. It is not built yet."],
    toy: ["The toy comes later", "An owl that tells children what is true. It is not built yet."],
    lab: ["The lab comes later", "A phone full of sensors, to measure with. It is not built yet."],
    timeline: [
        "The timeline comes later", "What all of you did together with your devices, day by day. It is not built yet.",
    ],
};

/** An address where nothing stands: what is still to come says so, anything else is said to be not here. */
export function later({ room, title }) {
    const name = location.pathname.split("/")[1];
    const [say, lead] = LATER[name] ?? ["There is no such page", "The address may be old, or mistyped."];
    const known = name in LATER;
    if (known && name !== "timeline") document.body.dataset.companion = name;
    title(say);
    room.append(
        wall({
            name: known ? name[0].toUpperCase() + name.slice(1) : "Tandem", icon: known ? name : "today", say, lead,
            below: [art(known ? name : "today", "wall-art later-art")],
        }).node,
        make("div", { class: "floor" }, make("p", {}, make("a", { class: "link", data: { block: "" }, href: "/" },
            "To what there is today"))));
}
