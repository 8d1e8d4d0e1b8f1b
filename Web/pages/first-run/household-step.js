import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout } from "./first-run-layout.js";
import { t } from "../../language/text.js";

/** Step 1: what the household is called. */
export function openHouseholdStep({ draft, go }) {
    const name = field({
        label: t`Household`, name: "household", required: true, value: draft.household,
        hint: t`What you call home: a family’s name, a street, a joke. It can be changed later.`,
        attributes: { maxlength: "80" },
    });
    firstRunLayout(1, t`Welcome`,
        greeting(t`Welcome. What is this house called?`, t`Five short steps, and Tandem is yours. Everything stays on the hub in this house.`),
        form({
            fields: [name], word: t`Go on`, size: "l",
            send: async () => {
                draft.household = name.value.trim();
                await go("adult");
            },
        }));
    name.problem(draft.problem);
    draft.problem = null;
}
