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
import { session } from "../../app/session.js";
import { enter } from "../../app/shell.js";

/** The household: its name, and the companions that it uses. */
export function householdSection({ signal, section }) {
    const name = make("span", { class: "name" });
    const companions = make("div", { class: "rows" });
    const { show, save } = storedControls(companions, () => {
        name.textContent = session.household.name;
        fill(companions,
            make("div", { class: "row" }, icon("home"),
                make("span", { class: "words" }, name, make("span", { class: "fine" }, "the household’s name")),
                iconButton("Rename the household", "edit", rename)),
            session.allCompanions.map((one) => companionSwitch(one, save)));
    });
    session.addEventListener("change", () => show(session), { signal });
    show(session);
    return section("Household", companions);
}

function companionSwitch({ slug, title, isUsed }, save) {
    const use = async (on) => {
        await session.use(session.allCompanions.filter((one) => (one.slug === slug ? on : one.isUsed))
            .map((one) => one.slug));
        await enter(); // The bar of places shows what there is.
        toast(on ? `${title} is open.` : `${title} is closed. Nothing was lost.`, { icon: slug });
    };
    return toggle({
        name: title, hint: isUsed ? "in use" : "closed: what it keeps stays on the hub", on: isUsed,
        change: (on) => save(() => use(on)).catch((error) => toast(messageOf(error), { icon: "warning" })),
    }).node;
}

function rename() {
    const name = field({ label: "Name", name: "name", value: session.household.name, required: true });
    const opened = sheet("The household’s name", {
        body: [form({
            fields: [name], word: "Save", icon: "check",
            send: async () => {
                await session.rename(name.value.trim());
                opened.close();
                toast("Renamed.");
            },
        })],
    });
    name.input.focus();
    name.input.select();
}
