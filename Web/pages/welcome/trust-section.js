import { copyLine } from "../../elements/copy.js";
import { fingerprint } from "../../elements/fingerprint.js";
import { icon } from "../../elements/icon.js";
import { fill, make, NODE, withNode } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { betterBrowser, TRUST_KINDS, trustKind } from "./device-kind.js";
import { trustSteps } from "./trust-steps.js";
import { t } from "../../language/text.js";

/**
 * Step 1: how this device learns to trust the hub, with pictures; and how two people make sure that it is their hub.
 * @param {{welcome: object, here: object, state: string, then?: string}} data  `state`: see {@link trustState}; `then`: the
 *   place that was asked for
 * @returns {Array<Node>}
 */
export function trustSection({ welcome, here, state, then = "/welcome" }) {
    if (!welcome.authority || state === "plain") return [withoutAuthority(welcome, here, then)];
    const body = make("div", { class: "stack trust-body" });
    const chosen = trustKind(here);
    const draw = (kind) => fill(body, steps(kind, welcome, kind === chosen && state === "todo"));
    draw(chosen);
    const other = picker(chosen, draw);
    if (state === "todo") {
        const better = betterBrowser(here);
        return [
            warned(here),
            better && notice({ icon: "out", title: t`In another browser`, words: better }),
            body, other.node,
        ];
    }
    // What is done is put away, and still there for who helps somebody else.
    const again = make("details", { class: "unfold" },
        make("summary", {}, icon("down", "s"), here.isLoopback
            ? t`Show the steps for a phone` : t`Show the steps again, or for another device`),
        make("div", { class: "stack" }, other.node, body));
    if (here.isLoopback) other.choose(here.isPhone ? chosen : "ios");
    return [done(here, state), again];
}

/** "done", "local", "unneeded", "todo", "plain" or "missing": how step 1 stands. */
export function trustState(welcome, here, trust) {
    if (here.isLoopback && !here.isHTTPS) return "local";
    if (!here.isHTTPS) return welcome.origin ? "plain" : "missing";
    if (trust === "untrusted") return "todo";
    if (!welcome.authority) return "unneeded";
    return trust === "trusted" ? "done" : "todo";
}

function withoutAuthority(welcome, here, then) {
    if (here.isHTTPS) {
        return notice({
            icon: "check", title: t`Nothing to do here`,
            words: t`This hub shows a certificate that browsers know already.`,
        });
    }
    if (welcome.origin) {
        return notice({
            icon: "lock", title: t`The hub is at another address`,
            words: make("span", {}, withNode(
                t`Its secure page is at ${NODE}. This one came without HTTPS, so anybody in the network could have changed it on its way.`,
                make("a", { class: "link", href: `${welcome.origin}${then}` }, welcome.origin))),
        });
    }
    return make("div", { class: "stack" },
        notice({
            icon: "lock", title: t`This hub has no HTTPS yet`,
            words: t`Phones allow sensors, Bluetooth, notifications and offline use on secure pages only. Start the hub with --lan, and it makes a certificate of its own:`,
        }),
        copyLine(`tandem ${welcome.demo ? "demo" : "serve"} --lan`, t`Copy the command`));
}

function warned(here) {
    return make("details", { class: "unfold", open: matchMedia("(min-width: 1000px)").matches },
        make("summary", {}, icon("down", "s"), t`What ${here.browser} said first: “not private”, or “not secure”`),
        make("div", { class: "stack small second" },
            make("p", {}, t`It was right. The way to this page was encrypted, but nobody your device knows has vouched that your hub is at the other end. No company can vouch for a machine in your home, so you do it yourself, once, with the steps below.`),
            make("p", {}, t`You went past that warning by its details (“visit this website”, or “Advanced, Proceed”). After the steps it no longer comes. If it comes back some day, stop and compare the fingerprint again.`)));
}

function done(here, state) {
    return make("div", { class: "status-line", data: { state: "here" } }, icon("check"),
        make("span", { class: "words" },
            make("b", { class: "strong" },
                state === "local" ? t`Nothing to do on this machine` : t`This ${here.noun} trusts your hub`),
            make("span", { class: "fine" }, state === "local"
                ? t`The hub runs here, so its pages cross no network.` : t`It checked the hub’s certificate by itself, just now.`)));
}

function steps(kind, welcome, isHere) {
    const data = trustSteps(kind, welcome.authority, welcome.hubName ?? t`your hub`);
    return [
        make("p", { class: "second" }, data.lead),
        make("ol", { class: "howto" }, data.steps.map((step, i) => make("li", {},
            step.picture,
            make("div", { class: "howto-text" },
                make("h3", {}, make("span", { class: "howto-number", "aria-hidden": true }, i + 1), step.title),
                make("p", { class: "small second" }, step.words),
                step.code && copyLine(step.code, t`Copy the command`),
                step.download && make("a", {
                    class: "button", data: { kind: isHere ? "primary" : undefined }, href: step.download.href,
                    download: step.download.file, target: step.download.file ? undefined : "_self",
                }, icon("download", "s"), step.download.word))))),
        compare(welcome.authority, data),
    ];
}

function picker(chosen, choose) {
    const chips = TRUST_KINDS.map(([kind, word]) => make("button", {
        class: "chip", type: "button", "aria-pressed": kind === chosen, on: { click: () => pick(kind) },
    }, word));
    const pick = (kind) => {
        chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(TRUST_KINDS[i][0] === kind)));
        choose(kind);
    };
    const node = make("div", { class: "stack" }, make("p", { class: "label", id: "another" }, t`Another device?`),
        make("div", { class: "chips", role: "group", "aria-labelledby": "another" }, chips));
    return { node, choose: pick };
}

/** The fingerprint, where this device shows it, and where the same one stands on the hub. */
function compare(authority, data) {
    const fact = (term, ...words) => make("div", {}, make("dt", {}, term), make("dd", {}, words));
    return make("div", { class: "stack", id: "compare" },
        make("h3", {}, t`Is it your hub? Compare its fingerprint`),
        fingerprint(authority.fingerprint),
        make("dl", { class: "facts small" },
            fact(t`On the hub`, make("span", {}, withNode(
                t`In the terminal where it was started. ${NODE} prints it again, and a device that is signed in shows it under Settings, Add a phone.`,
                make("code", {}, "tandem authority")))), // not shown: a command
            fact(t`On this device`, data.compare, data.code && copyLine(data.code, t`Copy the command`)),
            fact(t`What counts`, t`A page that nobody vouched for could show any number, so compare what the device itself shows with what the hub shows. One of you reads aloud: the first and last four pairs are a fair check, all are a sure one. If one pair differs, stop: it is not your hub that answers.`),
            fact(t`To undo it, any day`, data.undo)));
}
