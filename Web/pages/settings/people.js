import { button, iconButton } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { face } from "../../elements/face.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { isAborted, post, remove } from "../../house/api.js";
import { session } from "../../house/session.js";
import { dayAndTime } from "../../words/dates.js";

/** The people of the household: children are added here, adults are invited. */
export function peopleSection({ signal }) {
    const list = make("ul", { class: "rows" });
    const draw = () => fill(list, session.people.map(row));
    session.addEventListener("change", draw, { signal });
    draw();
    return make("section", { class: "section", "aria-labelledby": "s-people" },
        make("div", { class: "section-head" }, make("h2", { id: "s-people" }, "People")),
        list,
        session.isAdult && make("div", { class: "row-of-buttons" },
            button("Add child", { icon: "plus", press: addChild }),
            button("Invite", { icon: "share", press: invite })));
}

function row(person) {
    const about = person.role === "child"
        ? person.birthYear ? `child, born ${person.birthYear}` : "child"
        : person.email ?? "adult";
    return make("li", { class: "row" }, face(person),
        make("span", { class: "words" }, make("span", { class: "name" }, person.name),
            make("span", { class: "fine" }, about)),
        session.isAdult && person.role === "child" && iconButton(`Remove ${person.name}`, "trash", () => confirm({
            title: `Remove ${person.name}?`, yes: `Remove ${person.name}`, no: "Not now",
            lead: "What is kept for this child goes too. This cannot be undone.",
            act: async () => {
                await remove(`/api/people/${encodeURIComponent(person.id)}`);
                await session.load();
                toast(`${person.name} removed.`, { icon: "trash" });
            },
        })));
}

function addChild() {
    const name = field({ label: "Name", name: "name", required: true });
    const year = field({
        label: "Year of birth", name: "birthYear", hint: "Only so that things fit the age. It may stay empty.",
        attributes: { inputmode: "numeric" },
    });
    const faces = faceChoice();
    const opened = sheet("Add a child", {
        lead: "Children have no password: they use a device that an adult signed in.",
        body: [form({
            fields: [name, faces, year], word: "Add child",
            send: async () => {
                await post("/api/people", {
                    name: name.value.trim(), face: faces.value || undefined,
                    birthYear: year.value.trim() === "" ? undefined : Number(year.value),
                });
                await session.load();
                opened.close();
                toast(`${name.value.trim()} is part of the house.`, { icon: "people" });
            },
        })],
    });
    name.input.focus();
}

function faceChoice() {
    const radios = [["bear", "Bear"], ["fox", "Fox"]].map(([value, word], i) => ({
        value, input: make("input", { type: "radio", name: "face", value, checked: i === 0 }), word,
    }));
    const node = make("fieldset", { class: "field" },
        make("legend", { class: "label" }, "Face"),
        make("div", { class: "faces" }, radios.map(({ value, input, word }) => make("label", { class: "choice" },
            input, make("span", { class: "face" }, icon(`face-${value}`)), make("span", { class: "words" }, word),
                icon("check")))));
    return {
        name: "face", node, problem: () => {},
        get value() { return radios.find(({ input }) => input.checked)?.value; },
    };
}

function invite() {
    const body = make("div", { class: "stack" }, linesSkeleton(80, 50));
    const opened = sheet("Invite an adult", {
        lead: "Whoever has this code can make an account in this household, once.", body: [body],
    });
    const load = async () => {
        try {
            const { code, expiresAt } = await post("/api/invitations", {}, { signal: opened.signal });
            fill(body,
                make("div", { class: "field" }, make("span", { class: "label" }, "Code"),
                    copyLine(code, "Copy the code")),
                make("div", { class: "field" }, make("span", { class: "label" }, "Or as a link"),
                    copyLine(`${location.origin}/join#code=${encodeURIComponent(code)}`, "Copy the link")),
                make("p", { class: "fine" }, `Good until ${dayAndTime(expiresAt)}.`));
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: load }));
        }
    };
    load();
}
