import { field } from "../elements/field.js";
import { t } from "../language/text.js";

/** What a new password must be, before somebody tries. The hub checks it. */
export const PASSWORD_HINT = t`At least 8 characters. A few words of your own are easy to remember.`;

/** The fields of a new account, as the hub's problems name them. */
export function accountFields() {
    return {
        name: field({ label: t`Your name`, name: "name", autocomplete: "given-name", required: true }),
        email: field({
            label: t`Email`, name: "email", type: "email", autocomplete: "username", required: true,
            hint: t`To sign in with. Nothing is ever sent to it.`,
            attributes: { inputmode: "email", autocapitalize: "none", spellcheck: "false" },
        }),
        password: field({
            label: t`Password`, name: "password", type: "password", autocomplete: "new-password", required: true,
            hint: PASSWORD_HINT,
        }),
    };
}

/** The field of a code that was given out: typed without care for case, spaces or help from the keyboard. */
export function codeField(label, hint, value = "") {
    return field({
        label, name: "code", hint, value, autocomplete: "one-time-code", required: true,
        attributes: { autocapitalize: "none", spellcheck: "false" },
    });
}
