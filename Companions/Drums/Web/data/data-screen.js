import { button, iconButton } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { chartSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { wall } from "../../elements/wall.js";
import { whoRow } from "../../elements/who-row.js";
import { get, isAborted } from "../../house/api.js";
import { live } from "../../house/live.js";
import { go } from "../../house/shell.js";
import { shortDay, shortMonth } from "../../words/civil.js";
import { desk } from "../desk.js";
import { weekPlan } from "../dose.js";
import { chartSections } from "./chart-sections.js";

const SPANS = [{ value: "week", word: "Week" }, { value: "month", word: "Month" }, { value: "year", word: "Year" }];
let remembered = "month";
let asTables = false;

/** What was practised, for a week, a month or a year: real sessions only, each figure with its n and its spread. */
export async function openData({ room, signal, title }) {
    title("Drums: data");
    const who = make("div", { class: "settings-who" });
    const plan = make("div", {});
    const play = make("a", { class: "button wall-play", data: { kind: "primary", size: "l", wide: "" },
        href: "/drums" },
        icon("play"), "Play");
    const top = wall({
        back: { href: "/drums", word: "Drums" }, above: who,
        actions: [iconButton("Report for the therapist", "print", () => go(`/drums/report${query()}`)),
            iconButton("Settings", "settings", () => go(`/drums/settings${query()}`))],
        below: [art("drums", "wall-art drums-art")],
    });
    top.lead.replaceWith(plan, play, top.lead);
    top.lead.classList.add("small");
    top.lead.hidden = false;
    fill(top.say, sayingSkeleton("what was practised"));
    const between = make("h2", { class: "span-words", "aria-live": "polite" });
    const back = iconButton("Earlier", "back", () => turn(told?.earlier));
    const ahead = iconButton("Later", "forward", () => turn(told?.later));
    const place = make("div", { class: "data-place" }, chartSkeleton());
    const turnTable = button("As tables", { kind: "quiet", press: () => { asTables = !asTables; draw(); } });
    const floor = make("div", { class: "floor" },
        segmented("Span", SPANS, remembered, (span) => { remembered = span; until = null; load(); }),
        make("div", { class: "span-head" }, back, between, ahead, turnTable), place);
    room.append(top.node, floor);
    let person = null;
    let told = null;
    let until = null;
    const query = () => (person ? `?person=${encodeURIComponent(person.id)}` : "");

    const turn = (day) => {
        if (!day) return;
        until = day;
        return load();
    };
    const drawDesk = () => {
        if (!desk.told || signal.aborted) return;
        const people = desk.told.people.filter(({ mayDecide }) => mayDecide);
        const before = person?.id;
        person = people.find(({ id }) => id === (person ?? desk.here())?.id) ?? people[0] ?? null;
        if (!person) {
            top.say.textContent = "Nothing here yet";
            return fill(place, make("p", { class: "second" }, "Who plays is added under Settings, People."));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow("Whose data", people, person.id, choose));
        }
        top.say.textContent = person.week?.headline ?? person.name;
        fill(plan, weekPlan(person.week));
        play.href = `/drums${query()}`;
        if (before !== person.id) load();
    };
    const choose = (id) => {
        person = desk.person(id);
        until = null;
        desk.choose(id);
        history.replaceState(history.state, "", `/drums/data${query()}`);
        drawDesk();
        load();
    };
    const load = async () => {
        if (!person) return;
        const asked = `${person.id} ${remembered} ${until}`;
        try {
            const query = new URLSearchParams({ person: person.id, span: remembered, ...(until && { until }) });
            const answer = await get(`/api/drums/data?${query.toString()}`, { signal });
            if (asked !== `${person.id} ${remembered} ${until}`) return;
            told = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || asked !== `${person.id} ${remembered} ${until}`) return;
            told = null;
            turnTable.hidden = true;
            fill(place, problemNotice(error, { retry: load }));
        }
    };
    const draw = () => {
        const named = told.span === "year" ? (day) => `${shortMonth(day)} ${day.slice(0, 4)}` : shortDay;
        between.textContent = `${named(told.start)} to ${named(told.end)}`;
        back.disabled = !told.earlier;
        ahead.disabled = !told.later;
        top.lead.textContent = told.lead;
        turnTable.hidden = told.isEmpty;
        turnTable.setAttribute("aria-pressed", String(asTables));
        fill(place, told.isEmpty ? empty(told) : chartSections(told, { asTables, query: query() }));
    };

    desk.addEventListener("change", drawDesk, { signal });
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "drums" && detail.what === "session"
            && (detail.item ?? detail.id) === person?.id) load();
    }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") load();
    }, { signal });
    desk.recall();
    drawDesk();
    try {
        await desk.load();
    } catch (error) {
        if (signal.aborted || desk.told) return;
        top.say.textContent = "The data cannot be seen now";
        fill(place, problemNotice(error, { retry: () => go(location.pathname, { replace: true }) }));
    }
}

function empty({ empty: words, earlier }) {
    return make("div", { class: "empty" }, art("drums", "art drum-art"), make("p", { class: "second" }, words),
        make("p", { class: "small second" }, earlier ? "Earlier weeks have something: go back with the arrow."
            : "After the first song there is something to see. Nothing is made up until then."));
}
