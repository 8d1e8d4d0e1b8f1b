import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, remove } from "../../app/api.js";
import { dayAndTime } from "../../text/dates.js";
import { loaded } from "./loaded.js";

/**
 * The invitations that nobody has used yet, each with who made it and when it ends. Where there are none it is empty.
 * @param {AbortSignal} signal
 * @returns {{node: HTMLElement, reload: () => Promise<void>}}
 */
export function openInvitations(signal) {
    const part = loaded(() => get("/api/invitations", { signal }), (invitations) => invitations.length > 0 && [
        make("h3", { class: "label" }, "Open invitations"),
        make("ul", { class: "rows" }, invitations.map((one) => row(one, part.reload))),
    ], signal, { isSeldom: true });
    return part;
}

function row(invitation, changed) {
    const { inviter, createdAt, expiresAt } = invitation;
    const withdraw = button("Withdraw", { kind: "quiet", press: () => ask(invitation, changed) });
    withdraw.setAttribute("aria-label", `Withdraw the invitation by ${inviter}, made ${dayAndTime(createdAt)}`);
    return make("li", { class: "row" }, icon("share"),
        make("span", { class: "words" },
            make("span", { class: "name" }, `From ${inviter}, ${lower(dayAndTime(createdAt))}`),
            make("span", { class: "fine" }, `ends ${lower(dayAndTime(expiresAt))}`)),
        withdraw);
}

function ask({ id }, changed) {
    confirm({
        title: "Withdraw this invitation?", yes: "Withdraw it", no: "Keep it",
        lead: "Nobody can come in with its code any more. Whoever tries is told to ask for a new one.",
        act: async () => {
            await remove(`/api/invitations/${encodeURIComponent(id)}`);
            toast("The invitation is withdrawn.", { icon: "check" });
            await changed();
        },
    });
}

/** "today, 14:05": in the middle of a line. */
function lower(words) {
    return words.replace(/^[TY](?=oday|esterday)/, (letter) => letter.toLowerCase());
}
