import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * A field of a form that chooses companions, each in its paint.
 * @param {Array<{slug: string, title: string, isUsed: boolean}>} all
 */
export function companionChoice(all) {
    const said = make("p", { class: "problem", id: "companions-problem", hidden: true });
    const boxes = all.map(({ slug, title, isUsed }) => ({
        slug, title, input: make("input", { type: "checkbox", name: "slugs", value: slug, checked: isUsed }),
    }));
    const node = make("fieldset", { class: "field" },
        make("legend", { class: "unseen" }, t`Companions`),
        make("div", { class: "choices" }, boxes.map(({ slug, title, input }) => make("label", {
            class: "choice painted", data: { companion: slug },
        }, input, icon(slug), make("span", { class: "words" },
        make("span", { class: "name" }, title)), icon("check")))),
        said);
    const problem = (words) => {
        said.hidden = !words;
        said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
        for (const { input } of boxes) {
            if (words) input.setAttribute("aria-describedby", said.id);
            else input.removeAttribute("aria-describedby");
        }
    };
    node.addEventListener("change", () => problem(null));
    return {
        name: "slugs", node, problem, input: boxes[0]?.input,
        get value() { return boxes.filter(({ input }) => input.checked).map(({ slug }) => slug); },
    };
}
