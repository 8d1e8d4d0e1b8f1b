import { make } from "../../elements/make.js";

/** What has just been played. */
export async function openDone({ room, title }) {
    title("Played");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "Played")),
        make("div", { class: "floor" }));
}
