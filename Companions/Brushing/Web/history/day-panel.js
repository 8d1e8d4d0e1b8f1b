import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { toast } from "../../elements/toast.js";
import { put, remove } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { messageOf } from "../../app/problem.js";
import { dayIn, longDay, timeIn } from "../../text/civil.js";
import { overview } from "../overview.js";
import { clockOf } from "../../text/durations.js";
import { openSessionSheet } from "./session-sheet.js";
import { claimText, secondsOf } from "./session-words.js";
import { t } from "../../language/text.js";

const SAYS = {
    complete: t`All done.`, part: t`Not all of it.`, none: t`Nothing was brushed.`, frozen: t`Day off, not counted.`,
    "to-come": t`Still to come.`, before: t`Before the first brushing.`,
};
const SAYS_TODAY = { part: t`Not all of it yet.`, "to-come": t`Not brushed yet.` };
const KINDS = {
    brush: (time) => t`brush ${time}`, floss: (time) => t`floss ${time}`, rinse: (time) => t`rinse ${time}`,
};
const SIGNS = { morning: "sun", evening: "moon" };

/**
 * One day: each session with its time, and whether the day counts.
 * @param {() => any} changed
 */
export function dayPanel(changed) {
    const node = make("div", { class: "day-panel", "aria-live": "polite" });
    let shown = null;
    const show = (person, day) => {
        shown = { person, day };
        fill(node,
            make("div", { class: "day-head" },
                make("div", {},
                    make("h3", {}, longDay(day.day)), make("p", { class: "small second" }, says(person, day))),
                person.mayDecide && offButton(person, day, changed)),
            day.sessions.length > 0
                && make("ol", { class: "rows" }, day.sessions.map((one) => row(person, one))));
    };
    return {
        node, show,
        clear: () => {
            shown = null;
            fill(node);
        },
        get shown() { return shown; },
    };
}

function says(person, { day, state }) {
    return (day === dayIn(person.timeZone, now()) && SAYS_TODAY[state]) || SAYS[state];
}

function offButton(person, { day, state }, changed) {
    const isOff = state === "frozen";
    const path = /** @type {const} */ (`/api/brushing/people/${encodeURIComponent(person.id)}/days/${day}`);
    const turn = async (off) => {
        const answer = await (off ? put(path, { reason: "skip" }) : remove(path));
        if (answer) overview.take(answer);
        else overview.soon();
        await changed();
    };
    const node = button(isOff ? t`Count it again` : t`Make it a day off`, {
        kind: "quiet",
        press: async () => {
            try {
                await turn(!isOff);
                toast(isOff ? t`${longDay(day)} counts again.` : t`${longDay(day)} is a day off.`,
                    { undo: () => turn(isOff) });
            } catch (error) {
                toast(messageOf(error), { icon: "warning" });
            }
        },
    });
    node.setAttribute("aria-label", isOff ? t`Count ${longDay(day)} again` : t`Make ${longDay(day)} a day off`);
    return node;
}

function row(person, session) {
    const { startedAt, slot, counts, claim, award } = session;
    const parts = [["brush", session.brushSeconds], ["floss", session.flossSeconds], ["rinse", session.rinseSeconds]]
        .filter(([, seconds]) => seconds > 0).map(([kind, seconds]) => KINDS[kind](clockOf(seconds))).join(", ");
    return make("li", {}, make("button", {
        class: "row", type: "button", on: { click: () => openSessionSheet(person, session) },
    },
    icon(SIGNS[slot] ?? "clock"),
    make("span", { class: "words" },
        make("span", { class: "name" }, timeIn(person.timeZone, startedAt)),
        make("span", { class: "small second sentence" }, parts || t`nothing of the routine`),
        claim && make("span", { class: "fine" }, claimText(session))),
    award && make("span", { class: "tag" }, icon("award"), t`Award`),
    !counts && make("span", { class: "tag", data: { state: "unknown" } }, t`Short`),
    make("span", { class: "value" }, clockOf(secondsOf(session))),
    icon("forward", "s")));
}
