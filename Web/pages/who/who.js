import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { PAINTS } from "../../elements/paints.js";
import { sheet } from "../../elements/sheet.js";
import { stylesheet } from "../../elements/stylesheet.js";
import { signIn } from "../../app/sign-in.js";
import { askPassword } from "./hand-over.js";
import { t } from "../../language/text.js";

let asking = null; // the sheet that is open

/**
 * Asks who uses this device now: a tile for each, with a face on it. The sign-in stays; what is done is stored for the
 * person chosen.
 * @param {{mustAnswer?: boolean}} [options]  `mustAnswer`: the page is not to be seen before somebody said so
 */
export async function askWho(options = {}) {
    const { mustAnswer = false } = options;
    await stylesheet("styles/who.css");
    if (asking?.isConnected) return;
    const trouble = make("div", { "aria-live": "assertive" });
    const tiles = make("ul", { class: "who-tiles" });
    const choose = async (person) => {
        // On a family device the hub asks a grown-up for the password, also the one who was here last.
        const isSure = person.role === "child" || !mustAnswer;
        if (person.id === signIn.profile.id && isSure) return opened.close();
        try {
            await signIn.switchTo(person.id);
            opened.close();
        } catch (error) {
            // Out of a child’s profile, and into a grown-up’s on a family device: with the password.
            if (error.unreachable) assumed(person);
            else if (error.field === "password") askPassword(person, error.message, () => opened.close());
            else trouble.replaceChildren(problemNotice(error));
        }
    };
    // Without the hub nobody’s password can be checked, and nothing be done but noted: for whoever says to be here.
    const assumed = (person) => {
        signIn.assume(person);
        opened.close();
    };
    const opened = sheet(t`Who is this?`, {
        lead: mustAnswer ? undefined : t`What you do on this device is then saved for that person. The sign-in stays the same.`,
        body: [trouble, tiles], full: mustAnswer,
    });
    asking = opened.node;
    const draw = () => fill(tiles, signIn.people.map((person, i) =>
        make("li", {}, tile(person, PAINTS[i % PAINTS.length], mustAnswer, choose))));
    signIn.addEventListener("change", draw, { signal: opened.signal });
    draw();
    // A ring around one tile would look like a choice that was made.
    opened.paper.querySelector("h2").focus();
}

function tile(person, paint, mustAnswer, choose) {
    const isHere = person.id === signIn.profile.id;
    return make("button", {
        class: "who-tile", type: "button", data: { paint }, "aria-current": isHere || undefined,
        on: { click: () => choose(person) },
    },
    face(person, "l"),
    make("span", { class: "who-name person-name", data: { long: hasLongWord(person.name) ? "long" : undefined } }, person.name),
    make("span", { class: "fine" }, about(person, isHere && !mustAnswer)),
    isHere && !mustAnswer && make("span", { class: "who-here" }, icon("check", "s")));
}

/** Whether a word of it wants smaller letters to stand in one line of a tile. */
const hasLongWord = (name) => name.split(/[\s-]+/).some((word) => word.length > 9);

function about(person, isHere) {
    if (isHere) return t`is here now`;
    if (person.role === "adult" && (signIn.isShared || signIn.profile.role === "child")) return t`with the password`;
    return person.id === signIn.person.id ? t`signed in here` : "";
}
