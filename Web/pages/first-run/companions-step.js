import { button } from "../../elements/button.js";
import { companionChoice } from "../../elements/companion-choice.js";
import { form } from "../../elements/form.js";
import { signIn } from "../../app/sign-in.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";
import { t } from "../../language/text.js";

/** Step 4: which companions this household wants. */
export function openCompanionsStep({ go }) {
    const slugs = companionChoice(signIn.allCompanions);
    firstRunLayout(4, t`Companions`,
        greeting(t`What would you like to do here?`, t`A companion is like a room of the house. You can open or close any of them later in Settings, and nothing is lost.`),
        form({
            fields: [slugs], word: t`Go on`, size: "l",
            send: async () => {
                await signIn.use(slugs.value);
                await signIn.setUpTo("device");
                await go("device");
            },
        }),
        ways(button(t`Back`, {
            kind: "quiet", icon: "back",
            press: async () => {
                await signIn.setUpTo("children");
                await go("children");
            },
        })));
}
