import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { isAborted, post } from "../app/api.js";
import { hasPasskeys, offersInFields, usePasskey } from "../app/passkeys.js";
import { signIn } from "../app/sign-in.js";
import { t } from "../language/text.js";

const EARLY = 30_000; // milliseconds before a question of the hub's is too old, in which it is asked for anew

/**
 * The way in by a passkey: a button, and an offer in the field of the email where the browser has that. It takes no room where
 * nobody has a passkey for this hub.
 * @param {() => any} opened  called once somebody is in
 * @returns {{node: HTMLElement, close: () => void}}  `close`: the browser offers none any more
 */
export function passkeyDoor(opened) {
    const node = make("div", { class: "stack", hidden: true });
    const trouble = make("div", { "aria-live": "assertive" });
    let offering = new AbortController();
    let renewal;
    const stop = () => {
        offering.abort();
        clearTimeout(renewal);
    };
    const comeIn = async (passkey) => {
        await signIn.withPasskey(passkey);
        stop();
        await opened();
    };
    const question = () => post("/api/session/passkey/challenge", {}, { quiet: true });
    const press = async () => {
        stop();
        trouble.replaceChildren();
        try {
            const { options, obstacle } = await question();
            if (!options) return draw(obstacle);
            await comeIn(await usePasskey(options, { signal: new AbortController().signal }));
        } catch (error) {
            if (!isAborted(error)) trouble.replaceChildren(problemNotice(error));
            offer();
        }
    };
    const draw = (obstacle) => {
        node.hidden = false;
        fill(node, obstacle
            ? make("p", { class: "fine hub" }, icon("key", "s"), make("span", {}, obstacle))
            : [button(t`Use a passkey`, { icon: "key", size: "l", wide: true, press }), trouble]);
    };
    /** Offers passkeys in the field, for as long as the page shows it. */
    const offer = async () => {
        if (!node.isConnected || !await offersInFields()) return;
        stop();
        offering = new AbortController();
        const { signal } = offering;
        try {
            const { options } = await question();
            if (!options || signal.aborted) return;
            renewal = setTimeout(offer, options.timeout - EARLY);
            await comeIn(await usePasskey(options, { signal, isInField: true }));
        } catch (error) {
            // Only what the hub says of one that was chosen: nobody has asked the browser for anything.
            if (error.status === 401 && node.isConnected) trouble.replaceChildren(problemNotice(error));
        }
    };
    const begin = async () => {
        try {
            const { options, obstacle } = await question();
            if (obstacle) return draw(obstacle);
            if (!options || !hasPasskeys()) return;
            draw();
            await offer();
        } catch {
            // Without it there is the password, and the hub that is away is said there.
        }
    };
    begin();
    return { node, close: stop };
}
