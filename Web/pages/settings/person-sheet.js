import { button } from "../../elements/button.js";
import { faceChoice, freeFace } from "../../elements/face-choice.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { patch, post } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { openPersonArchive } from "./archive.js";
import { removeAdult, removeChild } from "./leaving.js";
import { changePassword, offerNewPassword } from "./passwords.js";
import { t } from "../../language/text.js";

/** Opens the sheet that adds a child. */
export function addChild() {
    const fields = personFields({ face: freeFace(signIn.people) }, true);
    const opened = sheet(t`Add a child`, {
        lead: t`Children have no password: they use a device that an adult signed in.`,
        body: [form({
            fields: fields.all, word: t`Add child`,
            send: async () => {
                const child = fields.value();
                await post("/api/people", { ...child, birthYear: child.birthYear ?? undefined });
                await signIn.load();
                opened.close();
                toast(t`${child.name} was added.`, { icon: "people" });
            },
        })],
    });
    fields.first.focus();
}

/**
 * Opens the sheet that changes somebody.
 * @param {object} person
 */
export function editPerson(person) {
    const path = /** @type {const} */ (`/api/people/${encodeURIComponent(person.id)}`);
    const isChild = person.role === "child";
    const fields = personFields(person, isChild);
    const opened = sheet(person.name, {
        body: [form({
            fields: fields.all, word: t`Save`, icon: "check",
            send: async () => {
                await patch(path, fields.value());
                await signIn.load();
                opened.close();
                toast(t`Saved.`);
            },
        }),
        make("div", { class: "sheet-actions" }, further(person, isChild, () => opened.close()))],
    });
}

/** What else can be done: about a password, and leaving. */
function further(person, isChild, close) {
    const isSelf = person.id === signIn.person.id;
    const removal = button(isSelf ? t`Leave this household` : t`Remove ${person.name}`, {
        kind: "danger", icon: isSelf ? "signout" : "trash",
        press: () => (isChild ? removeChild : removeAdult)(person, close),
    });
    const kept = button(t`Download what is kept`, { icon: "download", press: () => { close(); openPersonArchive(person); } });
    if (!person.email) return [kept, removal];
    return [
        kept,
        isSelf ? button(t`Change password`, { icon: "edit", press: () => { close(); changePassword(); } })
            : button(t`New password`, { icon: "edit", press: () => { close(); offerNewPassword(person); } }),
        removal,
    ];
}

/** Name and face, and for a child the year of birth. */
function personFields(person, isChild) {
    const name = field({ label: t`Name`, name: "name", value: person.name, required: true });
    const faces = faceChoice(person.face);
    const year = field({
        label: t`Year of birth`, name: "birthYear", value: person.birthYear ? String(person.birthYear) : "",
        hint: t`Only so that things fit the age. It may stay empty.`,
        attributes: { inputmode: "numeric", maxlength: "4" },
    });
    return {
        first: name.input,
        all: isChild ? [name, faces, year] : [name, faces],
        value: () => ({
            name: name.value.trim(), face: faces.value,
            ...(isChild ? { birthYear: year.value.trim() === "" ? null : Number(year.value) } : {}),
        }),
    };
}
