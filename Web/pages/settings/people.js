import { button } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { signIn } from "../../app/sign-in.js";
import { openInvitations } from "./invitations.js";
import { invite } from "./invite.js";
import { addChild, editPerson } from "./person-sheet.js";
import { t } from "../../language/text.js";

/** The people of the household: children are added here, adults are invited. */
export function peopleSection({ signal }) {
    const list = make("ul", { class: "rows" });
    const draw = () => fill(list, signIn.people.map((person) => make("li", {}, row(person))));
    signIn.addEventListener("change", draw, { signal });
    draw();
    const invitations = signIn.isAdult && openInvitations(signal);
    return make("section", { class: "section", "aria-labelledby": "s-people" },
        make("div", { class: "section-head" }, make("h2", { id: "s-people" }, t`People`)),
        list,
        signIn.isAdult && make("div", { class: "row-of-buttons" },
            button(t`Add child`, { icon: "plus", press: addChild }),
            button(t`Invite`, { icon: "share", press: () => invite(invitations.reload) })),
        invitations && invitations.node);
}

function row(person) {
    const about = person.role === "child"
        ? person.birthYear ? t`child, born ${String(person.birthYear)}` : t`child`
        : person.email ?? (signIn.isAdult ? t`adult, cannot sign in` : t`adult`);
    const content = [
        face(person),
        make("span", { class: "words" }, make("span", { class: "name" }, person.name),
            make("span", { class: "fine" }, about)),
    ];
    if (!signIn.isAdult) return make("div", { class: "row" }, content);
    return make("button", { class: "row", type: "button", on: { click: () => editPerson(person) } },
        content, icon("forward", "s"));
}
