import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, remove } from "../../house/api.js";
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
            : button("End", {
                kind: "quiet",
                press: () => confirm({
                    title: "End this sign-in?", yes: "End it",
                    lead: `${where.words} is signed out at once, and its open pages with it.`,
                    act: async () => {
                        await remove(`/api/sign-ins/${encodeURIComponent(signIn.id)}`);
                        toast("Signed out there.");
                        changed();
                    },
                }),
            }));
}
