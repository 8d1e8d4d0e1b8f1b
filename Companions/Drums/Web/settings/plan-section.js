import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { section } from "../../elements/header.js";
import { put, remove } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { weekPlan } from "../dose.js";
import { overview, songs } from "../overview.js";

/**
 * How much is to be practised, as somebody has planned it: minutes a week, songs, level, when to stop.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function planSection(path) {
    const body = make("div", { class: "stack" });
    const node = section(t`Plan`, body);
    node.id = "plan";
    let person = null;
    const open = async () => {
        try {
            const [{ openPlanSheet }] = await Promise.all([import("./plan-sheet.js"), songs.known()]);
            openPlanSheet(person, path(person, "plan"));
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const end = () => {
        const { plan, name } = person;
        confirm({
            title: t`End ${name}’s plan?`, yes: t`End the plan`, no: t`Keep it`,
            lead: t`From today on nothing is planned. The weeks before keep it.`,
            act: async () => {
                overview.take(await remove(path(person, "plan")) ?? { ...person, plan: null });
                toast(t`The plan has ended.`, { undo: async () => { overview.take(await put(path(person, "plan"),
                    plan)); } });
            },
        });
    };
    const show = (data) => {
        person = data;
        const { plan, mayPlan } = data;
        fill(body, plan ? [
            data.week?.plannedMinutes ? make("div", { class: "plan-content" }, weekPlan(data.week))
                : make("p", {}, make("b", { class: "strong" }, t`Planned by ${plan.setBy}`)),
            make("p", { class: "small second" }, plan.words),
            plan.note && make("blockquote", { class: "plan-note small" }, plan.note),
            mayPlan && make("div", { class: "row-of-buttons" },
                button(t`Change the plan`, { icon: "edit", press: open }),
                button(t`End the plan`, { kind: "quiet", press: end })),
        ] : [
            make("p", { class: "small second" }, t`Nothing is planned. A therapist may say how many minutes a week, which songs at which level, and when to stop. An adult of the house enters it here.`),
            mayPlan && make("div", { class: "row-of-buttons" }, button(t`Make a plan`, { icon: "plus", press: open })),
        ]);
    };
    return { node, show };
}
