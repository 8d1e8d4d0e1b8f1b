import { face } from "../elements/face.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { session } from "../house/session.js";

/** The sheet that asks who uses this device now. The sign-in stays; what is done is kept for the person chosen. */
export function askWho() {
    const trouble = make("div", { "aria-live": "assertive" });
    const opened = sheet("Who is this?", {
        lead: "What is done on this device is then kept for that person. The sign-in stays.",
        body: [trouble, make("div", { class: "rows" }, session.people.map((person) => {
            const here = person.id === session.profile.id;
            return make("button", {
                class: "row", type: "button", "aria-pressed": here,
                on: {
                    click: async () => {
                        try {
                            await session.switchTo(person.id);
                            opened.close();
                        } catch (error) {
                            trouble.replaceChildren(problemNotice(error));
                        }
                    },
                },
            }, face(person),
            make("span", { class: "words" },
                make("span", { class: "name" }, person.name),
                person.id === session.person.id && make("span", { class: "fine" }, "signed in here")),
            here && icon("check"));
        }))],
    });
}

/** The button with the face of who uses this device. @param {AbortSignal} signal */
export function whoButton(signal) {
    const node = make("button", { class: "icon-button", type: "button", on: { click: askWho } });
    const draw = () => {
        node.setAttribute("aria-label", `${session.profile.name} uses this device. Change`);
        node.replaceChildren(face(session.profile, "s"));
    };
    session.addEventListener("change", draw, { signal });
    draw();
    return node;
}
