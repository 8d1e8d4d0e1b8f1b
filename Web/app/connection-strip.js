import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { shortDayAndTime } from "../text/dates.js";
import { live } from "./live.js";
import { lostTrust } from "./lost-trust.js";
import { t } from "../language/text.js";

const PATIENCE = 1500; // milliseconds: a hub that restarts at once is not worth a word

async function openWhy() {
    const { sheet } = await import("../elements/sheet.js");
    const opened = sheet(t`No answer from the hub`, {
        lead: t`It may be off, or this device in another network.`, body: [lostTrust()],
    });
    opened.node.addEventListener("click", ({ target }) => { if (target instanceof Element && target.closest("a")) opened.close(); });
}

async function tell(words) {
    (await import("../elements/toast.js")).toast(words);
}

/**
 * The hatched strip above everything that says that the page does not hear the hub, and since when.
 * @returns {HTMLElement}
 */
export function connectionStrip() {
    const words = make("span", { class: "words", role: "status" });
    const act = button(t`Try now`, {
        kind: "quiet", press: () => (live.state === "off" ? live.connect() : live.retry()),
    });
    const why = button(t`Why?`, { kind: "quiet", press: openWhy });
    const node = make("div", { class: "strip", hidden: true }, icon("offline"), words, why, act);
    let patience = null;
    let said = false;

    const show = (strong, rest, word) => {
        act.textContent = word;
        words.replaceChildren(make("b", { class: "strong" }, strong), ` ${rest}`);
        node.hidden = false;
        said = true;
    };
    const draw = () => {
        clearTimeout(patience);
        if (live.state === "open") {
            node.hidden = true;
            if (said && !document.body.hasAttribute("data-fullscreen")) tell(t`The hub is back.`);
            said = false;
        } else if (live.state === "off") {
            why.hidden = true;
            show(t`Not connected.`, t`You switched it off: values stay as they were.`, t`Connect`);
            said = false; // Coming back is then no news.
        } else {
            const since = shortDayAndTime(live.since);
            why.hidden = location.protocol !== "https:";
            const away = () => show(t`No hub since ${since}.`, t`Values are as they were then.`, t`Try now`);
            patience = setTimeout(away, navigator.onLine ? PATIENCE : 0);
        }
    };
    live.addEventListener("state", draw);
    return node;
}
