import { make, fill } from "../../elements/make.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { get, put } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";

/** Which of the household's toothbrushes with Bluetooth is this person's. Not there while the household has none. */
export function toothbrushSection() {
    const body = make("div", { class: "stack" });
    const node = make("section", { class: "section", "aria-label": t`Toothbrush`, hidden: true },
        make("div", { class: "section-head" }, make("h2", {}, t`Toothbrush`)),
        make("p", { class: "second" }, t`What it brushes while nobody has this page open is counted too.`), body);
    let shown = null;
    const load = async (person) => {
        const brushes = signIn.isAdult ? await get("/api/brushing/brushes").catch(() => []) : [];
        if (shown !== person.id) return;
        node.hidden = brushes.length === 0;
        fill(body, brushes.map((brush) => toggle({
            name: t`${brush.name} is ${person.name}’s`, hint: t`The hub hears it by Bluetooth.`, on: brush.person === person.id,
            change: async (on) => {
                try {
                    await put(/** @type {const} */ (`/api/brushing/brushes/${brush.id}`), { person: on ? person.id : null });
                } catch (error) {
                    toast(messageOf(error), { icon: "warning" });
                }
                await load(person);
            },
        }).node));
    };
    return {
        node,
        show: (person) => {
            if (shown === person.id) return;
            shown = person.id;
            load(person);
        },
    };
}
