import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, patch, post, remove } from "../../app/api.js";
import { hasPasskeys, makePasskey } from "../../app/passkeys.js";
import { deviceText } from "../../text/agent.js";
import { dayAndTime, shortDate } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/** The passkeys of who is signed in: made here, named and removed. */
export function passkeysSection({ signal, section }) {
    const part = loaded(() => get("/api/passkeys", { signal }), (answer) => draw(answer, part.reload), signal);
    return section(t`Your passkeys`, part.node);
}

function draw({ passkeys, obstacle }, changed) {
    const reason = obstacle ?? (hasPasskeys() ? null : t`This browser has no passkeys.`);
    return [
        make("p", { class: "second" }, t`With a passkey you sign in by your finger, your face or your device’s PIN, and type no password. The password stays as a way back.`),
        passkeys.length > 0 && make("ul", { class: "rows" }, passkeys.map((one) => make("li", {}, row(one, changed)))),
        reason ? make("p", { class: "fine hub" }, icon("info", "s"), make("span", {}, reason))
            : make("div", { class: "row-of-buttons" },
                button(t`Make a passkey`, { icon: "key", press: () => add(changed) })),
    ];
}

function row(passkey, changed) {
    const { name, createdAt, usedAt, relyingParty, isHere, counterBackAt } = passkey;
    return make("button", { class: "row", type: "button", on: { click: () => change(passkey, changed) } },
        icon(counterBackAt ? "warning" : "key"),
        make("span", { class: "words" },
            make("span", { class: "name" }, name),
            make("span", { class: "fine" }, usedAt
                ? age(usedAt, { plain: true, words: (ago) => t`made on ${shortDate(createdAt)}, used ${ago}` })
                : t`made on ${shortDate(createdAt)}, not used yet`),
            !isHere && make("span", { class: "fine" }, t`for ${relyingParty}`),
            counterBackAt && make("span", { class: "fine strong" },
                t`Refused on ${dayAndTime(counterBackAt)}: it had counted less than before. Somebody may have a copy of it; remove it if that was not you.`)),
        icon("forward", "s"));
}

function nameField(value) {
    return field({ label: t`Name`, name: "name", value, required: true, hint: t`By which you know it again, such as My phone` });
}

function add(changed) {
    const name = nameField(deviceText(navigator.userAgent).words);
    const password = field({
        label: t`Password`, name: "password", type: "password", autocomplete: "current-password", required: true,
    });
    const opened = sheet(t`Make a passkey`, {
        lead: t`Type your password once more. Then your device asks for your finger, your face or its PIN.`,
        body: [form({
            fields: [name, password], word: t`Go on`, icon: "key",
            send: async () => {
                const options = await post("/api/passkeys/challenge", { password: password.value }, { quiet: true });
                const credential = await makePasskey(options);
                await post("/api/passkeys", { name: name.value.trim(), credential });
                opened.close();
                toast(t`Next time you can sign in with this passkey.`, { icon: "key" });
                await changed();
            },
        })],
    });
    password.input.focus();
}

function change({ id, name }, changed) {
    const path = /** @type {const} */ (`/api/passkeys/${encodeURIComponent(id)}`);
    const called = nameField(name);
    const opened = sheet(name, {
        body: [form({
            fields: [called], word: t`Save`, icon: "check",
            send: async () => {
                await patch(path, { name: called.value.trim() });
                opened.close();
                toast(t`Saved.`);
                await changed();
            },
        }),
        make("div", { class: "sheet-actions" }, button(t`Remove`, {
            kind: "danger", icon: "trash", press: () => {
                opened.close();
                confirm({
                    title: t`Remove ${name}?`,
                    lead: t`It opens this hub no more, at once. Your device may still list it; there you can delete it too.`,
                    yes: t`Remove`,
                    act: async () => {
                        await remove(path);
                        await changed();
                    },
                });
            },
        }))],
    });
}
