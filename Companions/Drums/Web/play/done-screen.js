import { button } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { bytesOf } from "../../engine/base64.js";
import { get } from "../../app/api.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { outbox } from "../../offline/outbox.js";
import { durationText } from "../../text/durations.js";
import { number } from "../../text/numbers.js";
import { overview, songs } from "../overview.js";
import { PADS, padShape } from "../pads.js";
import { askAfter } from "../self-report/self-report.js";
import { beganAt, leadOf, sayOf } from "../session-page/session-text.js";
import { VERDICT_TEXT } from "../session-page/verdict-text.js";
import { playSong } from "./begin.js";
import { doneHere, PATH, storedPath } from "./done.js";
import { sessionFromBytes } from "./session-summary.js";

const WAITS = t`It is sent as soon as the hub answers.`;
/** What is said first: to a player, kindly. */
const GREETINGS = {
    finished: (name) => t`Well played, ${name}`, stopped: (name) => t`Good start, ${name}`,
    left: (name) => t`Good start, ${name}`, minutesOver: (name) => t`Done for today, ${name}`,
    restNeeded: (name) => t`Time for a rest, ${name}`, linkLost: (name) => t`Good start, ${name}`,
};

/** What has just been played: what was right at the first try, how fast, and what happened. */
export async function openDone({ screen, params, signal, title }) {
    title(t`Played`);
    const { id } = params;
    const name = make("span", { class: "header-name" });
    const say = make("h1", { class: "say", tabindex: "-1" }, sayingSkeleton(t`what was played`));
    const lead = make("p", { class: "lead" });
    const beads = make("div", { class: "beads-place" });
    const trouble = make("div", { "aria-live": "assertive" });
    const again = button(t`Play again`, {
        kind: "primary", size: "l", icon: "play",
        press: () => playAgain().catch((error) => fill(trouble, problemNotice(error))),
    });
    again.hidden = true;
    const onwards = button("", {
        size: "l", icon: "skip", press: () => playNext().catch((error) => fill(trouble, problemNotice(error))),
    });
    onwards.hidden = true;
    const beside = make("p", { class: "beside-last", role: "status" });
    const close = () => go(`/drums?person=${encodeURIComponent(was?.person ?? "")}`);
    const content = make("div", { class: "content" }, linesSkeleton(60, 90, 70));
    const delivery = make("div", { class: "delivery", "aria-live": "polite" });
    const score = make("a", { class: "button", href: storedPath(id) }, t`Every beat of it`);
    screen.append(make("header", { class: "header played" },
        make("div", { class: "header-bar" }, name, button(t`Close`, { kind: "quiet", press: close })),
        say, lead, beside, beads, trouble, make("div", { class: "row-of-buttons again" }, again, onwards)), content);

    const here = doneHere(id);
    let report = null;
    let isStopped = false; // it hurts too much to go on
    let was = null;
    const playAgain = () => playSong(overview.song(was.song.id), {
        person: overview.person(was.person), level: was.level, mode: was.mode,
    });
    const playNext = () => playSong(overview.song(after.next.song), {
        person: overview.person(was.person), level: was.level, mode: was.mode,
    });
    /** What the hub says once it has the session: beside the last time, and the song to go on with. */
    let after = null;
    let isAsked = false;
    const loadAfter = async () => {
        if (isAsked) return;
        isAsked = true;
        after = await get(/** @type {const} */ (`${PATH}/${encodeURIComponent(id)}/after`), { signal }).catch(() => null);
        if (!after || signal.aborted) return;
        beside.textContent = after.comparison ?? "";
        drawNext();
    };
    const drawNext = () => {
        onwards.hidden = again.hidden || !after?.next || !overview.song(after.next.song)?.bytes;
        if (!onwards.hidden) fill(onwards, icon("skip"), after.next.isNew ? t`New: ${after.next.title}` : t`Next: ${after.next.title}`);
    };
    const draw = () => {
        const person = overview.person(was.person) ?? here?.person;
        if (person) fill(name, face(person, "s"), `${person.name}, ${beganAt(was, person.timeZone)}`);
        say.textContent = (person && GREETINGS[was.end]?.(person.name)) ?? t`Played`;
        lead.textContent = `${sayOf(was)}. ${leadOf(was)}`;
        again.hidden = !overview.song(was.song.id)?.bytes || !person?.mayDeliver || person.play?.isOver === true || isStopped;
        drawNext();
        fill(beads, beadsOf(was));
        // Asked once, of who played here.
        if (here) report ??= askAfter(person, id, () => { isStopped = true; again.hidden = true; drawNext(); });
        fill(content, delivery, report, figures(was, person), make("p", { class: "second plain" },
            t`This is a log of practice. It is not an assessment.`),
            make("div", { class: "row-of-buttons" },
                score,
                make("a", { class: "button", href: `/drums/data?person=${encodeURIComponent(was.person)}` }, t`All practice`)));
        drawDelivery();
    };
    const drawDelivery = async () => {
        const entry = (await outbox.entries().catch(() => [])).find((one) => one.queue === id);
        if (signal.aborted) return;
        fill(delivery, deliveryNotice(entry, WAITS));
        // The hub has it, and who is here may see how it was.
        if (!entry && overview.person(was.person)?.week) loadAfter();
        score.href = storedPath(id);
    };

    try {
        overview.recall();
        const loaded = overview.load();
        if (!overview.data) await loaded;
        else loaded.catch(() => {});
        await songs.known().catch(() => {}); // only the way to play again is missed
        was = here ? await sessionFromBytes(bytesOf(here.bytes)) : null;
        was ??= await get(`${PATH}/${encodeURIComponent(id)}`, { signal });
    } catch (error) {
        if (signal.aborted) return;
        say.textContent = error.status === 404 ? t`Not here` : t`This cannot be shown right now`;
        fill(content, problemNotice(error, {
            retry: error.status === 404 ? undefined : () => go(location.pathname, { replace: true }),
        }));
        return;
    }
    if (signal.aborted) return;
    title(was.song.title);
    draw();
    outbox.addEventListener("delivered", ({ detail }) => {
        if (detail.path === PATH) overview.soon();
        drawDelivery();
    }, { signal });
    for (const type of /** @type {const} */ (["changed", "failed"])) outbox.addEventListener(type, drawDelivery, { signal });
    overview.addEventListener("change", draw, { signal });
}

