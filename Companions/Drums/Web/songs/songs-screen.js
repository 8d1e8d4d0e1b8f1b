import { make } from "../../elements/make.js";

/** The songs, and what is left of the week's practice. */
export async function openSongs({ room, title }) {
    title("Drums");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "Drums")),
        make("div", { class: "floor" }));
}
