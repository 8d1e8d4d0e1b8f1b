import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { sayingSkeleton } from "../../elements/skeleton.js";
import { stylesheet } from "../../elements/stylesheet.js";
import { header } from "../../elements/header.js";
import { get } from "../../app/api.js";
import { declarations } from "../../app/declarations.js";
import { installing } from "../../offline/install.js";
import { capabilitySection } from "./capability-section.js";
import { readEnvironment, readTrust } from "./environment.js";
import { installSection } from "./install-section.js";
import { trustSection, trustState } from "./trust-section.js";
import { setWelcomed } from "./welcomed.js";
import { t } from "../../language/text.js";

const DONE = ["done", "local", "unneeded"];

/**
 * The wizard behind the QR code: the steps that bring a device in. It needs no sign-in, and works signed in too.
 * @param {{screen: Element, signal: AbortSignal, title: (words: string) => void, isSignedIn: boolean,
 *   leave: () => any, then?: string}} place  `leave`: goes on into the app; `then`: where that is, where somebody came with
 *   the code of an invitation or for a new password
 */
export async function openWelcome({ screen, signal, title, isSignedIn, leave, then }) {
    title(t`Welcome`);
    const top = header({ name: t`Welcome`, icon: "phone", say: "" });
    fill(top.say, sayingSkeleton(t`what this device can do`));
    fill(screen, top.node);
    const [welcome, here, trust] = await Promise.all([
        get(`/api/welcome?clock=${Date.now()}`, { signal, quiet: true }), readEnvironment(window), readTrust(window),
        stylesheet("styles/welcome.css"),
    ]);
    if (signal.aborted) return;
    const state = trustState(welcome, here, trust);
    const data = { welcome, here, trust, state, isReady: DONE.includes(state), then };
    const goOn = () => {
        setWelcomed();
        return leave();
    };
    const [say, lead] = sayings(data);
    top.say.textContent = say;
    top.lead.textContent = lead;
    top.lead.hidden = false;
    // Who has come with a code is not kept from using it for longer than trust takes: the rest is in Settings.
    if (!then) top.node.append(steps(data, isSignedIn));
    if (!data.isReady) {
        top.node.append(make("div", { class: "row-of-buttons header-buttons" },
            button(isSignedIn ? t`Not now` : t`Skip for now`, { press: goOn })));
    }

    const installPart = make("div", { class: "stack" });
    const drawInstall = () => fill(installPart, installSection(data));
    installing.addEventListener("change", drawInstall, { signal });
    drawInstall();
    screen.append(make("div", { class: "content welcome" },
        welcome.clock.words && notice({
            icon: "clock", state: "problem", title: t`The clocks differ`, words: welcome.clock.words,
        }),
        part(1, "trust", t`Trust this hub`, trustSection(data)),
        !then && part(2, "can", t`What this ${here.noun} can do`, capabilitySection(data, () => {})),
        !then && part(3, "install", here.isPhone ? t`Put it on the home screen` : t`Keep it at hand`, installPart),
        part(then ? 2 : 4, "in", isSignedIn ? t`You are in` : t`Come in`,
            make("p", { class: "second" }, entrance(data, isSignedIn)),
            make("div", { class: "row-of-buttons" }, button(inWord(data, isSignedIn), {
                kind: data.isReady ? "primary" : undefined, size: "l", press: goOn,
            })))));
}

function sayings({ state, here, welcome, then }) {
    switch (state) {
    case "done": return [t`This ${here.noun} trusts your hub`,
        t`${welcome.name} is one tap away. Below you see what works here, and what works another way.`];
    case "unneeded": return [t`Welcome to ${welcome.name}`, t`You have nothing to set up here. Below you see what works on this device.`];
    case "local": return [t`You are at the hub itself`, t`You have nothing to set up here. Below you see what this browser can do, and the steps for a phone.`];
    case "plain": return [t`This page is not secure yet`,
        then ? t`Go on at ${welcome.origin}. The address below takes your code along.`
            : t`Open ${welcome.origin} instead. Most of what is below needs it.`];
    case "missing": return [t`This hub has no HTTPS yet`, [...declarations().flatMap((one) => one.withoutHTTPS ?? []),
        t`Below you see what needs it, and why.`].join(" ")];
    default: return [here.isPhone ? t`Connect this ${here.noun}` : t`Connect this computer`, connecting(then)];
    }
}

function connecting(then) {
    if (!then) return t`It takes a few minutes, and only once: your device learns that this hub is yours. Each step says what you will see.`;
    return isInvitation(then)
        ? t`Your invitation waits below. First your device learns that this is the hub you were invited to. That takes a few minutes.`
        : t`Your new password comes next. First your device learns that this hub is yours. That takes a few minutes.`;
}

const isInvitation = (then) => then.startsWith("/join");

function entrance({ welcome, then }, isSignedIn) {
    if (isSignedIn) return t`This device is signed in already.`;
    if (then) return isInvitation(then) ? t`Your invitation is kept here: you need not type its code.` : t`Your code is kept here: you need not type it.`;
    if (welcome.needsFirstAccount) return t`Nobody has an account here yet. Five short steps, and the house is yours.`;
    return t`With the account you have, or with an invitation from somebody who lives here.`;
}

function inWord({ welcome, then }, isSignedIn) {
    if (isSignedIn) return t`Open Tandem`;
    if (then) return isInvitation(then) ? t`Accept the invitation` : t`Choose a new password`;
    return welcome.needsFirstAccount ? t`Set up this house` : t`Sign in`;
}

/** The parts of the page, in the header: ticked, now, to come. */
function steps({ isReady, here }, isSignedIn) {
    const all = [
        ["#trust", t`Trust this hub`, isReady], ["#can", t`What works here`, false],
        ["#install", here.isPhone ? t`Home screen` : t`At hand`, here.isInstalled], ["#in", t`Come in`, isSignedIn],
    ];
    const open = all.findIndex(([, , isDone]) => !isDone);
    const now = open === -1 ? all.length : open;
    return make("ol", { class: "welcome-steps" }, all.map(([href, word, isDone], i) => make("li", {},
        make("a", {
            href, "aria-current": i === now ? "step" : undefined,
            data: { state: isDone ? "done" : "open", reached: i <= now ? "" : undefined },
        },
            make("span", { class: "howto-number", "aria-hidden": true }, isDone ? icon("check", "xs") : i + 1),
            word,
            isDone && make("span", { class: "unseen" }, t`, done`)))));
}

function part(number, id, title, ...children) {
    return make("section", { class: "section welcome-part", id, "aria-labelledby": `${id}-title` },
        make("div", { class: "section-head" }, make("h2", { id: `${id}-title`, tabindex: "-1" },
            make("span", { class: "part-number" }, number), title)),
        children);
}
