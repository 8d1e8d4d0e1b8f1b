import { connectedSwitch } from "../../elements/connected-switch.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { session } from "../../house/session.js";
import { chooseTheme, chosenTheme } from "../../house/theme.js";
import { askWho } from "../who.js";

/** This device: who uses it, whether it listens, how it looks. */
export function hereSection({ signal, section }) {
    const who = make("button", { class: "row", type: "button", on: { click: askWho } });
    const draw = () => who.replaceChildren(face(session.profile),
        make("span", { class: "words" },
            make("span", { class: "name" }, session.profile.name),
            make("span", { class: "fine" }, "uses this device now")),
        icon("forward", "s"));
    session.addEventListener("change", draw, { signal });
    draw();
    return section("This device",
        make("div", { class: "rows" }, who, connectedSwitch(signal, { hint: true })),
        make("div", { class: "field" },
            make("span", { class: "label" }, "Appearance"),
            segmented("Appearance", [
                { value: "system", word: "As the system" }, { value: "light", word: "Light" },
                { value: "dark", word: "Dark" },
            ], chosenTheme(), chooseTheme)));
}
