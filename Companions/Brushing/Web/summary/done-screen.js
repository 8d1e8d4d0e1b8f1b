import { button } from "../../elements/button.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { readout } from "../../elements/readout.js";
import { whoRow } from "../../elements/who-row.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { get } from "../../app/api.js";
import { go } from "../../app/shell.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { outbox } from "../../offline/outbox.js";
import { number } from "../../text/numbers.js";
import { awardNamed } from "../history/awards.js";
import { timeIn } from "../../text/civil.js";
import { overview } from "../overview.js";
import { doneHere, doneTogether, noteResponse } from "./done.js";
import { clockOf, durationText } from "../../text/durations.js";
import { gardenSection } from "../garden.js";
import { medal } from "./medal.js";
import { partOfDay } from "../local-moment.js";
import { PATH, progressOf, tipAfter } from "../progress.js";
import { streakText, weekFigures, weekSection } from "../ready-sections.js";
import { partsRing } from "../session/routine-ring.js";
import { sessionFromBytes, sessionFromHub } from "./session-summary.js";
import { openShare } from "./share-sheet.js";
import { isClean, teeth } from "../session/teeth.js";
import { tips } from "../tips/tips.js";
import { ICONS, NAMES } from "../session/zone-text.js";
import { t } from "../../language/text.js";

const PARTS = { morning: t`This morning`, afternoon: t`This afternoon`, evening: t`This evening` };
const WAITS = t`It is sent as soon as the hub answers.`;
const WAITS_COUNTED = t`It is sent as soon as the hub answers. The figures below already include it.`;

/** What has just been brushed: the award or a tip, the week, the habit, what was skipped. */
export async function openDone({ screen, params, signal, title }) {
    title(t`Well brushed`);
    const name = make("span", { class: "header-name" });
    const others = make("div", { class: "done-together" });
    const picture = make("div", { class: "done-picture" });
    const say = make("h1", { class: "say", tabindex: "-1" }, sayingSkeleton(t`what was brushed`));
    const lead = make("p", { class: "lead" });
    const share = button(t`Share`, { icon: "share", press: () => openShare(shared()) });
    const content = make("div", { class: "content" }, linesSkeleton(60, 90, 70));
    const delivery = make("div", { class: "delivery", "aria-live": "polite" });
    screen.append(make("header", { class: "header done" },
        make("div", { class: "header-bar" }, name,
            button(t`Close`, { kind: "quiet", press: () => go("/brushing") })),
        others, picture, say, lead, make("div", { class: "row-of-buttons share" }, share)), content);
    share.hidden = true;

    let here = doneHere(params.id);
    const together = here ? doneTogether(here) : [];
    if (together.length > 1) {
        fill(others, whoRow(t`Whose result`, together.map(({ person: one }) => one), here.person.id, (id) =>
            go(`/brushing/done/${together.find(({ person: one }) => one.id === id).id}`, { replace: true })));
    }
    let was = null;
    let award = null;
    let progress = null;
    let person = null;
    let tip = 0;
    let isFailed = false; // the hub did not take it
    const shared = () => ({ person, was, award, progress, tip: award ? null : tips[tip % tips.length] });

    const drawHeader = () => {
        fill(name, face(person, "s"), `${person.name}, ${timeIn(person.timeZone, was.startedAt)}`);
        const isMedal = award !== null && !isFailed;
        fill(picture, isMedal ? medal(award)
            : partsRing(was.parts, { over: mouthOf(was.parts), figure: clockOf(was.total) }));
        const took = durationText(was.total);
        const planned = durationText(was.length);
        say.textContent = isMedal ? `${award.title}, ${person.name}`
            : was.counts ? t`Well brushed, ${person.name}`
                : was.isThrough ? t`Short this time, ${person.name}` : t`Stopped early, ${person.name}`;
        lead.textContent = isFailed ? t`It took ${took}. It is still only on this device.`
            : isMedal ? t`${award.words} This one took ${took}.`
                : was.isComplete ? t`It took ${took}, all of it.`
                    : was.counts ? t`${took} of ${planned}.`
                    : t`${took} of ${planned}. It is saved, but too short to count.`;
        share.hidden = false;
    };
    const drawContent = () => {
        // What has not earned an award has earned a tip, and that is what is read first.
        const learnt = tipOf(tip);
        fill(content, delivery, award === null && learnt, progress && figures(progress, here, was),
            progress && weekSection(progress.week, progress), progress && gardenSection(progress.garden, { isNew: was.counts }),
            stepsOf(was, person), award !== null && learnt);
    };
    const drawProgress = async () => {
        person = overview.person(here?.person.id ?? was.answer?.person) ?? here?.person ?? { name: "", face: null };
        progress = person.progress ? await progressOf(person).catch(() => null) : null;
        tip = here?.tip ?? (person.progress ? await tipAfter(person, tips.length).catch(() => 0) : 0);
        if (signal.aborted) return;
        drawHeader();
        drawContent();
        drawDelivery();
    };
    const drawDelivery = async () => {
        const entry = (await outbox.entries().catch(() => [])).find((one) => one.queue === params.id);
        if (signal.aborted) return;
        if (isFailed !== Boolean(entry?.failed)) {
            isFailed = Boolean(entry?.failed);
            drawHeader();
        }
        const data = here?.answer ?? was?.answer;
        fill(delivery, deliveryNotice(entry, was?.counts ? WAITS_COUNTED : WAITS) ?? (data?.claim && differs(data, was)));
    };
    /** What the hub made of it, once it has it. */
    const hear = async (response) => {
        const data = response ?? await get(`${PATH}/${encodeURIComponent(params.id)}`, { signal }).catch(() => null);
        if (!data || signal.aborted) return;
        noteResponse(params.id, data);
        here = doneHere(params.id) ?? here;
        award = awardNamed(data.award);
        drawHeader();
        drawDelivery();
    };

    try {
        overview.recall();
        const loaded = overview.load();
        if (!overview.data) await loaded;
        else loaded.catch(() => {});
        was = here ? await sessionFromBytes(here) : null;
        was ??= await sessionFromHub(params.id, signal);
    } catch (error) {
        if (signal.aborted) return;
        if (error.status === 404) {
            say.textContent = t`Not here`;
            lead.textContent = t`This session is not on the hub. It may have been removed.`;
            fill(content, make("div", { class: "row-of-buttons" },
                make("a", { class: "button", href: "/brushing/history" }, icon("calendar", "s"), t`History`)));
            return;
        }
        say.textContent = t`This cannot be shown right now`;
        fill(content, problemNotice(error, { retry: () => go(location.pathname, { replace: true }) }));
        return;
    }
    if (signal.aborted) return;
    award = awardNamed((here?.answer ?? was.answer ?? here)?.award);
    outbox.addEventListener("delivered", ({ detail }) => {
        if (detail.path !== PATH) return;
        const response = /** @type {Brushing.BrushingSessionResponse?} */ (detail.response);
        if (!response || response.id === params.id) hear(response);
        overview.soon();
    }, { signal });
    for (const type of /** @type {const} */ (["changed", "failed"])) outbox.addEventListener(type, drawDelivery, { signal });
    overview.addEventListener("change", drawProgress, { signal });
    await drawProgress();
    const waiting = (await outbox.entries().catch(() => [])).some((one) => one.queue === params.id);
    if (here && !here.answer && !waiting) hear(null);
}

