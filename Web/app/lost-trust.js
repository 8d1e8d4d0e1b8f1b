import { make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { t } from "../language/text.js";

/**
 * Said where the hub does not answer: a browser that refuses its certificate says so to no page, and the page itself
 * comes from this device. The address is one that the service worker never answers, so that the browser shows its
 * warning, and behind it the steps that bring the trust back.
 * @returns {HTMLElement|null}  null on a plain page, which has no certificate to refuse
 */
export function lostTrust() {
    if (location.protocol !== "https:") return null;
    return notice({
        icon: "lock", title: t`Or does this browser no longer trust the hub?`,
        words: t`If the hub has a new certificate, or this device no longer trusts it, the browser refuses to connect and does not say why.`,
        // Not by the app's own router, which would not ask the network.
        actions: [make("a", { class: "button", href: "/welcome?network", target: "_self" },
            t`Open the hub’s page again`)],
    });
}
