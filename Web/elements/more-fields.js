import { icon } from "./icon.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * Fields of a form that few people need: behind “More”, which opens where something is wrong with one of them.
 * @param {Array<{name: string, node: Node, input?: HTMLElement, problem: (words: string?) => void}>} fields
 * @param {...Node} others  what stands below them and has no problems
 * @returns {Array<{name: string, node: Node?, input?: HTMLElement, problem: (words: string?) => void}>}  for the form
 */
export function moreFields(fields, ...others) {
    const node = make("details", { class: "unfold" }, make("summary", {}, icon("down", "s"), t`More`),
        make("div", { class: "stack" }, fields.map((one) => one.node), others));
    return [
        ...fields.map(({ name, input, problem }) => ({
            name, input, node: null,
            problem: (words) => {
                problem(words);
                if (words) node.setAttribute("open", "");
            },
        })),
        { name: "", node, problem: () => {} },
    ];
}
