import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { go } from "../../app/shell.js";
import { animal, spark } from "./animal.js";
import { awardNamed } from "../history/awards.js";
import { roundButton } from "./child-view.js";
import { overview } from "../overview.js";
import { doneHere, doneTogether } from "../summary/done.js";
import { durationText } from "../../text/durations.js";
import { gardenPicture, gardenText } from "../garden.js";
import { medal } from "../summary/medal.js";
import { disc } from "../pips.js";
import { progressOf } from "../progress.js";
import { weekFigures } from "../ready-sections.js";
import { sessionFromBytes } from "../summary/session-summary.js";
import { places } from "./teeth.js";
import { t } from "../../language/text.js";

const CONFETTI = 44;
const COLOURS = ["red", "orange", "blue", "yellow"];

/** The end of a child's brushing: a glad face with clean teeth, the week, a medal where there is one; no word. */
export async function openHooray({ screen, params, signal, title }) {
    title(t`Well brushed`);
    const here = doneHere(params.id);
    if (!here) return go(`/brushing/done/${encodeURIComponent(params.id)}`, { replace: true });
    overview.recall();
    if (!overview.data) await overview.load().catch(() => {});
    const all = await Promise.all(doneTogether(here).map(resultOf));
    if (signal.aborted) return;
    const faces = all.map(gladFace);
    const [{ progress }] = all;
    const close = roundButton(t`Close`, "check", () => go("/brushing"), true);
    screen.append(make("div", { class: "header fullscreen child hooray", data: { state: "glad" } },
        make("h1", { class: "unseen", tabindex: "-1" }, all.map(({ words }) => words).join(" ")),
        make("div", { class: "header-bar" }, make("a", {
            class: "icon-button", href: `/brushing/done/${here.id}`, "aria-label": t`Summary in words`,
        }, icon("info"))),
        faces.length > 1 ? make("div", { class: "halves" }, faces.map((node, i) => make("div", { class: "half" },
            make("div", { class: "half-head" }, make("span", { class: "header-name" }, make("span", {}, all[i].person.name))),
            node))) : faces,
        faces.length === 1 && progress && make("div", { class: "glad-garden" }, gardenPicture(progress.garden, { isNew: true })),
        faces.length === 1 && progress && make("ol", { class: "glad-week", "aria-hidden": true }, progress.week.map((day) =>
            make("li", { data: { now: day.isToday ? "" : undefined } }, disc(day)))),
        make("div", { class: "controls" }, close)));
    // not shown: a media query
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) screen.firstElementChild.append(confetti());
}

/** What came of it for one of those who brushed, and how that is said. */
async function resultOf(here) {
    const person = overview.person(here.person.id);
    const [was, progress] = await Promise.all([
        sessionFromBytes(here).catch(() => null), person ? progressOf(person).catch(() => null) : null,
    ]);
    const award = awardNamed(here.award);
    const words = [
        was ? t`${here.person.name} has brushed, ${durationText(was.total)}.` : t`${here.person.name} has brushed.`,
        award && `${award.title}: ${award.words}`,
        progress && t`This week: ${weekFigures(progress).filter(Boolean).join(" ")}.`,
        progress && gardenText(progress.garden),
    ].filter(Boolean).join(" ");
    return { person: here.person, progress, award, words };
}

function gladFace({ person, award }) {
    const head = animal(person.face);
    for (const tooth of head.teeth) tooth.setAttribute("class", "tooth clean");
    const spots = places("mouth");
    const sparks = [2, 7, 11, 18, 23].map((i, n) => spark(spots[i].x, spots[i].y, n % 2 ? 9 : 13));
    return make("div", { class: "ring animal", data: { animal: head.kind } },
        make("svg:svg", { viewBox: "0 0 320 320", "aria-hidden": true },
            head.behind, make("svg:g", { class: "glad-head" }, head.face, head.mouth, sparks)),
        award && medal(award));
}

/** Paper in the four colours of Tandem, once. */
function confetti() {
    const pieces = Array.from({ length: CONFETTI }, (_, i) => make("i", {
        data: { colour: COLOURS[i % COLOURS.length] },
        vars: {
            x: `${(i * 61) % 100}%`, wait: `${(i * 97) % 900}ms`, fall: `${2200 + (i * 173) % 1600}ms`,
            turn: `${((i * 137) % 720) - 360}deg`, drift: `${((i * 53) % 120) - 60}px`,
        },
    }));
    return make("div", { class: "confetti", "aria-hidden": true }, pieces);
}
