import { button, iconButton } from "../../elements/button.js";
import { compareChoice } from "../../elements/compare-choice.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { chartSkeleton, linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { header } from "../../elements/header.js";
import { whoRow } from "../../elements/who-row.js";
import { get, isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { shortDay, shortMonth } from "../../text/civil.js";
import { overview } from "../overview.js";
import { showOverview } from "../shown-overview.js";
import { weekPlan } from "../dose.js";
import { scoresBeside } from "../goals/score-charts.js";
import { chartSections } from "./chart-sections.js";

const SPANS = [{ value: "week", word: t`Week` }, { value: "month", word: t`Month` }, { value: "year", word: t`Year` }];
/** What lies just before, in the choice of what to compare with. */
const BEFORE = { week: t`The week just before`, month: t`The four weeks just before`, year: t`The 52 weeks just before` };
let lastSpan = "month";
/** @type {""|"before"|"year"} */
let against = "";
let asTables = false;

/** What was practised, for a week, a month or a year: real sessions only, each figure with its n and its spread. */
export async function openData({ screen, signal, title }) {
    title(t`Drums: data`);
    const who = make("div", { class: "settings-who" });
    const plan = make("div", {});
    const play = make("a", { class: "button header-play", data: { kind: "primary", size: "l", wide: "" },
        href: "/drums" },
        icon("play"), t`Play`);
    const top = header({
        back: { href: "/drums", word: t`Drums` }, above: who,
        actions: [iconButton(t`Goals`, "award", () => go(`/drums/goals${query()}`)),
            iconButton(t`Report for the therapist`, "print", () => go(`/drums/report${query()}`)),
            iconButton(t`Settings`, "settings", () => go(`/drums/settings${query()}`))],
        below: [art("drums", "header-art drums-art")],
    });
    top.lead.replaceWith(plan, play, top.lead);
    top.lead.classList.add("small");
    top.lead.hidden = false;
    fill(top.lead, linesSkeleton(92, 60));
    fill(top.say, sayingSkeleton(t`what was practised`));
    const between = make("h2", { class: "span-text", "aria-live": "polite" });
    const back = iconButton(t`Earlier`, "back", () => turn(data?.earlier));
    const ahead = iconButton(t`Later`, "forward", () => turn(data?.later));
    const place = make("div", { class: "data-place" }, chartSkeleton());
    const turnTable = button(t`As tables`, { kind: "quiet", press: () => { asTables = !asTables; draw(); } });
    const scores = scoresBeside(signal);
    const compared = compareChoice((chosen) => { against = chosen; load(); });
    const compareWith = () => {
        if (lastSpan === "year" && against === "year") against = "before"; // they are the same
        compared.show(BEFORE[lastSpan], against, lastSpan !== "year");
    };
    compareWith();
    const content = make("div", { class: "content" },
        segmented(t`Span`, SPANS, lastSpan, (span) => { lastSpan = span; until = null; compareWith(); load(); }),
        make("div", { class: "span-head" }, back, between, ahead, turnTable), compared.node, place, scores.node);
    screen.append(top.node, content);
    let person = null;
    let data = null;
    let until = null;
    const query = () => (person ? `?person=${encodeURIComponent(person.id)}` : "");

    const turn = (day) => {
        if (!day) return;
        until = day;
        return load();
    };
    const drawOverview = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        const before = person?.id;
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0] ?? null;
        if (!person) {
            top.say.textContent = t`Nothing here yet`;
            fill(top.lead);
            return fill(place, make("p", { class: "second" }, t`Who plays is added under Settings, People.`));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose data`, people, person.id, choose));
        }
        top.say.textContent = person.week?.headline ?? person.name;
        fill(plan, weekPlan(person.week));
        play.href = `/drums${query()}`;
        if (before !== person.id) load();
        scores.show(person);
    };
    const choose = (id) => {
        person = overview.person(id);
        until = null;
        overview.choose(id);
        history.replaceState(history.state, "", `/drums/data${query()}`);
        drawOverview();
        load();
        scores.show(person);
    };
    const load = async () => {
        if (!person) return;
        const wanted = () => `${person.id} ${lastSpan} ${until} ${against}`;
        const asked = wanted();
        try {
            const query = new URLSearchParams({ span: lastSpan, ...(until && { until }), ...(against && { against }) });
            const answer = await get(`/api/drums/data?person=${encodeURIComponent(person.id)}&${query.toString()}`, { signal });
            if (asked !== wanted()) return;
            data = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || asked !== wanted()) return;
            data = null;
            fill(top.lead);
            turnTable.hidden = true;
            fill(place, calmNotice(error, { retry: load }));
        }
    };
    const draw = () => {
        const named = data.span === "year" ? (day) => `${shortMonth(day)} ${day.slice(0, 4)}` : shortDay;
        between.textContent = t`${named(data.start)} to ${named(data.end)}`;
        back.disabled = !data.earlier;
        ahead.disabled = !data.later;
        top.lead.textContent = data.lead;
        turnTable.hidden = data.isEmpty;
        compared.node.hidden = data.isEmpty || !data.earlier && !against;
        turnTable.setAttribute("aria-pressed", String(asTables));
        fill(place, data.isEmpty ? empty(data) : chartSections(data, { asTables, query: query() }));
    };

    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "drums" && detail.what === "session"
            && (detail.item ?? detail.id) === person?.id) load();
    }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") load();
    }, { signal });
    await showOverview(drawOverview, { signal, say: top.say, words: t`The data cannot be shown right now`, place });
}

function empty({ empty: words, earlier }) {
    return make("div", { class: "empty" }, art("drums", "art drum-art"), make("p", { class: "second" }, words),
        make("p", { class: "small second" }, earlier ? t`Earlier weeks have something: go back with the arrow.`
            : t`After the first song there is something to see. Nothing is made up until then.`));
}
