import { form } from "../elements/form.js";
import { make } from "../elements/make.js";
import { session } from "../house/session.js";
import { accountFields, codeField } from "./account-fields.js";
import { greeting, porch } from "./porch.js";

/**
 * The page of an invitation. Its link carries the code after `#`, which a browser sends to no server.
 * @param {{household: string?}} setup
 * @param {() => any} opened
 */
export function openJoin(setup, opened) {
    const carried = new URLSearchParams(location.hash.slice(1)).get("code") ?? location.hash.slice(1);
    const code = codeField("Invitation code", "From the person who invited you.", carried);
    const { name, email, password } = accountFields();
    porch("Invitation",
        greeting(setup.household ? `Join ${setup.household}` : "Join this household",
            "You get an account of your own on the hub in this house."),
        form({
            fields: [code, name, email, password], word: "Join", size: "l",
            send: async () => {
                await session.join({
                    code: code.value.trim(), name: name.value.trim(), email: email.value.trim(),
                    password: password.value,
                });
                await opened();
            },
        }),
        make("p", { class: "small" }, make("a", { class: "link", data: { block: "" }, href: "/" },
            "I have an account")));
    (code.value ? name : code).input.focus();
}
