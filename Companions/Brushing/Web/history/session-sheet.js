import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { get, isAborted } from "../../app/api.js";
import { awardNamed } from "./awards.js";
import { longDay, timeIn } from "../../text/civil.js";
import { claimText, lengthText } from "./session-words.js";
import { clockOf } from "../../text/durations.js";
import { zoneName } from "../session/zone-text.js";
import { KIND } from "../engine-constants.js";
import { t } from "../../language/text.js";

const NAMES = { brush: t`Brush`, floss: t`Floss`, rinse: t`Rinse` };
const SIGNS = { brush: "tooth", floss: "floss", rinse: "rinse" };
const SHORT = t`It is saved and shown, but does not count towards a row.`;
const REASONS = {
    stopped: t`It is saved and shown, but does not count towards a row. It was stopped before its end.`,
    left: t`It is saved and shown, but does not count towards a row. The page was closed before its end.`,
};

/** One session step by step, as the hub replayed it. */
export function openSessionSheet(person, session) {
    const body = make("div", { class: "stack" }, linesSkeleton(90, 90, 60));
    const award = awardNamed(session.award);
    const opened = sheet(`${person.name}, ${timeIn(person.timeZone, session.startedAt)}`, {
        lead: `${longDay(session.day)}. ${lengthText(session)}.`,
        body: [
            award && notice({ icon: "award", title: award.title, words: award.words }),
            session.claim && notice({ icon: "info", title: t`Counted differently`, words: claimText(session) }),
            !session.counts && notice({
                icon: "clock", state: "unknown", title: t`Too short to count`,
                words: REASONS[session.reason] ?? SHORT,
            }),
            body,
        ],
    });
    const load = async () => {
        try {
            const path = /** @type {const} */ (`/api/brushing/sessions/${encodeURIComponent(session.id)}`);
            const { steps } = await get(path, { signal: opened.signal });
            fill(body, make("ol", { class: "rows session-steps" }, steps.map((step) => row(step, steps))));
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: load }));
        }
    };
    load();
}

function row(step, steps) {
    const { kind, repetition, repetitions, place, plannedSeconds, doneSeconds } = step;
    const several = steps.filter((one) => one.kind === kind).length > 1;
    const name = !several ? NAMES[kind] : kind === "brush"
        ? zoneName({ kind: KIND.brush, repetition, repetitions, place }) : `${NAMES[kind]} ${repetition}`;
    const left = plannedSeconds - doneSeconds;
    const done = plannedSeconds > 0 ? Math.min(100, (doneSeconds / plannedSeconds) * 100) : 0;
    return make("li", { class: "row session-step" }, icon(SIGNS[kind] ?? "clock"),
        make("span", { class: "words" },
            make("span", { class: "name" }, name),
            make("span", { class: "step-bar", vars: { done }, "aria-hidden": true }),
            left >= 1 && make("span", { class: "fine" }, t`${clockOf(left)} skipped`)),
        make("span", { class: "value" }, clockOf(doneSeconds)));
}
