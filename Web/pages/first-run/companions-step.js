import { button } from "../../elements/button.js";
import { companionChoice } from "../../elements/companion-choice.js";
import { form } from "../../elements/form.js";
import { session } from "../../app/session.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";

/** Step 4: which companions this household wants. */
export function openCompanionsStep({ go }) {
    const slugs = companionChoice(session.allCompanions);
    firstRunLayout(4, "Companions",
        greeting("What would you like to do here?", "A companion is a room of the house. Any can be opened or closed "
            + "later, in Settings; nothing is lost by it."),
        form({
            fields: [slugs], word: "Go on", size: "l",
            send: async () => {
                await session.use(slugs.value);
                await session.setUpTo("device");
                await go("device");
            },
        }),
        ways(button("Back", {
            kind: "quiet", icon: "back",
            press: async () => {
                await session.setUpTo("children");
                await go("children");
            },
        })));
}
