import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { sayingSkeleton } from "../../elements/skeleton.js";
import { stylesheet } from "../../elements/stylesheet.js";
import { header } from "../../elements/header.js";
import { get } from "../../app/api.js";
import { declarations } from "../../app/companions.js";
import { installing } from "../../offline/install.js";
import { capabilitySection } from "./capability-section.js";
import { readEnvironment, readTrust } from "./environment.js";
import { installSection } from "./install-section.js";
import { trustSection, trustState } from "./trust-section.js";
import { setWelcomed } from "./welcomed.js";

const DONE = ["done", "local", "unneeded"];

/**
 * The wizard behind the QR code: four steps that bring a device in. It needs no sign-in, and works signed in too.
 * @param {{screen: Element, signal: AbortSignal, title: (words: string) => void, isSignedIn: boolean,
 *   leave: () => any}} place  `leave`: goes on into the app
 */
export async function openWelcome({ screen, signal, title, isSignedIn, leave }) {
    title("Welcome");
    const top = header({ name: "Welcome", icon: "phone", say: "" });
    fill(top.say, sayingSkeleton("what this device can do"));
    fill(screen, top.node);
    const [welcome, here, trust] = await Promise.all([
        get(`/api/welcome?clock=${Date.now()}`, { signal, quiet: true }), readEnvironment(window), readTrust(window),
        stylesheet("styles/welcome.css"),
    ]);
    if (signal.aborted) return;
    const state = trustState(welcome, here, trust);
    const data = { welcome, here, trust, state, isReady: DONE.includes(state) };
    const goOn = () => {
        setWelcomed();
        return leave();
    };
    const [say, lead] = sayings(data);
    top.say.textContent = say;
    top.lead.textContent = lead;
    top.lead.hidden = false;
    const path = steps(data, isSignedIn);
    top.node.append(path.node);
    if (!data.isReady) {
        top.node.append(make("div", { class: "row-of-buttons header-buttons" },
            button(isSignedIn ? "Not now" : "Later, let me in", { press: goOn })));
    }

    const installPart = make("div", { class: "stack" });
    const drawInstall = () => fill(installPart, installSection(data));
    installing.addEventListener("change", drawInstall, { signal });
    drawInstall();
    screen.append(make("div", { class: "content welcome" },
        welcome.clock.words && notice({
            icon: "clock", state: "problem", title: "The clocks differ", words: welcome.clock.words,
        }),
        part(1, "trust", "Trust this hub", trustSection(data)),
        part(2, "can", `What this ${here.noun} can do`, capabilitySection(data, () => {})),
        part(3, "install", here.isPhone ? "Put it on the home screen" : "Keep it at hand", installPart),
        part(4, "in", isSignedIn ? "You are in" : "Come in",
            make("p", { class: "second" }, entrance(welcome, isSignedIn)),
            make("div", { class: "row-of-buttons" }, button(inWord(welcome, isSignedIn), {
                kind: data.isReady ? "primary" : undefined, size: "l", press: goOn,
            })))));
}

function sayings({ state, here, welcome }) {
    switch (state) {
    case "done": return [`This ${here.noun} trusts your hub`,
        `${welcome.name} is one tap away. Below: what works here, and what goes another way.`];
    case "unneeded": return [`Welcome to ${welcome.name}`, "Nothing has to be set up for trust here. Below: what works on "
        + "this device."];
    case "local": return ["You are at the hub itself", "Nothing to set up here. Below: what this browser can do, and "
        + "the steps for a phone."];
    case "plain": return ["This page is not secure yet",
        `Open ${welcome.origin} instead: most of what is below needs it.`];
    case "missing": return ["This hub speaks no HTTPS yet", [...declarations().flatMap((one) => one.withoutHTTPS ?? []),
        "What needs it is shown below, with the reason."].join(" ")];
    default: return [`Bring this ${here.noun} in`, "Four steps, about a minute. The first one is for good: your "
        + "device learns that this hub is yours."];
    }
}

function entrance(welcome, isSignedIn) {
    if (isSignedIn) return "This device is signed in already.";
    if (welcome.needsFirstAccount) return "Nobody lives here yet: five short steps make the house yours.";
    return "With the account you have, or with an invitation from somebody who lives here.";
}

function inWord(welcome, isSignedIn) {
    if (isSignedIn) return "To the house";
    return welcome.needsFirstAccount ? "Set up this house" : "Sign in";
}

/** The four steps in the header: ticked, now, to come. */
function steps({ isReady, here }, isSignedIn) {
    const all = [
        ["#trust", "Trust this hub", isReady], ["#can", "What works here", false],
        ["#install", here.isPhone ? "Home screen" : "At hand", here.isInstalled], ["#in", "Come in", isSignedIn],
    ];
    const open = all.findIndex(([, , isDone]) => !isDone);
    const now = open === -1 ? all.length : open;
    return {
        node: make("ol", { class: "welcome-steps" }, all.map(([href, word, isDone], i) => make("li", {},
            make("a", {
                href, "aria-current": i === now ? "step" : undefined,
                data: { state: isDone ? "done" : "open", reached: i <= now ? "" : undefined },
            },
                make("span", { class: "howto-number", "aria-hidden": true }, isDone ? icon("check", "xs") : i + 1),
                word,
                isDone && make("span", { class: "unseen" }, ", done"))))),
    };
}

function part(number, id, title, ...children) {
    return make("section", { class: "section welcome-part", id, "aria-labelledby": `${id}-title` },
        make("div", { class: "section-head" }, make("h2", { id: `${id}-title`, tabindex: "-1" },
            make("span", { class: "part-number" }, number), title)),
        children);
}
