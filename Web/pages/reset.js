import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { make, NODE, withNode } from "../elements/make.js";
import { signIn } from "../app/sign-in.js";
import { codeField, PASSWORD_HINT } from "./account-fields.js";
import { greeting, signInLayout } from "./sign-in-layout.js";
import { t } from "../language/text.js";

/**
 * Where somebody who forgot their password chooses another. A link carries the code after `#`, which a browser sends to
 * no server.
 * @param {() => any} opened  called once somebody is in
 */
export function openReset(opened) {
    const code = codeField(t`Code`, t`From another adult of the household, or from the hub’s console.`,
        location.hash.slice(1));
    const password = field({
        label: t`New password`, name: "password", type: "password", autocomplete: "new-password", required: true,
        hint: PASSWORD_HINT,
    });
    signInLayout(t`New password`,
        greeting(t`Choose a new password`,
            t`Another adult of your household can make a code for you: in Settings, under People, they tap your name.`),
        form({
            fields: [code, password], word: t`Use this password`, size: "l",
            send: async () => {
                await signIn.reset({ code: code.value.trim(), password: password.value });
                await opened();
            },
        }),
        make("p", { class: "fine" }, withNode(
            t`Is there nobody else? Then whoever looks after the hub’s computer types ${NODE} and your email there.`,
            make("code", {}, "tandem user reset"))), // not shown: a command
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/" },
            t`I know my password`)));
    (code.value ? password : code).input.focus();
}
