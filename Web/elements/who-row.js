import { signIn } from "../app/sign-in.js";
import { face } from "./face.js";
import { fadeEnds } from "./fade-ends.js";
import { make } from "./make.js";

/** So many faces are shown in as many lines as they need. */
const FEW = 6;

/**
 * Whose page it is: a face for each, of which one is pressed.
 * @param {string} label
 * @param {Array<{id: string, name: string, face?: string, icon?: string}>} people
 * @param {string} chosen  id
 * @param {(id: string) => any} choose
 */
export function whoRow(label, people, chosen, choose) {
    const node = make("div", {
        class: "who", role: "group", "aria-label": label, data: { many: people.length > FEW ? "" : undefined },
    },
        inOrder(people).map((person) => make("button", {
            type: "button", "aria-pressed": person.id === chosen,
            on: {
                click: ({ currentTarget }) => {
                    for (const one of node.children) one.setAttribute("aria-pressed", String(one === currentTarget));
                    choose(person.id);
                },
            },
        }, face(person), make("span", { class: "person-name" }, person.name))));
    keepInSight(node);
    return node;
}

/** In the order of the household, on each page the same; who is none of its people, such as everybody, stands last. */
function inOrder(people) {
    const place = ({ id }) => {
        const at = signIn.people?.findIndex((one) => one.id === id) ?? -1;
        return at < 0 ? Infinity : at;
    };
    return people.toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}

/**
 * Many are a row that scrolls: the chosen one is in its middle.
 * @param {HTMLElement} node  of buttons, of which one is pressed; it need not be on the page yet
 */
export function keepInSight(node) {
    requestAnimationFrame(() => {
        const chosen = node.querySelector("[aria-pressed=true]");
        if (!(chosen instanceof HTMLElement)) return;
        node.scrollLeft = chosen.offsetLeft - node.offsetLeft - (node.clientWidth - chosen.offsetWidth) / 2;
    });
    fadeEnds(node);
}
