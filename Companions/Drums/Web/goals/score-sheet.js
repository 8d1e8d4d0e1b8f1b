import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { post } from "../../app/api.js";
import { t } from "../../language/text.js";

/**
 * Asks for one score of the clinic.
 * @param {Drums.ClinicScoresResponse} data  what can be entered
 * @param {Array<{id: string, text: string}>} goals
 * @param {`/api/drums/people/${string}/scores`} path
 * @param {(data: Drums.ClinicScoresResponse) => void} done
 */
export function openScoreSheet(data, goals, path, done) {
    const measure = choice(t`Test`, "measure", data.measures.map(({ name, title }) => [name, title]));
    const day = field({ label: t`Day`, name: "day", type: "date", value: data.today, required: true,
        attributes: { max: data.today } });
    const side = choice(t`Hand`, "side", [["left", t`Left`], ["right", t`Right`]]);
    const goal = choice(t`Goal`, "goal", goals.map(({ id, text }) => [id, text]));
    const value = field({ label: t`Score`, name: "value", type: "number", required: true, hint: " ",
        attributes: { step: 1 } });
    const satisfaction = field({ label: t`Satisfaction`, name: "satisfaction", type: "number",
        attributes: { inputmode: "numeric", step: 1 } });
    const noGoal = make("p", { class: "small second" }, t`Write a goal first: this score is about one.`);
    const show = () => {
        const { unit, least, most, isOfSide, isOfGoal, hasSatisfaction } = chosen();
        side.node.hidden = !isOfSide;
        goal.node.hidden = !isOfGoal || goals.length === 0;
        noGoal.hidden = !isOfGoal || goals.length > 0;
        satisfaction.node.hidden = !hasSatisfaction;
        const label = value.node.querySelector("label");
        if (label) label.textContent = hasSatisfaction ? t`Performance` : t`Score`;
        const hint = value.node.querySelector(".hint");
        if (hint) hint.textContent = unit;
        for (const one of [value, satisfaction]) Object.assign(one.input, { min: least, max: most });
    };
    const chosen = () => data.measures.find(({ name }) => name === measure.value);
    measure.input.addEventListener("change", show);
    show();
    const opened = sheet(t`Enter a score`, {
        lead: t`As it was measured in the clinic.`,
        body: [form({
            word: t`Save`, fields: [measure, day, side, goal, value, satisfaction], before: noGoal,
            send: async () => {
                const { isOfSide, isOfGoal, hasSatisfaction } = chosen();
                done(await post(path, {
                    measure: measure.value, day: day.value, value: Number(value.value),
                    side: isOfSide ? side.value : null, goal: isOfGoal ? goal.value || null : null,
                    satisfaction: hasSatisfaction && satisfaction.value !== "" ? Number(satisfaction.value) : null,
                }));
                opened.close();
                toast(t`The score is saved.`, { icon: "check" });
            },
        })],
    });
}

function choice(label, name, choices) {
    const id = `score-${name}`;
    const said = make("p", { class: "problem", hidden: true });
    const select = make("select", { class: "input", id, name }, choices.map(([of, word]) => make("option", { value: of }, word)));
    return {
        name, input: select, get value() { return select.value; },
        problem: (words) => {
            said.hidden = !words;
            said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
        },
        node: make("div", { class: "field" }, make("label", { for: id }, label),
            make("span", { class: "with-arrow" }, select, icon("down", "s")), said),
    };
}
