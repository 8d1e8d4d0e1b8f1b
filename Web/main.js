import { get, rights } from "./house/api.js";
import { session } from "./house/session.js";
import { enter, leave } from "./house/shell.js";
import { openFirstAccount } from "./pages/first-account.js";
import { openJoin } from "./pages/join.js";
import { openNoHub } from "./pages/no-hub.js";
import { openSignIn } from "./pages/sign-in.js";

/** Opens what fits: the house for who is signed in, otherwise the door. */
async function start() {
    try {
        await session.load();
    } catch (error) {
        return error.status === 401 ? door() : openNoHub(error, start);
    }
    return enter();
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

start();
