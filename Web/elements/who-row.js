import { face } from "./face.js";
import { make } from "./make.js";

/**
 * Whose page it is: a face for each, of which one is pressed.
 * @param {string} label
 * @param {Array<{id: string, name: string, face?: string}>} people
 * @param {string} chosen  id
 * @param {(id: string) => any} choose
 */
export function whoRow(label, people, chosen, choose) {
    const node = make("div", { class: "who", role: "group", "aria-label": label },
        people.map((person) => make("button", {
            type: "button", "aria-pressed": person.id === chosen,
            on: {
                click: ({ currentTarget }) => {
                    for (const one of node.children) one.setAttribute("aria-pressed", String(one === currentTarget));
                    choose(person.id);
                },
            },
        }, face(person), person.name)));
    return node;
}
