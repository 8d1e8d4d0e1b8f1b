import { button } from "../../elements/button.js";
import { field, textArea } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { moreFields } from "../../elements/more-fields.js";
import { segmented } from "../../elements/segmented.js";
import { confirm, menu, sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { put, remove } from "../../app/api.js";
import { houseAddressField } from "../../reminders/house-address.js";
import { t } from "../../language/text.js";

/**
 * The account by which emails leave the house: as a row that leads to it, or as the button to add it.
 * @param {object|null} account  as the hub has it, without the password
 * @param {() => any} changed
 * @param {() => any} [before]  called before the form opens
 */
export function mailAccountRow(account, changed, before = () => {}) {
    if (!account) {
        return button(t`Add an email account`, {
            press: () => {
                before();
                accountSheet(null, changed);
            },
        });
    }
    return make("li", {}, make("button", {
        class: "row", type: "button", on: { click: () => choose(account, changed) },
    }, icon("out"),
    make("span", { class: "words" }, make("span", { class: "name" }, t`Emails are sent by ${account.sender}`),
        make("span", { class: "fine" }, `${account.host}:${account.port}`)),
    icon("forward", "s")));
}

function choose(account, changed) {
    menu(account.sender, [
        { word: t`Change`, icon: "edit", act: () => accountSheet(account, changed) },
        {
            word: t`Remove`, icon: "trash", act: () => confirm({
                title: t`Remove this email account?`, lead: t`No emails leave this house any more. Addresses stay in the list.`,
                yes: t`Remove`,
                act: async () => {
                    await remove("/api/mail-account");
                    await changed();
                },
            }),
        },
    ]);
}

/** Asks for the account; the hub signs in with it before it is stored. */
function accountSheet(account, changed) {
    let isStarttls = account?.isStarttls ?? false;
    const host = field({
        label: t`Mail server`, name: "host", required: true, value: account?.host ?? "",
        hint: t`As your provider names it for sending, such as smtp.example.org`, attributes: { spellcheck: "false" },
    });
    const houseAddress = houseAddressField();
    const port = field({
        label: t`Port`, name: "port", value: String(account?.port ?? 465), attributes: { inputmode: "numeric" },
    });
    const security = segmented(t`Encryption`, [
        { value: "tls", word: t`TLS, port 465` }, { value: "starttls", word: t`STARTTLS, port 587` },
    ], isStarttls ? "starttls" : "tls", (value) => {
        isStarttls = value === "starttls";
        port.input.value = isStarttls ? "587" : "465";
    }, { areChips: true });
    const user = field({
        label: t`Username`, name: "user", required: true, value: account?.user ?? "", hint: t`Often the whole email address`,
    });
    const password = field({
        label: t`Password`, name: "password", type: "password",
        hint: account ? t`Leave it empty to keep the one that is there.` : t`Some providers want one that is made for apps.`,
    });
    const sender = field({
        label: t`Its email address, if the username is none`, name: "sender", type: "email",
        value: account && account.sender !== account.user ? account.sender : "",
    });
    const authority = textArea({ label: t`Its authority’s certificate (PEM), if it has its own`, name: "authority" });
    const fingerprint = field({ label: t`Or its certificate’s fingerprint, SHA-256`, name: "fingerprint" });
    const opened = sheet(t`The account for emails`, {
        lead: t`Tandem signs in there and sends reminders from this account, to addresses that their owners have confirmed. Nothing is received.`,
        body: [make("div", { class: "stack" }, form({
            fields: [
                host, houseAddress, { name: "isStarttls", problem: () => {}, node: security }, user, password,
                ...moreFields([port, sender, authority, fingerprint]),
            ],
            word: t`Sign in and keep`,
            send: async () => {
                await put("/api/mail-account", {
                    host: host.value.trim(), port: Number(port.value) || undefined, isStarttls,
                    houseAddress: houseAddress.value.trim() || undefined, user: user.value.trim(),
                    password: password.value, sender: sender.value.trim(), authority: authority.value.trim(),
                    fingerprint: fingerprint.value.trim(),
                });
                opened.close();
                toast(t`The mail server has let Tandem in.`, { icon: "check" });
                await changed();
            },
        }))],
    });
}
