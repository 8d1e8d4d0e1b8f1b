import { copyLine } from "../../elements/copy.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { qrCode } from "../../elements/qr-code.js";
import { sheet } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { isAborted, post } from "../../house/api.js";
import { dayAndTime } from "../../words/dates.js";

/**
 * Opens the sheet with a new invitation: a code to look at, a link, the code in letters, and until when it is good.
 * @param {() => any} closed  called when the sheet is closed
 */
export function invite(closed) {
    const body = make("div", { class: "stack" }, linesSkeleton(80, 50));
    const opened = sheet("Invite an adult", {
        lead: "Whoever has this code can make an account in this household, once.", body: [body], closed,
    });
    const load = async () => {
        try {
            const { code, link, qr, expiresAt } = await post("/api/invitations", {}, { signal: opened.signal });
            fill(body,
                qr && make("div", { class: "qr-place" }, qrCode(qr, "QR code of the invitation")),
                make("p", { class: "second" }, "Look at it with the camera of a phone in this house’s Wi-Fi, or send "
                    + "the link."),
                labelled("Link", copyLine(link, "Copy the link")),
                labelled("Code", copyLine(code, "Copy the code")),
                make("p", { class: "fine" }, `Good until ${dayAndTime(expiresAt)}, for one person. `
                    + "It is shown only now: the hub keeps no copy that could be read."));
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: load }));
        }
    };
    load();
}

function labelled(words, node) {
    return make("div", { class: "field" }, make("span", { class: "label" }, words), node);
}
