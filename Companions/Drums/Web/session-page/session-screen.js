import { make } from "../../elements/make.js";

/** One session as a score. */
export async function openSessionPage({ room, title }) {
    title("A song");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "A song")),
        make("div", { class: "floor" }));
}
