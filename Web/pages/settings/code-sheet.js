import { copyLine } from "../../elements/copy.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { qrCode } from "../../elements/qr-code.js";
import { sheet } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { isAborted, post } from "../../app/api.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { t } from "../../language/text.js";

/**
 * Where a code is made.
 * @typedef {"/api/invitations" | `/api/people/${string}/password-reset`} CodePath
 */

/**
 * Opens a sheet with a code that the hub has just made: a picture for a camera, a link, the code in letters, and until
 * when it is good.
 * @param {{title: string, lead: string, path: CodePath, picture: string, use: string, closed?: () => any}} options
 *   `path`: where the code is made; `picture`: what the QR code is called; `use`: what to do with it
 */
export function codeSheet({ title, lead, path, picture, use, closed }) {
    const body = make("div", { class: "stack" }, linesSkeleton(80, 50));
    const opened = sheet(title, { lead, body: [body], closed });
    const load = async () => {
        try {
            const { code, link, qr, expiresAt } = await post(path, {}, { signal: opened.signal });
            fill(body,
                qr && make("div", { class: "qr-place" }, qrCode(qr, picture)),
                make("p", { class: "second" }, use),
                labelled(t`Link`, copyLine(link, t`Copy the link`)),
                labelled(t`Code`, copyLine(code, t`Copy the code`)),
                make("p", { class: "fine" }, t`Good until ${dayAndTimeWithin(expiresAt)}, for one person. It is shown only now: the hub keeps no copy that could be read.`));
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: load }));
        }
    };
    load();
}

function labelled(words, node) {
    return make("div", { class: "field" }, make("span", { class: "label" }, words), node);
}
