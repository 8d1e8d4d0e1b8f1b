import { header } from "../elements/header.js";
import { problemNotice } from "../elements/notice.js";
import { fill, make } from "../elements/make.js";
import { outboxMark } from "../offline/outbox-mark.js";
import { isAborted, passwordTyped } from "./api.js";
import { companions as findCompanions } from "./companions.js";
import { connectionStrip } from "./connection-strip.js";
import { live } from "./live.js";
import { places } from "./places.js";
import { paintBar } from "./theme.js";
import { Router } from "./router.js";
import { signIn } from "./sign-in.js";
import { storageStrip } from "./storage-strip.js";
import { t } from "../language/text.js";

/** @type {OwnScreen[]} */
let ownScreens = [];
let router = null;
let drawn = null;

/**
 * Goes to an address of this app.
 * @param {string} path
 * @param {{replace?: boolean}} [options]
 */
export function go(path, options) {
    if (router) return router.go(path, options);
    history.replaceState(null, "", path); // the router opens the present address when it starts
}

/**
 * Takes the screens that are of no companion; the last one is shown for a path that no other has.
 * @typedef {{path: string, title: string, open: (place: any) => any, fullscreen?: boolean}} OwnScreen
 * @param {OwnScreen[]} screens
 */
export function bringScreens(screens) {
    ownScreens = screens;
}

/**
 * Draws the app around its pages and opens the page of the present address. Called once somebody is signed in.
 */
export async function enter() {
    const companions = findCompanions();
    const nav = places(companions);
    const screen = make("main", { id: "main", class: "screen", tabindex: "-1" });
    const skip = make("a", { class: "skip-link", href: "#main" }, t`Skip to content`);
    skip.addEventListener("click", (event) => {
        event.preventDefault();
        screen.focus();
    });
    document.body.replaceChildren(skip, nav.node,
        make("div", { class: "beside" }, connectionStrip(), storageStrip(), screen,
            make("aside", { class: "marks", "aria-label": t`Waiting to be sent` }, outboxMark())));
    drawn = { nav, screen, companions };
    router ??= new Router(show);
    router.clear();
    const own = ownScreens.map((screen) => ({ companion: "app", ...screen }));
    for (const screen of own.slice(0, -1)) router.add(screen);
    for (const companion of companions) {
        for (const screen of companion.screens) {
            router.add({ title: companion.title, companion: companion.slug, ...screen });
        }
    }
    router.add(own.at(-1));
    live.connect();
    await router.start();
}

/** Takes the app away: nobody is signed in any more. */
export function leave() {
    router?.leave();
    router?.clear();
    drawn = null;
}

let first = true;

// What one sees and may change, another’s page does not show: it is drawn anew when somebody else uses the device.
let shownTo = null;
signIn.addEventListener("change", () => {
    const now = signIn.profile?.id;
    if (drawn && shownTo && now && shownTo !== now) go(location.pathname, { replace: true });
    shownTo = now;
});

async function show(route, { params, signal, back }) {
    const { nav, screen, companions } = drawn;
    document.body.dataset.companion = route.companion;
    // A fullscreen view has the whole screen: no places, no strip, until it is left.
    document.body.toggleAttribute("data-fullscreen", route.fullscreen === true);
    requestAnimationFrame(paintBar); // which asks for styles
    const title = (words) => { document.title = words === t`Today` ? "Tandem" : `${words} · Tandem`; };
    title(route.title);
    nav.mark(location.pathname);
    screen.replaceChildren();
    try {
        // What is somebody's own is shown to an adult who holds a shared device; of the children also without.
        if (route.isOwn && signIn.needsPassword) await passwordTyped({ isRead: true });
        if (signal.aborted) return;
        await route.open({ screen, params, signal, title, back, companions });
    } catch (error) {
        if (signal.aborted || isAborted(error)) return;
        const retry = () => go(location.pathname, { replace: true });
        const icon = companions.find(({ slug }) => slug === route.companion)?.icon ?? "today";
        fill(screen, header({ name: route.title, icon, say: t`This cannot be shown right now` }).node,
            make("div", { class: "content" }, problemNotice(error, { retry })));
    }
    if (signal.aborted) return;
    // Who does not see the page hears that it is another one.
    if (!first) (screen.querySelector("h1") ?? screen).focus({ preventScroll: true });
    first = false;
}
