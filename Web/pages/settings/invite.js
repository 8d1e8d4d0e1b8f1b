import { codeSheet } from "./code-sheet.js";

/**
 * Opens the sheet with a new invitation.
 * @param {() => any} [closed]  called when the sheet is closed
 */
export function invite(closed) {
    codeSheet({
        title: "Invite an adult", path: "/api/invitations", picture: "QR code of the invitation", closed,
        lead: "Whoever has this code can make an account in this household, once.",
        use: "Look at it with the camera of a phone in this house’s Wi-Fi, or send the link.",
    });
}
