import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { toast } from "../../elements/toast.js";
import { get, remove } from "../../house/api.js";
import { wordsOf } from "../../house/problem.js";
import { session } from "../../house/session.js";
import { deviceWords } from "../../words/agent.js";
import { loaded } from "./loaded.js";

/** Where people are signed in, each of which can be ended. */
export function signInsSection({ signal, section }) {
    const part = loaded(() => get("/api/sign-ins", { signal }),
        (signIns) => make("ul", { class: "rows" }, signIns.map((one) => row(one, part.reload))));
    return section("Sign-ins", part.node);
}

function row(signIn, changed) {
    const person = typeof signIn.person === "string"
        ? session.people.find((one) => one.id === signIn.person)?.name ?? signIn.person : signIn.person?.name;
    const where = deviceWords(signIn.agent);
    return make("li", { class: "row" }, icon(where.phone ? "phone" : "laptop"),
        make("span", { class: "words" },
            make("span", { class: "name" }, where.words),
            make("span", { class: "fine" }, `${person}, `, age(signIn.lastSeenAt, { plain: true }))),
        signIn.current ? make("span", { class: "tag" }, icon("check"), "This one")
            : end(signIn, `${where.words}, ${person}`, changed));
}

/** One tap: who is signed out by mistake signs in again. */
function end({ id }, words, changed) {
    const node = button("End", {
        kind: "quiet",
        press: async () => {
            try {
                await remove(`/api/sign-ins/${encodeURIComponent(id)}`);
                toast(`Signed out: ${words}. Its open pages went with it.`, { icon: "signout" });
            } catch (error) {
                toast(wordsOf(error), { icon: "warning" });
            }
            await changed();
        },
    });
    node.setAttribute("aria-label", `End the sign-in: ${words}`);
    return node;
}
