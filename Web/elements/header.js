import { icon } from "./icon.js";
import { make } from "./make.js";
import "./who-button.js";

let count = 0;

/**
 * The painted header of a screen: a bar with the name of the place and the face of who is here, the sentence that says
 * how things are, and a lead.
 * @param {{name?: string, icon?: string, back?: {href: string, word: string}, lead?: string, say?: string,
 *   actions?: Node[], above?: Node, below?: Array}} options
 * @returns {{node: HTMLElement, say: HTMLElement, lead: HTMLElement}}
 */
export function header(options) {
    const name = options.back
        ? make("a", { class: "header-name", href: options.back.href }, icon("back"), options.back.word)
        : make("span", { class: "header-name" }, options.icon && icon(options.icon), options.name);
    const say = make("h1", { class: "say", tabindex: "-1" }, options.say);
    const lead = make("p", { class: "lead" }, options.lead);
    lead.hidden = !options.lead;
    const node = make("header", { class: "header" },
        make("div", { class: "header-bar" }, name, options.actions, make("tandem-who")), options.above, say, lead,
        options.below);
    return { node, say, lead };
}

/**
 * A section of a screen's content with its heading.
 * @param {string} title
 * @param {...any} children
 */
export function section(title, ...children) {
    const id = `section-${count += 1}`;
    return make("section", { class: "section", "aria-labelledby": id }, make("h2", { id }, title), children);
}
