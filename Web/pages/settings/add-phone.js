import { button } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { fingerprint } from "../../elements/fingerprint.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { qrCode } from "../../elements/qr-code.js";
import { get } from "../../app/api.js";
import { go } from "../../app/shell.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/** How another phone finds the hub: the code to look at, the address, the fingerprint to compare. */
export function addPhoneSection({ signal, section }) {
    const part = loaded(() => get(`/api/welcome?clock=${Date.now()}`, { signal, quiet: true }), draw, signal);
    return section(t`Add a phone`, part.node);
}

function draw(welcome) {
    const { origin, qr, authority, announcement, clock } = welcome;
    const clocks = clock.words && notice({
        icon: "clock", state: "problem", title: t`The clocks differ`, words: clock.words,
    });
    const here = make("div", { class: "row-of-buttons" }, button(t`What works on this device`, {
        icon: "phone", press: () => go("/welcome"),
    }));
    if (!origin) {
        return [
            clocks,
            notice({
                icon: "lock", title: t`Only this computer can reach the hub now`,
                words: t`A phone needs HTTPS. Stop the hub and start it like this: it then makes a certificate of its own, and prints a code for phones in its terminal.`,
            }),
            copyLine(`tandem ${welcome.demo ? "demo" : "serve"} --lan`, t`Copy the command`),
            here,
        ];
    }
    return [
        clocks,
        make("div", { class: "add-phone" },
            qr && qrCode(qr, t`QR code of ${origin}`),
            make("ol", { class: "numbered" },
                make("li", {},
                    t`Open the phone’s camera, and look at the code. The phone must be in this house’s Wi-Fi.`),
                authority
                    ? make("li", {},
                        t`The phone says at first that the connection is not private: it does not know this hub yet. Open its details and go on; the next page shows, with pictures, how the phone learns to trust the hub.`)
                    : make("li", {}, t`The phone knows this hub’s certificate already, so the page opens at once.`),
                authority && make("li", {},
                    t`Before you say yes on the phone, compare: it must show the same fingerprint as here.`))),
        make("div", { class: "field" }, make("span", { class: "label" }, t`Or type the address`),
            copyLine(origin, t`Copy the address`)),
        authority && make("div", { class: "field" },
            make("span", { class: "label" }, t`Fingerprint of this hub’s authority, SHA-256`),
            fingerprint(authority.fingerprint)),
        announcement && make("p", { class: "small second with-sign" },
            icon(announcement.isAnnounced ? "check" : "warning", "s"), make("span", {}, announcement.words)),
        here,
    ];
}
