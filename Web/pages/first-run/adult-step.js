import { button } from "../../elements/button.js";
import { form } from "../../elements/form.js";
import { signIn } from "../../app/sign-in.js";
import { accountFields, codeField } from "../account-fields.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";
import { t } from "../../language/text.js";

/** Step 2: the first adult, who has the code that the hub printed. */
export function openAdultStep({ draft, go }) {
    const code = codeField(t`Code from the terminal`, t`The hub printed it where it was started. It shows that the house is yours. Small letters will do, and you can leave out hyphens.`);
    const { name, email, password } = accountFields();
    firstRunLayout(2, t`Your account`,
        greeting(t`Who looks after ${draft.household}?`, t`You, for a start: the first account belongs to whoever started the hub. Others are invited later.`),
        form({
            fields: [code, name, email, password], word: t`Create account`, size: "l",
            send: async () => {
                try {
                    await signIn.setUp({
                        code: code.value.trim(), household: draft.household, name: name.value.trim(),
                        email: email.value.trim(), password: password.value,
                        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
                    });
                } catch (error) {
                    if (error.field !== "household") throw error;
                    draft.problem = error.message; // It belongs to the step before.
                    return go("household");
                }
                draft.forget();
                await go("children");
            },
        }),
        ways(button(t`Back`, { kind: "quiet", icon: "back", press: () => go("household") })));
}
