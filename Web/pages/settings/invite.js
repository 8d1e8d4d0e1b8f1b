import { codeSheet } from "./code-sheet.js";
import { t } from "../../language/text.js";

/**
 * Opens the sheet with a new invitation.
 * @param {() => any} [closed]  called when the sheet is closed
 */
export function invite(closed) {
    codeSheet({
        title: t`Invite an adult`, path: "/api/invitations", picture: t`QR code of the invitation`, closed,
        lead: t`Whoever has this code can make an account in this household, once.`,
        use: t`Look at it with the camera of a phone in this house’s Wi-Fi, or send the link.`,
    });
}
