import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";

/**
 * From which day to which.
 * @param {(span: {from?: string, to?: string}) => any} choose
 */
export function periodField(choose) {
    const said = make("p", { class: "problem", id: "period-problem", role: "alert", hidden: true });
    const day = (word) => make("input", { class: "input", type: "date", "aria-label": word });
    const [from, to] = [day(t`From`), day(t`To, and including`)];
    const problem = (error) => {
        said.hidden = !error;
        fill(said, error && [icon("warning"), make("span", {}, messageOf(error))]);
        for (const [input, name] of [[from, "from"], [to, "to"]]) {
            const isIt = error && (error.field === name || !error.field);
            if (isIt) input.setAttribute("aria-invalid", "true");
            else input.removeAttribute("aria-invalid");
            if (isIt) input.setAttribute("aria-describedby", said.id);
            else input.removeAttribute("aria-describedby");
        }
    };
    for (const input of [from, to]) {
        input.addEventListener("change", () => {
            problem(null);
            if (from.value && to.value) choose({ from: from.value, to: to.value });
        });
    }
    return {
        node: make("div", { class: "period-field" }, from, make("span", { class: "small" }, t`to`), to, said), problem,
        show: (data) => {
            problem(null);
            if (document.activeElement !== from) from.value = data.from;
            if (document.activeElement !== to) to.value = data.to;
        },
    };
}
