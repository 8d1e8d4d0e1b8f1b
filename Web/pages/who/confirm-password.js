import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { sheet } from "../../elements/sheet.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";

let asking = null;

/**
 * Asks whoever holds this device for the password of who is signed in: an adult’s things are open then for some minutes.
 * All that want it at the same time are one question.
 * @returns {Promise<boolean>}  whether it was typed; false where the question was put away
 */
export function confirmPassword() {
    asking ??= new Promise((done) => {
        let isTyped = false;
        const password = field({
            label: t`Password`, name: "password", type: "password", autocomplete: "current-password", required: true,
            hint: t`The password of ${signIn.person.name}, who is signed in here.`,
        });
        const opened = sheet(t`Is it you?`, {
            lead: t`This device is shared by the family. Type your password to go on.`,
            body: [form({
                fields: [password], word: t`Go on`,
                send: async () => {
                    try {
                        await signIn.confirm(password.value);
                    } catch (error) {
                        if (error.status === 401 || error.status === 429) error.field ??= "password";
                        throw error;
                    }
                },
            })],
            closed: () => done(isTyped),
        });
        // Who says at “Who is this?” to be somebody has answered this as well.
        signIn.addEventListener("change", () => {
            if (signIn.needsPassword) return;
            isTyped = signIn.isAdult;
            opened.close();
        }, { signal: opened.signal });
        password.input.focus();
    }).finally(() => { asking = null; });
    return asking;
}
