import { live } from "../app/live.js";
import { Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { go } from "../app/shell.js";
import { waitAfter } from "./back-off.js";
import { t } from "../language/text.js";

const OFTEN = 5; // tries until the waits stay as long as they are

/**
 * Waits until the hub has said whether the session of the last visit still holds, however long it is away. What the
 * open page could not load meanwhile is loaded then.
 * @param {Promise<void>} asked  the first question, on its way
 * @throws {import("../app/problem.js").Problem}  what the hub answered, when it does not hold
 */
export async function untilConfirmed(asked) {
    let answer = asked;
    for (let tries = 1; ; tries += 1) {
        try {
            await answer;
            if (tries > 1) go(location.pathname + location.search, { replace: true });
            return;
        } catch (error) {
            if (!error.unreachable && !(error.status >= 500)) throw error;
        }
        await hubMayBeBack(waitAfter(Math.min(tries, OFTEN)));
        if (!signIn.person) throw new Problem(401, { detail: t`You signed out.` });
        if (!signIn.isRestored) return; // somebody signed in meanwhile
        answer = signIn.load();
    }
}

/** Resolves when the live connection opens, the network comes back, or the time is over. */
function hubMayBeBack(wait) {
    return new Promise((done) => {
        const ended = new AbortController();
        const end = () => {
            clearTimeout(timer);
            ended.abort();
            done();
        };
        const timer = setTimeout(end, wait);
        addEventListener("online", end, { signal: ended.signal });
        live.addEventListener("state", ({ detail }) => { if (detail.state === "open") end(); },
            { signal: ended.signal });
    });
}