/** Every beat as a bead: solid where it was right at the first try, hollow where it was not, a dot where none came. */
function beadsOf({ beatList = [], right, judged }) {
    if (beatList.length === 0) return null;
    return make("div", {
        class: "beads", role: "img", data: { many: beatList.length > 60 ? "" : undefined },
        "aria-label": t`${number(right)} of ${judged} beats right at the first try.`,
    }, beatList.map(({ drum, verdict }) => make("span", {
        class: "bead", data: { verdict }, title: `${PADS[drum].word}, ${VERDICT_TEXT[verdict]}`,
    }, padShape(drum))));
}

function figures(was, person) {
    const { reaction, right, judged, waits, milliseconds, mode, implausible } = was;
    const week = person?.week;
    const countOf = (what) => (was.beatList ?? []).filter(({ verdict }) => verdict === what).length;
    const spread = reaction && [
        reaction.hasQuartiles === false ? `n\u00A0=\u00A0${reaction.n}`
            : t`half between ${number(reaction.lower)} and ${number(reaction.upper)}, n\u00A0=\u00A0${reaction.n}`,
        implausible > 0 && t`left out, as too early to be a reaction: ${implausible}`,
    ].filter(Boolean).join("; ");
    return make("dl", { class: "readouts" },
        readout(mode === "flow" ? t`On the beat` : t`Right at the first try`, number(right), t`of ${judged}`, t`beats`),
        mode === "flow" ? [
            readout(t`A little early or late`, number(countOf("offTime")), null, t`beats`),
            readout(t`Passed by`, number(countOf("missed")), null, t`beats`),
        ] : [
            reaction ? readout(t`Reaction`, number(reaction.median), "ms", spread)
                : readout(t`Reaction`, "–", null, implausible > 0 ? t`too early to be a reaction` : t`nothing to measure yet`),
            readout(t`The music waited`, number(waits), "×", t`as long as it takes`),
        ],
        readout(t`Practised`, durationText(milliseconds / 1000), null,
            week?.plannedMinutes ? t`${week.minutes} of ${week.plannedMinutes} min this week` : null));
}
