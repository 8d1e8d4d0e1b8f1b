import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, remove } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { deviceText } from "../../text/agent.js";
import { dayAndTime } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

const LINES = 10; // lines about wrong passwords shown

/** Where people are signed in, each of which can be ended. */
export function signInsSection({ signal, section }) {
    const part = loaded(() => get("/api/sign-ins", { signal }),
        (signIns) => [
            make("ul", { class: "rows" }, signIns.map((one) => row(one, part.reload))),
            signIns.filter(({ isOwn, current }) => isOwn && !current).length > 1 && make("div", { class: "row-of-buttons" },
                button(t`End my other sign-ins`, { icon: "signout", press: () => endOthers(part.reload) })),
        ], signal);
    return section(t`Sign-ins`, part.node, wrongPasswords(signal));
}

/** Wrong passwords of the last weeks, so that the owner sees who tries to come in. */
function wrongPasswords(signal) {
    return loaded(() => get("/api/failed-sign-ins", { signal }), (lines) => lines.length > 0 && [
        make("h3", { class: "label" }, t`Wrong passwords`),
        make("ul", { class: "rows" }, lines.slice(0, LINES).map(wrong)),
        make("p", { class: "fine" }, lines.length > LINES
            ? t`And ${lines.length - LINES} lines from before. They are kept for eight weeks.`
            : t`One of them may have been you. If not, somebody is guessing: a long password keeps them out.`),
    ], signal, { isSeldom: true }).node;
}

function wrong({ person, email, address, tries, lastAt }) {
    return make("li", { class: "row" }, icon("warning"),
        make("span", { class: "words" },
            make("span", { class: "name" }, person ? t`For ${person}` : t`For an email that nobody here has`),
            make("span", { class: "fine" }, email ? t`${email}, from ${address}` : t`from ${address}`)),
        make("span", { class: "value small" },
            make("span", { class: "block" }, t`${tries} tries`),
            make("span", { class: "fine" }, dayAndTime(lastAt))));
}

function row(one, changed) {
    const person = typeof one.person === "string"
        ? signIn.people.find(({ id }) => id === one.person)?.name ?? one.person : one.person?.name;
    const where = deviceText(one.agent);
    return make("li", { class: "row" }, icon(where.phone ? "phone" : "laptop"),
        make("span", { class: "words" },
            make("span", { class: "name" }, where.words),
            make("span", { class: "fine" }, 
                age(one.lastSeenAt, { plain: true, words: (ago) => `${person}, ${ago}` }))),
        one.current ? make("span", { class: "tag" }, icon("check"), t`This one`)
            : end(one, `${where.words}, ${person}`, changed));
}

/** Asks first: each of the devices has to be signed in anew. */
function endOthers(changed) {
    confirm({
        title: t`End your other sign-ins?`, yes: t`End them`,
        lead: t`You stay signed in here. On all your other devices you sign in again. Those of others are not touched.`,
        act: async () => {
            await remove("/api/sign-ins");
            toast(t`Your other sign-ins have ended.`, { icon: "signout" });
            await changed();
        },
    });
}

/** One tap: who is signed out by mistake signs in again. */
function end({ id }, words, changed) {
    const node = button(t`End`, {
        kind: "quiet",
        press: async () => {
            try {
                await remove(`/api/sign-ins/${encodeURIComponent(id)}`);
                toast(t`Signed out: ${words}. Its open pages were closed too.`, { icon: "signout" });
            } catch (error) {
                toast(messageOf(error), { icon: "warning" });
            }
            await changed();
        },
    });
    node.setAttribute("aria-label", t`End the sign-in: ${words}`);
    return node;
}
