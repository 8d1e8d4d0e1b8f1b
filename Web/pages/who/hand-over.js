import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { sheet } from "../../elements/sheet.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";

/**
 * Asks for the password that gives a device back from a child to a grown-up.
 * @param {{id: string, name: string}} person  who takes it
 * @param {string} lead  the hub's words
 * @param {() => void} done
 */
export function askPassword(person, lead, done) {
    const password = field({
        label: t`Password`, name: "password", type: "password", autocomplete: "current-password", required: true,
        hint: t`The password of ${signIn.person.name}, who is signed in here.`,
    });
    const opened = sheet(t`Switch to ${person.name}`, {
        lead,
        body: [form({
            fields: [password], word: t`Switch`,
            send: async () => {
                try {
                    await signIn.switchTo(person.id, password.value);
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
