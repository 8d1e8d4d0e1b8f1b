import { iconButton } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { menu } from "../../elements/sheet.js";
import { chartSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { wall } from "../../elements/wall.js";
import { get, isAborted } from "../../house/api.js";
import { live } from "../../house/live.js";
import { session as house } from "../../house/session.js";
import { go } from "../../house/shell.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { outbox } from "../../offline/outbox.js";
import { longDay } from "../../words/civil.js";
import { desk } from "../desk.js";
import { PATH } from "../play/done.js";
import { beatTable } from "./beat-table.js";
import { keptSession } from "./kept-session.js";
import { reactionChart } from "./reaction-chart.js";
import { hatching, scoreKey, stepsPlayed, systems } from "./score.js";
import { beganAt, claimWords, factsOf, happenedOf, leadOf, sayOf } from "./session-words.js";
import { timingChart } from "./timing.js";
import { downloads } from "./downloads.js";

const WAITS = "It is sent as soon as the hub answers. What stands here is computed by this page from the same events.";
const WIDE = matchMedia("(min-width: 1000px)");

/** One song that was played, as a score: every beat, its answer, what happened, and where the figures come from. */
export async function openSessionPage({ room, params, signal, title }) {
    title("A song that was played");
    const about = make("p", { class: "fine" });
    const facts = make("dl", { class: "readouts facts" });
    const top = wall({
        back: { href: "/drums/data", word: "Drums" }, above: about, lead: " ",
        actions: [iconButton("Download", "download", () => menu("Download", downloads(told, person))),
            iconButton("More", "more", () => menu("More", more()))],
        below: [facts],
    });
    /** @type {NodeListOf<HTMLElement>} */
    const acts = top.node.querySelectorAll(".wall-bar > .icon-button");
    for (const one of acts) one.hidden = true; // until there is something to do it with
    fill(top.say, sayingSkeleton("the song"));
    const floor = make("div", { class: "floor session-floor" }, chartSkeleton());
    room.append(top.node, floor);
    let told = null;
    let person = null;
    let asTable = false;
    const query = () => (told ? `?person=${encodeURIComponent(told.person)}` : "");
    const more = () => [
        { word: asTable ? "Show it as notes" : "Show it as a table", icon: "filter",
            act: () => { asTable = !asTable; draw(); } },
        { word: "The day", hint: longDay(told.day), icon: "calendar",
            act: () => go(`/drums/day/${told.day}${query()}`) },
        { word: "The report", hint: "What was practised, on one page", icon: "print",
            act: () => go(`/drums/report${query()}`) },
    ];

    const draw = () => {
        person = desk.person(told.person) ?? { name: "", timeZone: house.hub.timeZone };
        title(`${told.song.title}, ${longDay(told.day)}`);
        about.textContent = [longDay(told.day), beganAt(told, person.timeZone),
            person.name].filter(Boolean).join(", ");
        for (const one of acts) one.hidden = false;
        top.say.textContent = sayOf(told);
        top.lead.textContent = leadOf(told);
        /** @type {HTMLAnchorElement} */ (top.node.querySelector("a.wall-name")).href = `/drums/data${query()}`;
        fill(facts, factsOf(told).map(([name, value, unit, below]) => make("div", {},
            make("dt", {}, name), make("dd", {}, value, unit && make("span", { class: "unit" }, unit)),
            make("dd", {}, below))));
        const timed = told.beatList && (told.mode === "flow" ? timingChart(told) : reactionChart(told));
        fill(floor, deliveryNotice(told.entry, WAITS), forked(told), told.beatList ? every() : unreadable(), timed, happened(),
            difference(), hatching());
    };
    const every = () => make("section", { class: "section", "aria-labelledby": "score" },
        make("div", { class: "section-head" }, make("h2", { id: "score" }, "Every beat")),
        asTable ? beatTable(told) : [
            make("ol", { class: "systems" }, systems(told, acrossOf(told.chart.stepsPerBeat))),
            scoreKey(told),
            stepsPlayed(told) <= told.chart.steps.lastIndexOf("1")
                && make("p", { class: "fine" }, "What came after was not played.")]);
    const happened = () => {
        const rows = happenedOf(told, person.timeZone);
        return rows.length > 0 && make("section", { class: "section", "aria-labelledby": "log" },
            make("h2", { id: "log" }, "What happened"),
            make("ol", { class: "rows" }, rows.map((row) => make("li", { class: "row" }, icon(row.icon),
                make("span", { class: "words" }, make("span", { class: "name" }, row.name),
                    make("span", { class: "fine" }, row.more))))));
    };
    const difference = () => told.claim && notice({
        icon: "info", title: "The hub counted differently than the page", words: claimWords(told),
    });
    const load = async () => {
        try {
            // What waits here comes first: the hub may have what another device played under the same id.
            told = prepared(await keptSession(params.id).catch(() => null)
                ?? await get(`${PATH}/${encodeURIComponent(params.id)}`, { signal }));
        } catch (error) {
            if (isAborted(error)) return;
            top.say.textContent = error.status === 404 ? "Not here" : "This cannot be seen now";
            top.lead.textContent = error.status === 404 ? "No song was stored under this address." : "";
            return fill(floor, error.status === 404 ? nothingHere() : problemNotice(error, { retry: load }));
        }
        if (!signal.aborted) draw();
    };
    // What waited here has its score from the hub as soon as it has been delivered, under the id that it has there.
    outbox.addEventListener("delivered", ({ detail }) => {
        if (detail.id !== told?.entry?.id) return;
        if (!detail.made || detail.made === params.id) load();
        else go(`/drums/session/${encodeURIComponent(detail.made)}`, { replace: true });
    }, { signal });
    outbox.addEventListener("parked", ({ detail }) => { if (detail.id === told?.entry?.id) load(); }, { signal });
    WIDE.addEventListener("change", () => { if (told) draw(); }, { signal });
    desk.addEventListener("change", () => { if (told) draw(); }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") load();
    }, { signal });
    desk.recall();
    if (!desk.told) desk.load().catch(() => {}); // only the name and the zone are missed
    await load();
}

