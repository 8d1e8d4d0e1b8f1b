import { form } from "../elements/form.js";
import { make } from "../elements/make.js";
import { post } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { accountFields, codeField } from "./account-fields.js";
import { greeting, signInLayout } from "./sign-in-layout.js";
import { t } from "../language/text.js";

/**
 * The page of an invitation. Its link carries the code after `#`, which a browser sends to no server.
 * @param {() => any} opened
 */
export function openJoin(opened) {
    const carried = new URLSearchParams(location.hash.slice(1)).get("code") ?? location.hash.slice(1);
    const code = codeField(t`Invitation code`, t`From the person who invited you.`, carried);
    const { name, email, password } = accountFields();
    const welcome = greeting(t`Join this household`, t`You get an account of your own on the hub in this house.`);
    signInLayout(t`Invitation`,
        welcome,
        form({
            fields: [code, name, email, password], word: t`Join`, size: "l",
            send: async () => {
                await signIn.join({
                    code: code.value.trim(), name: name.value.trim(), email: email.value.trim(),
                    password: password.value,
                });
                await opened();
            },
        }),
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/" },
            t`I have an account`)));
    (code.value ? name : code).input.focus();
    if (carried) sayWho(carried, welcome, code, name);
}

/** Who invites to where is shown to whoever has the code, and to nobody else; a code that is none is said at once. */
async function sayWho(carried, welcome, code, name) {
    try {
        const { household, inviter } = await post("/api/invitations/check", { code: carried }, { quiet: true });
        welcome.querySelector("h1").textContent = t`Join ${household}`;
        welcome.querySelector("p").textContent
            = t`${inviter} invites you. You get an account of your own on the hub in this house.`;
    } catch (error) {
        if (error.field !== code.name) return; // Sending the form says so.
        code.problem(error.message);
        if (name.value === "") code.input.focus();
    }
}
