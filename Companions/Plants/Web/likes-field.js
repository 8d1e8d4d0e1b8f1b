import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/** @type {Array<{name: "temperature"|"dailyLight"|"light"|"conductivity", word: string, unit: string, step: number}>} */
const QUANTITIES = [
    { name: "temperature", word: t`Temperature`, unit: "°C", step: 1 },
    { name: "dailyLight", word: t`Light of a day`, unit: "mol/m²", step: 0.5 },
    { name: "light", word: t`Brightest light`, unit: "lx", step: 100 },
    { name: "conductivity", word: t`Food in the soil`, unit: "µS/cm", step: 50 },
];

/**
 * From and to of what a plant likes besides moisture. Each may be left empty. Whether they make sense, the hub says.
 * @param {object} [likes]  as the hub answers them
 */
export function likesField(likes = {}) {
    const said = make("p", { class: "problem", hidden: true, id: "likes-problem" });
    const rows = QUANTITIES.map(({ name, word, unit, step }) => {
        const input = (label, value) => make("input", {
            class: "input", type: "number", inputmode: "decimal", step, value: Number.isFinite(value) ? String(value) : "",
            "aria-label": label,
        });
        const low = input(t`${word}, from`, likes[name]?.low);
        const high = input(t`${word}, to`, likes[name]?.high);
        const node = make("div", { class: "like" }, make("span", { class: "small" }, t`${word}, ${unit}`),
            low, make("span", { class: "small second" }, t`to`), high);
        return { name, low, high, node };
    });
    const node = make("details", { class: "field likes" },
        make("summary", { class: "label" }, t`Warmth, light and food`),
        make("p", { class: "hint" }, t`What its sensors can measure. What is empty is not watched.`),
        rows.map((row) => row.node), said);
    return {
        name: "likes", node, input: rows[0].low,
        problem: (words) => {
            said.hidden = !words;
            said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
            if (words) node.setAttribute("open", "");
        },
        propose: (proposed) => {
            for (const { name, low, high } of rows) {
                low.value = Number.isFinite(proposed[name]?.low) ? String(proposed[name].low) : "";
                high.value = Number.isFinite(proposed[name]?.high) ? String(proposed[name].high) : "";
            }
        },
        get value() {
            const number = ({ value }) => (value === "" ? undefined : Number(value));
            return Object.fromEntries(rows.map(({ name, low, high }) => [name, { low: number(low), high: number(high) }]));
        },
    };
}
