import { make } from "../../elements/make.js";

/** One page for the therapist. */
export async function openReport({ room, title }) {
    title("Report");
    room.append(make("header", { class: "wall" }, make("h1", { class: "say", tabindex: "-1" }, "Report")),
        make("div", { class: "floor" }));
}
