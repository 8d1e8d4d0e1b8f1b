import { face } from "../elements/face.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { session } from "../house/session.js";

/** The sheet that asks who uses this device now. The sign-in stays; what is done is kept for the person chosen. */
export function askWho() {
    const trouble = make("div", { "aria-live": "assertive" });
    const choose = async (person) => {
        try {
            await session.switchTo(person.id);
            opened.close();
        } catch (error) {
            // The hub lets nobody out of a child’s profile without the grown-up’s password.
            if (error.field === "password") askPassword(person, error.message, () => opened.close());
            else trouble.replaceChildren(problemNotice(error));
        }
    };
    const opened = sheet("Who is this?", {
        lead: "What is done on this device is then kept for that person. The sign-in stays.",
        body: [trouble, make("div", { class: "rows" }, session.people.map((person) => row(person, choose)))],
    });
}

function row(person, choose) {
    const here = person.id === session.profile.id;
    return make("button", {
        class: "row", type: "button", "aria-pressed": here, on: { click: () => choose(person) },
    }, face(person),
    make("span", { class: "words" },
        make("span", { class: "name" }, person.name),
        person.id === session.person.id && make("span", { class: "fine" }, "signed in here")),
    here && icon("check"));
}

function askPassword(person, lead, done) {
    const password = field({
        label: "Password", name: "password", type: "password", autocomplete: "current-password", required: true,
        hint: `Of ${session.person.name}, who is signed in here.`,
    });
    const opened = sheet(`Hand over to ${person.name}`, {
        lead,
        body: [form({
            fields: [password], word: "Hand over",
            send: async () => {
                try {
                    await session.switchTo(person.id, password.value);
                } catch (error) {
                    if (error.status === 401 || error.status === 429) error.field ??= "password";
                    throw error;
                }
                opened.close();
                done();
            },
        })],
    });
    password.input.focus();
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
