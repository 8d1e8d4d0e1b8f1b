import { make } from "../../elements/make.js";

/** The song that is played, over the whole screen. */
export async function openPlay({ room, title }) {
    title("Play");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "Play")),
        make("div", { class: "floor" }));
}
