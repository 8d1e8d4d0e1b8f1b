import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { remove } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { invite } from "./invite.js";
import { t } from "../../language/text.js";

/**
 * @param {{id: string}} person
 * @returns {`/api/people/${string}`}
 */
const pathOf = (person) => `/api/people/${encodeURIComponent(person.id)}`;

/** Asks before a child is removed. @param {object} person @param {() => void} done */
export function removeChild(person, done) {
    confirm({
        title: t`Remove ${person.name}?`, yes: t`Remove ${person.name}`, no: t`Not now`,
        lead: t`What is kept for this child goes too. This cannot be undone.`,
        act: async () => {
            await remove(pathOf(person));
            await signIn.load();
            done();
            toast(t`${person.name} was removed.`, { icon: "trash" });
        },
    });
}

/**
 * Asks what happens to what is kept of an adult, who then leaves: another, or whoever asks.
 * @param {object} person @param {() => void} done  called when they have left
 */
export function removeAdult(person, done) {
    const isSelf = person.id === signIn.person.id;
    const canSignIn = ({ role, email }) => role === "adult" && email;
    if (canSignIn(person) && !signIn.people.some((one) => one.id !== person.id && canSignIn(one))) return handOver();
    let data = "keep";
    const trouble = make("div", { "aria-live": "assertive" });
    const kept = isSelf ? t`What the hub has kept of you` : t`What the hub has kept of ${person.name}`;
    const opened = sheet(isSelf ? t`Leave this household?` : t`Remove ${person.name}?`, {
        lead: isSelf ? t`You are signed out everywhere, and need a new invitation to come back.`
            : t`${person.name} is signed out everywhere, and needs a new invitation to come back.`,
        body: [
            make("div", { class: "field" }, make("span", { class: "label" }, kept),
                segmented(kept, [
                    { value: "keep", word: t`Stays here` }, { value: "delete", word: t`Goes too` },
                ], data, (chosen) => { data = chosen; })),
            make("p", { class: "fine" }, t`What goes cannot be brought back.`),
            trouble,
            make("div", { class: "sheet-actions" },
                button(isSelf ? t`Leave` : t`Remove ${person.name}`, {
                    kind: "danger", icon: isSelf ? "signout" : "trash",
                    press: async () => {
                        try {
                            await remove(`${pathOf(person)}?data=${data}`);
                        } catch (error) {
                            trouble.replaceChildren(problemNotice(error));
                            return;
                        }
                        opened.close();
                        done();
                        if (isSelf) return out();
                        await signIn.load();
                        toast(t`${person.name} was removed.`, { icon: "trash" });
                    },
                }),
                button(t`Not now`, { kind: "quiet", press: () => opened.close() })),
        ],
    });
}

/** The last adult stays until there is another. */
function handOver() {
    const opened = sheet(t`Hand the household over first`, {
        lead: t`You are the only one here who can sign in. Invite another adult. Once they have their account, you can leave.`,
        body: [make("div", { class: "sheet-actions" },
            button(t`Invite an adult`, {
                kind: "primary", icon: "share",
                press: () => {
                    opened.close();
                    invite();
                },
            }),
            button(t`Not now`, { kind: "quiet", press: () => opened.close() }))],
    });
}

function out() {
    signIn.forget();
    dispatchEvent(new Event("tandem-signed-out"));
}
