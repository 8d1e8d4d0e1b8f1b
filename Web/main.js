import { get, rights } from "./house/api.js";
import { session } from "./house/session.js";
import { enter, leave } from "./house/shell.js";
import { untilConfirmed } from "./offline/confirmation.js";
import { offerUpdates } from "./offline/update-bar.js";
import { worker } from "./offline/worker.js";
import { openFirstAccount } from "./pages/first-account.js";
import { openJoin } from "./pages/join.js";
import { openNoHub } from "./pages/no-hub.js";
import { openSignIn } from "./pages/sign-in.js";

/**
 * Opens what fits: the house for who is signed in, otherwise the door. Who was here before finds the house at once,
 * also without the hub; the hub says afterwards whether that still holds.
 */
async function start() {
    const asked = session.load();
    asked.catch(() => {}); // heard below
    const isRecalled = await session.recall();
    if (isRecalled) await enter();
    const before = JSON.stringify(session.companions);
    try {
        await (isRecalled ? untilConfirmed(asked) : asked);
    } catch (error) {
        if (isRecalled && !session.person) return; // a page has heard it before, and the door is open
        if (error.status !== 401) return openNoHub(error, start);
        leave();
        session.forget();
        return door();
    }
    if (!isRecalled || JSON.stringify(session.companions) !== before) await enter();
}

async function door() {
    let setup;
    try {
        setup = await get("/api/setup", { quiet: true });
    } catch (error) {
        return openNoHub(error, start);
    }
    if (setup.needsFirstAccount) return openFirstAccount(opened);
    if (location.pathname === "/join") return openJoin(setup, opened);
    return openSignIn(setup, opened);
}

/** After the door: to the page that was asked for. */
async function opened() {
    if (location.pathname === "/join") history.replaceState(null, "", "/");
    await enter();
}

rights.addEventListener("ended", () => {
    if (!session.person) return;
    leave();
    session.forget();
    door();
});

addEventListener("tandem-signed-out", () => {
    leave();
    history.replaceState(null, "", "/");
    door();
});

offerUpdates();
worker.start();
start();
