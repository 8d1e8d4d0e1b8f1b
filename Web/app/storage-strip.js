import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { get } from "./api.js";
import { live } from "./live.js";
import { signIn } from "./sign-in.js";
import { t } from "../language/text.js";

const AFTER_LOAD = 5000; // milliseconds

/**
 * The strip above everything that says that the hub can store nothing, and why, until it can again; or that a part of its
 * database is damaged, while the rest goes on.
 * @returns {HTMLElement}
 */
export function storageStrip() {
    const words = make("span", { class: "words", role: "status" });
    const node = make("div", { class: "strip", hidden: true }, icon("warning"), words);
    const draw = (fault) => {
        node.hidden = !fault;
        if (fault) words.replaceChildren(make("b", { class: "strong" }, title(fault)), " ", says(fault));
    };
    const ask = async () => {
        try {
            draw((await get("/api/session")).hub.storageFault);
        } catch {
            // What cannot be asked now is drawn with the next message.
        }
    };
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "storage") ask();
    });
    // What was said meanwhile nobody heard. The first time that is the moment since the page itself was told: it is asked for
    // when the first load is over.
    let wait = AFTER_LOAD;
    live.addEventListener("reset", () => {
        setTimeout(ask, wait);
        wait = 0;
    });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") ask();
    });
    draw(signIn.hub?.storageFault);
    return node;
}

function title(fault) {
    return fault === "damaged" ? t`Part of the database is damaged.` : t`The hub stores nothing.`;
}

function says(fault) {
    if (fault === "full") return t`Its disk is full. Free some space on it: it goes on by itself. Sensors keep what they can until then.`;
    if (fault === "damaged") return t`What is whole goes on as before. Whoever looks after the hub has to stop it, and put a backup back on its own machine: the command for it stands in Settings, Backups.`;
    return t`Its disk cannot be written. Look whether it is connected, worn out, or mounted for reading only.`;
}
