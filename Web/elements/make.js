const SVG = "http://www.w3.org/2000/svg";

/**
 * Builds one element. Children that are strings become text, never markup, so a name may hold anything.
 *
 * Style comes as custom properties (`vars`) because the content security policy allows no style attribute.
 *
 * @param {string} tag  an HTML tag, or `svg:` and an SVG tag
 * @param {Object<string, any>} [attributes]  attributes; false, null and undefined leave one out.
 *   `on`: listeners by event name; `vars`: custom properties; `data`: data attributes; `value`, `checked`: properties.
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
    const node = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "on") {
            for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
        } else if (name === "vars") {
            for (const [key, of] of Object.entries(value)) node.style.setProperty(`--${key}`, String(of));
        } else if (name === "data") {
            for (const [key, of] of Object.entries(value)) if (of !== null && of !== undefined) node.dataset[key] = of;
        } else if (name === "value" || name === "checked") {
            node[name] = value;
        } else if (name.startsWith("aria-")) {
            if (value !== null && value !== undefined) node.setAttribute(name, String(value));
        } else if (value !== null && value !== undefined && value !== false) {
            node.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(node, children);
    return node;
}

/**
 * Puts new children into a node in place of what it held.
 * @param {Element} node
 * @param {...any} children
 */
export function fill(node, ...children) {
    node.replaceChildren();
    append(node, children);
}

/**
 * Has a node say these words; one that says them already is left alone, so that a screen reader does not say them again.
 * @param {Element} node
 * @param {string} words
 */
export function text(node, words) {
    if (node.textContent !== words || node.firstElementChild) node.textContent = words;
}

function append(node, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        node.append(child instanceof Node ? child : String(child));
    }
}

/** Stands in a sentence where {@link withNode} puts a node. */
export const NODE = "\uFFFC";

/**
 * A sentence with a node in it, wherever its language has that.
 * @param {string} sentence  with {@link NODE} as one of its values
 * @param {Node} node
 */
export function withNode(sentence, node) {
    const [before, after = ""] = sentence.split(NODE);
    return [before, node, after];
}
