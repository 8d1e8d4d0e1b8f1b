import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { session } from "../house/session.js";
import { accountFields, codeField } from "./account-fields.js";
import { greeting, porch } from "./porch.js";

/** The first page of a new hub: who lives here. @param {() => any} opened */
export function openFirstAccount(opened) {
    const code = codeField("Code from the terminal",
        "The hub printed it where it was started: it shows that the house is yours.");
    const household = field({
        label: "Household", name: "household", required: true, hint: "What you call home, such as a family’s name.",
    });
    const { name, email, password } = accountFields();
    porch("Welcome",
        greeting("Welcome. Who lives here?", "This hub is new. The first account belongs to whoever started it."),
        form({
            fields: [code, household, name, email, password], word: "Move in", size: "l",
            send: async () => {
                await session.setUp({
                    code: code.value.trim(), household: household.value.trim(), name: name.value.trim(),
                    email: email.value.trim(), password: password.value,
                    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
                });
                await opened();
            },
        }));
    code.input.focus();
}
