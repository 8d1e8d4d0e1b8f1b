import { iconButton } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { menu } from "../../elements/sheet.js";
import { chartSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { header } from "../../elements/header.js";
import { get, isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { outbox } from "../../offline/outbox.js";
import { longDay } from "../../text/civil.js";
import { overview } from "../overview.js";
import { PATH } from "../play/done.js";
import { selfReportText } from "../self-report/self-report-text.js";
import { beatTable } from "./beat-table.js";
import { queuedSession } from "./queued-session.js";
import { reactionChart } from "./reaction-chart.js";
import { hatching, scoreKey, stepsPlayed, systems } from "./score.js";
import { beganAt, claimText, factsOf, happenedOf, leadOf, sayOf } from "./session-text.js";
import { timingChart } from "./timing.js";
import { downloads } from "./downloads.js";

const WAITS = t`It is sent as soon as the hub answers. Until then the figures here are this page’s own, from the same events.`;
const WIDE = matchMedia("(min-width: 1000px)");

/** One song that was played, as a score: every beat, its answer, what happened, and where the figures come from. */
export async function openSessionPage({ screen, params, signal, title }) {
    title(t`A song that was played`);
    const about = make("p", { class: "fine" });
    const facts = make("dl", { class: "readouts facts" });
    const top = header({
        back: { href: "/drums/data", word: t`Drums` }, above: about, lead: " ",
        actions: [iconButton(t`Download`, "download", () => menu(t`Download`, downloads(data, person))),
            iconButton(t`More`, "more", () => menu(t`More`, more()))],
        below: [facts],
    });
    /** @type {NodeListOf<HTMLElement>} */
    const acts = top.node.querySelectorAll(".header-bar > .icon-button");
    for (const one of acts) one.hidden = true; // until there is something to do it with
    fill(top.say, sayingSkeleton(t`the song`));
    const content = make("div", { class: "content session-content" }, chartSkeleton());
    screen.append(top.node, content);
    let data = null;
    let person = null;
    let asTable = false;
    const query = () => (data ? `?person=${encodeURIComponent(data.person)}` : "");
    const more = () => [
        { word: asTable ? t`Show it as notes` : t`Show it as a table`, icon: "filter",
            act: () => { asTable = !asTable; draw(); } },
        { word: t`The day`, hint: longDay(data.day), icon: "calendar",
            act: () => go(`/drums/day/${data.day}${query()}`) },
        { word: t`The report`, hint: t`What was practised, on one page`, icon: "print",
            act: () => go(`/drums/report${query()}`) },
    ];

    const draw = () => {
        person = overview.person(data.person) ?? { name: "", timeZone: signIn.hub.timeZone };
        title(`${data.song.title}, ${longDay(data.day)}`);
        about.textContent = [longDay(data.day), beganAt(data, person.timeZone),
            person.name].filter(Boolean).join(", ");
        for (const one of acts) one.hidden = false;
        top.say.textContent = sayOf(data);
        top.lead.textContent = [leadOf(data), selfReportText(data)].filter(Boolean).join(" ");
        /** @type {HTMLAnchorElement} */ (top.node.querySelector("a.header-name")).href = `/drums/data${query()}`;
        fill(facts, factsOf(data).map(([name, value, unit, below]) => make("div", {},
            make("dt", {}, name), make("dd", {}, value, unit && make("span", { class: "unit" }, unit)),
            make("dd", {}, below))));
        const timed = data.beatList && (data.mode === "flow" ? timingChart(data) : reactionChart(data));
        fill(content, deliveryNotice(data.entry, WAITS), forked(data), data.beatList ? every() : unreadable(), timed, happened(),
            difference(), hatching());
    };
    const every = () => make("section", { class: "section", "aria-labelledby": "score" },
        make("div", { class: "section-head" }, make("h2", { id: "score" }, t`Every beat`)),
        asTable ? beatTable(data) : [
            make("ol", { class: "systems" }, systems(data, acrossOf(data.chart.stepsPerBeat))),
            scoreKey(data),
            stepsPlayed(data) <= data.chart.steps.lastIndexOf("1")
                && make("p", { class: "fine" }, t`What came after was not played.`)]);
    const happened = () => {
        const rows = happenedOf(data, person.timeZone);
        return rows.length > 0 && make("section", { class: "section", "aria-labelledby": "log" },
            make("h2", { id: "log" }, t`What happened`),
            make("ol", { class: "rows" }, rows.map((row) => make("li", { class: "row" }, icon(row.icon),
                make("span", { class: "words" }, make("span", { class: "name" }, row.name),
                    make("span", { class: "fine" }, row.more))))));
    };
    const difference = () => data.claim && notice({
        icon: "info", title: t`The hub counted differently from the page`, words: claimText(data),
    });
    const load = async () => {
        try {
            // What waits here comes first: the hub may have what another device played under the same id.
            data = prepared(await queuedSession(params.id).catch(() => null)
                ?? await get(`${PATH}/${encodeURIComponent(params.id)}`, { signal }));
        } catch (error) {
            if (isAborted(error)) return;
            top.say.textContent = error.status === 404 ? t`Not here` : t`This cannot be shown right now`;
            top.lead.textContent = error.status === 404 ? t`No song was stored under this address.` : "";
            return fill(content, error.status === 404 ? nothingHere() : problemNotice(error, { retry: load }));
        }
        if (!signal.aborted) draw();
    };
    // What waited here has its score from the hub as soon as it has been delivered, under the id that it has there.
    outbox.addEventListener("delivered", ({ detail }) => {
        if (detail.id !== data?.entry?.id) return;
        if (!detail.made || detail.made === params.id) load();
        else go(`/drums/session/${encodeURIComponent(detail.made)}`, { replace: true });
    }, { signal });
    outbox.addEventListener("failed", ({ detail }) => { if (detail.id === data?.entry?.id) load(); }, { signal });
    WIDE.addEventListener("change", () => { if (data) draw(); }, { signal });
    overview.addEventListener("change", () => { if (data) draw(); }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") load();
    }, { signal });
    overview.recall();
    if (!overview.data) overview.load().catch(() => {}); // only the name and the zone are missed
    await load();
}

function nothingHere() {
    return make("div", { class: "empty" }, art("drums", "art drum-art"),
        make("p", { class: "second" }, t`It may have been played in another house, or a part of the address is missing.`),
        make("a", { class: "button", href: "/drums/data" }, t`All practice`));
}

/** Steps a system: sixteen on a phone, half as many again on a wide screen; finer charts have more in a line. */
function acrossOf(stepsPerBeat) {
    return (WIDE.matches ? 24 : 16) * (stepsPerBeat === 3 ? 3 : stepsPerBeat > 1 ? (WIDE.matches ? 1.5 : 1) : 1);
}

/** With the length of each step, which the tempo map says. */
function prepared(data) {
    const { chart } = data;
    if (!chart) return data;
    const stepMilliseconds = (step) => {
        const tempo = chart.tempo.findLast((one) => one.step <= step) ?? chart.tempo[0];
        return 60_000 / tempo.beatsPerMinute / chart.stepsPerBeat;
    };
    return { ...data, stepMilliseconds };
}

/** Two devices went on with one song: what they share counts once. */
function forked({ fork }) {
    return fork && notice({
        icon: "info", title: t`Two devices went on with this song`,
        words: t`Its first ${fork.beats} beats count with what the other played. All of them are drawn here.`,
        actions: [make("a", { class: "button", href: `/drums/session/${encodeURIComponent(fork.of)}` }, t`The other’s score`)],
    });
}

function unreadable() {
    return notice({
        icon: "info", state: "unknown", title: t`Its beats cannot be shown`,
        words: t`They were written by another version of the engine. What was computed then is above, and nothing is lost.`,
    });
}
