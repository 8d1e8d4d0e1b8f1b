import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { put } from "../../app/api.js";
import { PASSWORD_HINT } from "../account-fields.js";
import { codeSheet } from "./code-sheet.js";
import { t } from "../../language/text.js";

/** Opens the sheet in which somebody changes their own password. */
export function changePassword() {
    const password = passwordField(t`Current password`, "password", "current-password");
    const newPassword = passwordField(t`New password`, "newPassword", "new-password", PASSWORD_HINT);
    const opened = sheet(t`Change your password`, {
        lead: t`You stay signed in here. On all your other devices you sign in again with the new password.`,
        body: [form({
            fields: [password, newPassword], word: t`Change password`, icon: "check",
            send: async () => {
                const { endedSignIns } = await put("/api/account/password",
                    { password: password.value, newPassword: newPassword.value }, { quiet: true });
                opened.close();
                toast(endedSignIns === 0 ? t`Your password is changed.`
                    : t`Your password is changed, and ${endedSignIns} other devices were signed out.`);
            },
        })],
    });
    password.input.focus();
}

/** Opens the sheet with a code for another adult who forgot theirs. @param {{id: string, name: string}} person */
export function offerNewPassword({ id, name }) {
    codeSheet({
        title: t`A new password for ${name}`, path: `/api/people/${encodeURIComponent(id)}/password-reset`,
        picture: t`QR code for ${name}’s new password`,
        lead: t`With this code ${name} chooses a new password. The old one works until then, and then ${name}’s passkeys and sign-ins end.`,
        use: t`${name} looks at it with the camera of their phone, or opens “I forgot my password” where they sign in, and types the code.`,
    });
}

function passwordField(label, name, autocomplete, hint) {
    return field({ label, name, type: "password", autocomplete, required: true, hint });
}
