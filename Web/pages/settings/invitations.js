import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, remove } from "../../app/api.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/**
 * The invitations that nobody has used yet, each with who made it and when it ends. Where there are none it is empty.
 * @param {AbortSignal} signal
 * @returns {{node: HTMLElement, reload: () => Promise<void>}}
 */
export function openInvitations(signal) {
    const part = loaded(() => get("/api/invitations", { signal }), (invitations) => invitations.length > 0 && [
        make("h3", { class: "label" }, t`Open invitations`),
        make("ul", { class: "rows" }, invitations.map((one) => row(one, part.reload))),
    ], signal, { isSeldom: true });
    return part;
}

function row(invitation, changed) {
    const { inviter, createdAt, expiresAt } = invitation;
    const withdraw = button(t`Withdraw`, { kind: "quiet", press: () => ask(invitation, changed) });
    withdraw.setAttribute("aria-label", 
        t`Withdraw the invitation by ${inviter}, made ${dayAndTimeWithin(createdAt)}`);
    return make("li", { class: "row" }, icon("share"),
        make("span", { class: "words" },
            make("span", { class: "name" }, t`From ${inviter}, ${dayAndTimeWithin(createdAt)}`),
            make("span", { class: "fine" }, t`ends ${dayAndTimeWithin(expiresAt)}`)),
        withdraw);
}

function ask({ id }, changed) {
    confirm({
        title: t`Withdraw this invitation?`, yes: t`Withdraw it`, no: t`Keep it`,
        lead: t`Nobody can come in with its code any more. Whoever tries is told to ask for a new one.`,
        act: async () => {
            await remove(`/api/invitations/${encodeURIComponent(id)}`);
            toast(t`The invitation is withdrawn.`, { icon: "check" });
            await changed();
        },
    });
}
