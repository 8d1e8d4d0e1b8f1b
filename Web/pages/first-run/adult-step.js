import { button } from "../../elements/button.js";
import { form } from "../../elements/form.js";
import { session } from "../../app/session.js";
import { accountFields, codeField } from "../account-fields.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";

/** Step 2: the first adult, who has the code that the hub printed. */
export function openAdultStep({ draft, go }) {
    const code = codeField("Code from the terminal", "The hub printed it where it was started: it shows that the "
        + "house is yours. Small letters will do, and hyphens may be left out.");
    const { name, email, password } = accountFields();
    firstRunLayout(2, "Your account",
        greeting(`Who looks after ${draft.household}?`, "You, for a start: the first account belongs to whoever "
            + "started the hub. Others are invited later."),
        form({
            fields: [code, name, email, password], word: "Move in", size: "l",
            send: async () => {
                try {
                    await session.setUp({
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
        ways(button("Back", { kind: "quiet", icon: "back", press: () => go("household") })));
}
