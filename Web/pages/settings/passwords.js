import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { put } from "../../app/api.js";
import { counted } from "../../text/numbers.js";
import { PASSWORD_HINT } from "../account-fields.js";
import { codeSheet } from "./code-sheet.js";

/** Opens the sheet in which somebody changes their own password. */
export function changePassword() {
    const password = passwordField("Password until now", "password", "current-password");
    const newPassword = passwordField("New password", "newPassword", "new-password", PASSWORD_HINT);
    const opened = sheet("Change your password", {
        lead: "You stay signed in here. On all your other devices you sign in again with the new password.",
        body: [form({
            fields: [password, newPassword], word: "Change password", icon: "check",
            send: async () => {
                const { endedSignIns } = await put("/api/account/password",
                    { password: password.value, newPassword: newPassword.value }, { quiet: true });
                opened.close();
                toast(endedSignIns === 0 ? "Your password is changed."
                    : `Your password is changed, and ${counted(endedSignIns, "other device")} signed out.`);
            },
        })],
    });
    password.input.focus();
}

/** Opens the sheet with a code for another adult who forgot theirs. @param {{id: string, name: string}} person */
export function offerNewPassword({ id, name }) {
    codeSheet({
        title: `A new password for ${name}`, path: `/api/people/${encodeURIComponent(id)}/password-reset`,
        picture: `QR code for ${name}’s new password`,
        lead: `With this code ${name} chooses a new password. The old one works until then.`,
        use: `${name} looks at it with the camera of their phone, or opens “I forgot my password” where they sign in, `
            + "and types the code.",
    });
}

function passwordField(label, name, autocomplete, hint) {
    return field({ label, name, type: "password", autocomplete, required: true, hint });
}
