import { iconButton } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { storedControls } from "../../elements/stored-controls.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { enter } from "../../app/shell.js";
import { t } from "../../language/text.js";

/** The household: its name, and the companions that it uses. */
export function householdSection({ signal, section }) {
    const name = make("span", { class: "name" });
    const companions = make("div", { class: "rows" });
    const { show, save } = storedControls(companions, () => {
        name.textContent = signIn.household.name;
        fill(companions,
            make("div", { class: "row" }, icon("home"),
                make("span", { class: "words" }, name, make("span", { class: "fine" }, t`the household’s name`)),
                iconButton(t`Rename the household`, "edit", rename)),
            signIn.allCompanions.map((one) => companionSwitch(one, save)));
    });
    signIn.addEventListener("change", () => show(signIn), { signal });
    show(signIn);
    return section(t`Household`, companions);
}

function companionSwitch({ slug, title, isUsed }, save) {
    const use = async (on) => {
        await signIn.use(signIn.allCompanions.filter((one) => (one.slug === slug ? on : one.isUsed))
            .map((one) => one.slug));
        await enter(); // The bar of places shows what there is.
        toast(on ? t`${title} is open.` : t`${title} is closed. Nothing was lost.`, { icon: slug });
    };
    return toggle({
        name: title, hint: isUsed ? t`in use` : t`closed: what it keeps stays on the hub`, on: isUsed,
        change: (on) => save(() => use(on)).catch((error) => toast(messageOf(error), { icon: "warning" })),
    }).node;
}

function rename() {
    const name = field({ label: t`Name`, name: "name", value: signIn.household.name, required: true });
    const opened = sheet(t`The household’s name`, {
        body: [form({
            fields: [name], word: t`Save`, icon: "check",
            send: async () => {
                await signIn.rename(name.value.trim());
                opened.close();
                toast(t`Renamed.`);
            },
        })],
    });
    name.input.focus();
    name.input.select();
}