function nothingHere() {
    return make("div", { class: "empty" }, art("drums", "art drum-art"),
        make("p", { class: "second" }, "It may have been played in another house, or the address is not whole."),
        make("a", { class: "button", href: "/drums/data" }, "All practice"));
}

/** Steps a system: sixteen on a phone, half as many again at a desk; finer charts have more in a line. */
function acrossOf(stepsPerBeat) {
    return (WIDE.matches ? 24 : 16) * (stepsPerBeat === 3 ? 3 : stepsPerBeat > 1 ? (WIDE.matches ? 1.5 : 1) : 1);
}

/** With the length of each step, which the tempo map says. */
function prepared(told) {
    const { chart } = told;
    if (!chart) return told;
    const stepMilliseconds = (step) => {
        const tempo = chart.tempo.findLast((one) => one.step <= step) ?? chart.tempo[0];
        return 60_000 / tempo.beatsPerMinute / chart.stepsPerBeat;
    };
    return { ...told, stepMilliseconds };
}

/** Two devices went on with one song: what they share counts once. */
function forked({ fork }) {
    return fork && notice({
        icon: "info", title: "Two devices went on with this song",
        words: `${fork.beats === 1 ? "Its first beat counts" : `Its first ${fork.beats} beats count`} with what the other `
            + "played. All of them are drawn here.",
        actions: [make("a", { class: "button", href: `/drums/session/${encodeURIComponent(fork.of)}` }, "The other’s score")],
    });
}

function unreadable() {
    return notice({
        icon: "info", state: "unknown", title: "Its beats cannot be shown",
        words: "They were written by another version of the engine. "
            + "What was computed then is above, and nothing is lost.",
    });
}