/** The teeth as they are now: clean where their turn was brushed. */
function mouthOf(parts) {
    const mouth = teeth("ring");
    mouth.forEach((tooth, i) => tooth.setAttribute("class", `tooth ${isClean(i, parts) ? "clean" : ""}`));
    return mouth;
}

function figures(progress, here, was) {
    const more = progress.habitPercent - (here?.habitBefore ?? progress.habitPercent);
    return make("dl", { class: "readouts done-figures" },
        readout(t`This week`, ...weekFigures(progress), t`brushings`),
        readout(t`In all`, number(progress.sessions), null, t`brushings`),
        readout(t`Total time`, durationText(progress.totalSeconds), null, t`of brush, floss and rinse`),
        readout(t`Habit`, number(progress.habitPercent), t`of 100`,
            more > 0 ? t`${more} more than before` : t`the last weeks count most`),
        readout(t`In a row`, number(progress.streakDays), progress.streakDays === 1 ? t`day` : t`days`,
            streakText(progress)),
        readout(t`This time`, clockOf(was.total), t`min`, t`of ${clockOf(was.length)}`));
}

function stepsOf(was, person) {
    const rows = NAMES.map((name, kind) => ({ name, kind, done: was.done[kind], planned: was.planned[kind] }))
        .filter(({ planned }) => planned > 0);
    return make("section", { class: "section", "aria-labelledby": "parts" },
        make("h2", { id: "parts" }, PARTS[partOfDay(was.startedAt, person.timeZone)]),
        make("ol", { class: "rows tonight" }, rows.map(({ name, kind, done, planned }) => {
            const left = Math.round(planned - done);
            return make("li", { class: "row" }, icon(ICONS[kind]),
                make("span", { class: "words" }, make("span", { class: "name" }, name),
                    left > 0 && make("span", { class: "fine" }, t`${durationText(left)} skipped`)),
                make("span", { class: "value" }, clockOf(done)));
        })));
}

function tipOf(index) {
    const tip = tips[index % tips.length];
    if (!tip) return null;
    return make("section", { class: "section tip", "aria-labelledby": "tip" }, make("h2", { id: "tip" }, tip.title),
        make("p", { class: "second" }, tip.says),
        make("a", {
            class: "link", data: { block: "" }, href: tip.source.url, target: "_blank", rel: "noopener noreferrer",
        }, t`Where this comes from`, icon("out", "s")));
}

/** The hub has counted the same events differently: its result stands, and nobody is left to wonder. */
function differs(data, was) {
    const [hub, page] = [data.brushSeconds, data.claim.brushSeconds];
    return notice({
        icon: "info", title: t`The hub counted differently`,
        words: hub === page ? t`This page counted other times for floss or rinse. The hub’s figures are used.`
            : t`The hub counted ${durationText(hub)} of brushing, this page ${durationText(page)}. The hub’s figures are used.`,
    });
}
