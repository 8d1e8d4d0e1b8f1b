import { make } from "../../elements/make.js";

/** Active drums, level, mode, hands, plan, links. */
export async function openDrumSettings({ room, title }) {
    title("Drums settings");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "Drums settings")),
        make("div", { class: "floor" }));
}
