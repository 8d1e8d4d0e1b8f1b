import { make } from "../../elements/make.js";

/** The sessions of a day. */
export async function openDay({ room, title }) {
    title("A day");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "A day")),
        make("div", { class: "floor" }));
}
