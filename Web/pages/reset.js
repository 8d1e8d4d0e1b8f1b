import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { make } from "../elements/make.js";
import { session } from "../app/session.js";
import { codeField, PASSWORD_HINT } from "./account-fields.js";
import { greeting, signInLayout } from "./sign-in-layout.js";

/**
 * Where somebody who forgot their password chooses another. A link carries the code after `#`, which a browser sends to
 * no server.
 * @param {() => any} opened  called once somebody is in
 */
export function openReset(opened) {
    const code = codeField("Code", "From another adult of the household, or from the hub’s console.",
        location.hash.slice(1));
    const password = field({
        label: "New password", name: "password", type: "password", autocomplete: "new-password", required: true,
        hint: PASSWORD_HINT,
    });
    signInLayout("New password",
        greeting("Choose a new password",
            "Another adult of your household can make a code for you: in Settings, under People, they tap your name."),
        form({
            fields: [code, password], word: "Use this password", size: "l",
            send: async () => {
                await session.reset({ code: code.value.trim(), password: password.value });
                await opened();
            },
        }),
        make("p", { class: "fine" }, "Is there nobody else? Then whoever looks after the hub’s computer types ",
            make("code", {}, "tandem user reset"), " and your email there."),
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/" },
            "I know my password")));
    (code.value ? password : code).input.focus();
}
