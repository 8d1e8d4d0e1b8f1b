import "./language/ready.js";
import { addresses, companions, declarations } from "./build.js";
import { setAddresses } from "./elements/address.js";
import { make } from "./elements/make.js";
import { dropPreloads, get, rights, setPasswordQuestion } from "./app/api.js";
import { bringCompanions, guestScreen } from "./app/companions.js";
import { signIn } from "./app/sign-in.js";
import { bringScreens, enter, leave } from "./app/shell.js";
import { paintBar } from "./app/theme.js";
import { frameDrawn, whenIdle } from "./app/when-idle.js";
import { untilConfirmed } from "./offline/confirmation.js";
import { restoreCached } from "./offline/cache.js";
import { openNoHub } from "./pages/no-hub.js";
import { ownScreens } from "./pages/own-screens.js";
import { isWelcomed } from "./pages/welcome/welcomed.js";
import { askOnFamilyDevice, tellWhoWasAssumed } from "./pages/who/family-device.js";

const UNTAKEN = 3000; // milliseconds for which what was asked for with the page may wait for Today to take it

/** The places to which a link with a code leads. */
const WITH_CODE = ["/join", "/reset"];

setAddresses(addresses);
document.documentElement.append(document.querySelector(".icons")); // pages put what they draw in place of the body's own
bringCompanions(companions, declarations);
bringScreens(ownScreens);
setPasswordQuestion(async () => (await import("./pages/who/confirm-password.js")).confirmPassword());

/**
 * Opens what fits: the app for who is signed in, otherwise the sign-in. Who was here before finds the app at once,
 * also without the hub; the hub says afterwards whether that still holds.
 */
async function start() {
    const guest = guestScreen(location.pathname);
    if (guest) return openGuest(guest);
    let isRecalled = signIn.recall();
    // What the last visit knew is shown before the hub is asked.
    const asked = isRecalled ? frameDrawn().then(() => signIn.load()) : signIn.load();
    asked.catch(() => {}); // heard below
    if (!isRecalled) {
        await restoreCached();
        isRecalled = signIn.recall();
    }
    const drawnFrom = () => [signIn.household?.setupStep, ...signIn.companions.map(({ slug }) => slug)].join();
    const before = drawnFrom(); // the hub may answer while the app is being drawn
    const wasShared = signIn.isShared;
    if (isRecalled) {
        await inside();
        askOnFamilyDevice();
    }
    try {
        await (isRecalled ? untilConfirmed(asked) : asked);
    } catch (error) {
        if (isRecalled && !signIn.person) return; // a page has heard it before, and the sign-in is open
        if (error.status !== 401) return openNoHub(error, start);
        leave();
        signIn.forget();
        return showSignIn();
    }
    const isDrawnAnew = !isRecalled || drawnFrom() !== before;
    if (isDrawnAnew) await inside();
    if (signIn.assumed) tellWhoWasAssumed();
    else if (isDrawnAnew || !wasShared) askOnFamilyDevice();
}

/** The app, or the first run where it was left. */
async function inside() {
    // A phone that is being joined is first shown how, whatever else is still to be done.
    const isFirstRun = signIn.isAdult && signIn.household.setupStep && location.pathname !== "/welcome";
    // Today takes what is of the companions that this household has; nobody takes the rest.
    if (isFirstRun || location.pathname !== "/") dropPreloads();
    else setTimeout(dropPreloads, UNTAKEN);
    await (isFirstRun ? firstRun() : enter());
    afterwards();
}

/** What nobody waits for comes when the page is drawn. */
function afterwards() {
    whenIdle(() => import("./offline/start-signed-in.js").catch(() => {})); // the hub went away: the next load has it
}

/** What comes before signing in is loaded when it is needed: who is signed in never does. */
async function showSignIn() {
    try {
        await openSignIn();
    } catch (error) {
        openNoHub(error, start); // such as a hub that has another build since
    }
}

async function openSignIn() {
    if (location.pathname === "/welcome" || isNewHere()) {
        dropPreloads();
        return welcome();
    }
    if (WITH_CODE.includes(location.pathname) && await (await import("./pages/welcome/led-first.js")).isLedFirst()) {
        return welcome(location.pathname + location.search + location.hash);
    }
    const setup = await get("/api/setup", { quiet: true });
    dropPreloads();
    import("./offline/start-signed-out.js").catch(() => {}); // as afterwards
    if (setup.needsFirstAccount) return firstRun();
    if (location.pathname === "/join") return (await import("./pages/join.js")).openJoin(opened);
    if (location.pathname === "/reset") return (await import("./pages/reset.js")).openReset(opened);
    return (await import("./pages/sign-in.js")).openSignIn(setup, opened);
}

/** A device that came over HTTPS for the first time, as by the QR code, is led through the wizard. */
function isNewHere() {
    return location.protocol === "https:" && location.pathname === "/" && !isWelcomed();
}

/** @param {string} [then]  the place that was asked for, with its code: that of the address stays until then */
async function welcome(then) {
    const { openWelcome } = await import("./pages/welcome/welcome.js");
    const screen = make("main", { id: "main", class: "screen before" });
    const left = new AbortController();
    document.body.dataset.companion = "app";
    document.body.replaceChildren(screen);
    await openWelcome({
        screen, signal: left.signal, isSignedIn: false, then,
        title: (words) => { document.title = `${words} · Tandem`; },
        leave: () => {
            left.abort();
            history.replaceState(null, "", then ?? "/");
            return showSignIn();
        },
    });
}

/** The page of whoever has come with a link and has no account here. Who is signed in is a guest on it as well. */
async function openGuest({ slug, open }) {
    const screen = make("main", { id: "main", class: "screen guest", tabindex: "-1" });
    document.body.dataset.companion = slug;
    document.body.replaceChildren(screen);
    paintBar();
    dropPreloads();
    try {
        // A page that is closed ends all of it; nothing else does.
        await open({ screen, signal: new AbortController().signal, title: (words) => { document.title = `${words} · Tandem`; } });
    } catch (error) {
        openNoHub(error, start);
    }
}

async function firstRun() {
    const { openFirstRun } = await import("./pages/first-run/first-run.js");
    return openFirstRun(opened);
}

/**
 * After signing in: to the page that was asked for.
 * @param {string} [path]  another one
 */
async function opened(path) {
    if (path) history.replaceState(null, "", path);
    else if (WITH_CODE.includes(location.pathname)) history.replaceState(null, "", "/");
    await inside();
}

rights.addEventListener("ended", () => {
    if (!signIn.person) return;
    leave();
    signIn.forget();
    showSignIn();
});

addEventListener("tandem-signed-out", () => {
    leave();
    history.replaceState(null, "", "/");
    showSignIn();
});

start();
