import { button, iconButton } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { faceChoice, freeFace } from "../../elements/face-choice.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { post, remove } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";
import { t } from "../../language/text.js";

/** Step 3: the children, as many as there are, or none. */
export function openChildrenStep({ go }) {
    const children = signIn.people.filter((person) => person.role === "child");
    const name = field({ label: t`Name`, name: "name", required: true, attributes: { maxlength: "80" } });
    const faces = faceChoice(freeFace(signIn.people));
    const year = field({
        label: t`Year of birth`, name: "birthYear", hint: t`Only so that things fit the age. It may stay empty.`,
        attributes: { inputmode: "numeric", maxlength: "4" },
    });
    const trouble = make("div", { "aria-live": "assertive" });
    const add = async () => {
        await post("/api/people", {
            name: name.value.trim(), face: faces.value ?? undefined,
            birthYear: year.value.trim() === "" ? undefined : Number(year.value),
        });
        await signIn.load();
    };
    const asked = form({
        fields: [name, faces, year], word: t`Add child`, icon: "plus", isPlain: true,
        send: async () => {
            await add();
            await go("children");
        },
    });
    const goOn = async () => {
        // A name that was typed and not yet added is meant all the same.
        if (name.value.trim() !== "") return asked.requestSubmit();
        try {
            await signIn.setUpTo("companions");
            await go("companions");
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
    };
    const gone = async (child) => {
        try {
            await remove(`/api/people/${encodeURIComponent(child.id)}`);
            await signIn.load();
            await go("children");
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
    };
    firstRunLayout(3, t`Children`,
        greeting(children.length === 0 ? t`Do children live here?` : t`Any more children?`,
            t`A child has a face and no password: on a family device one tap says who is there.`),
        children.length > 0 && make("ul", { class: "rows" }, children.map((child) => make("li", { class: "row" },
            face(child),
            make("span", { class: "words" }, make("span", { class: "name" }, child.name),
                child.birthYear && make("span", { class: "fine" }, t`born ${String(child.birthYear)}`)),
            iconButton(t`Remove ${child.name}`, "trash", () => gone(child))))),
        asked, trouble,
        ways(button(children.length === 0 ? t`No children, go on` : t`That’s everybody, go on`, {
            kind: "primary", size: "l", wide: true, press: goOn,
        })));
}
