import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { get } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { passkeyDoor } from "./passkey-door.js";
import { greeting, signInLayout } from "./sign-in-layout.js";
import { t } from "../language/text.js";

/**
 * The sign-in of a household that has its accounts. It tells nobody whose it is before they are in.
 * @param {{name: string, demo: boolean}} setup  the hub's name
 * @param {() => any} opened  called once somebody is in
 */
export function openSignIn(setup, opened) {
    const email = field({
        label: t`Email`, name: "email", type: "email", autocomplete: "username webauthn", required: true,
        attributes: { inputmode: "email", autocapitalize: "none", spellcheck: "false" },
    });
    const password = field({
        label: t`Password`, name: "password", type: "password", autocomplete: "current-password", required: true,
    });
    const answered = make("span", {}, location.host);
    const passkey = passkeyDoor(opened);
    signInLayout(t`Sign in`,
        greeting(t`Sign in to ${setup.name}`,
            t`Everything stays on the hub in this house.`),
        form({
            fields: [email, password], word: t`Sign in`, size: "l",
            send: async () => {
                try {
                    await signIn.signIn(email.value.trim(), password.value);
                } catch (error) {
                    // A wrong pair is said where the eye is: under the password.
                    if (error.status === 401 || error.status === 429) error.field ??= "password";
                    throw error;
                }
                passkey.close();
                await opened();
            },
        }),
        passkey.node,
        make("p", { class: "fine hub" }, icon("hub", "s"), make("span", {}, answered,
            setup.demo && [" ", t`Sample household: its sign-in is printed where you started the hub.`])),
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/join" },
            t`I have an invitation`)),
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/reset" },
            t`I forgot my password`)));
    email.input.focus();
    sayPace(answered);
}

async function sayPace(node) {
    const began = performance.now();
    try {
        await get("/healthz", { quiet: true });
        node.textContent = t`${location.host}, answered in ${Math.max(1, Math.round(performance.now() - began))} ms.`;
    } catch {
        node.textContent = t`${location.host} does not answer now.`;
    }
}
