import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { header } from "../../elements/header.js";
import { whoRow } from "../../elements/who-row.js";
import { get, isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { longDay, shortDay, weekdayOf } from "../../text/civil.js";
import { durationText } from "../../text/durations.js";
import { number } from "../../text/numbers.js";
import { levelName } from "../levels.js";
import { overview } from "../overview.js";
import { beganAt, endOf, handsOf, tempoOf } from "../session-page/session-text.js";
import { selfReportText } from "../self-report/self-report-text.js";
import { dayHours } from "./day-hours.js";
import { daysCalendar } from "./days-calendar.js";

/** One day: the songs that were played on it, the day before and after it, and the month around it. */
export async function openDay({ screen, params, signal, title }) {
    const day = params.date;
    if (!isDay(day)) return go("/drums/data", { replace: true }); // an address that somebody typed
    title(longDay(day));
    const who = make("div", { class: "settings-who" });
    const top = header({ back: { href: "/drums/data", word: t`Drums` }, above: who, say: longDay(day), lead: " " });
    const steps = make("nav", { class: "day-steps", "aria-label": t`Days of practice` });
    const hours = make("div", { class: "day-hours" }, linesSkeleton(90));
    top.node.append(hours, steps);
    const songs = make("div", {}, linesSkeleton(80, 90, 70));
    const month = make("div", {}, linesSkeleton(100, 100, 100));
    screen.append(top.node, make("div", { class: "content day-content" }, songs, month));
    let person = null;
    let days = [];
    const query = () => (person ? `?person=${encodeURIComponent(person.id)}` : "");
    const before = () => days.find((one) => one.day < day)?.day;
    const after = () => days.findLast((one) => one.day > day)?.day;

    const load = async () => {
        const of = encodeURIComponent(person.id);
        try {
            const [answer, all] = await Promise.all([
                get(`/api/drums/sessions?person=${of}&from=${day}&to=${day}`, { signal }),
                get(`/api/drums/days?person=${of}`, { signal })]);
            days = all.days;
            draw(answer.sessions);
        } catch (error) {
            if (isAborted(error)) return;
            top.lead.textContent = t`What was played cannot be shown right now.`;
            fill(hours);
            fill(month);
            fill(songs, problemNotice(error, { retry: load }));
        }
    };
    const draw = (sessions) => {
        const total = sessions.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
        top.lead.textContent = sessions.length === 0 ? t`Nothing was played.`
            : t`${sessions.length} songs, ${durationText(total / 1000)} of practice.`;
        fill(hours, sessions.length > 0 && dayHours(sessions.map(({ minute }) => minute)));
        fill(steps, step(before(), "back"), step(after(), "forward"));
        fill(songs, sessions.length > 0 && make("section", { class: "section", "aria-labelledby": "songs-of-day" },
            make("h2", { id: "songs-of-day" }, t`Songs`),
            make("ol", { class: "rows" }, sessions.map((one) => make("li", {}, row(one, person))))));
        fill(month, daysCalendar({ day, days, query: query(), zone: person.timeZone }));
    };
    const step = (to, sign) => to && make("a", {
        class: "button small", data: { kind: "quiet", step: sign === "back" ? "before" : "after" },
        href: `/drums/day/${to}${query()}`,
        "aria-label": sign === "back" ? t`The day of practice before: ${longDay(to)}`
            : t`The day of practice after: ${longDay(to)}`,
    }, sign === "back" && icon(sign, "s"), `${weekdayOf(to)} ${shortDay(to)}`, sign === "forward" && icon(sign, "s"));
    const drawOverview = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        const was = person?.id;
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0] ?? null;
        if (!person) {
            top.lead.textContent = t`There is nobody here whose day this page may show.`;
            fill(hours);
            fill(month);
            return fill(songs);
        }
        /** @type {HTMLAnchorElement} */ (top.node.querySelector("a.header-name")).href = `/drums/data${query()}`;
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose day`, people, person.id, choose));
        }
        if (was !== person.id) return load();
    };
    const choose = (id) => {
        person = overview.person(id);
        overview.choose(id);
        history.replaceState(history.state, "", `/drums/day/${day}${query()}`);
        drawOverview();
        load();
    };
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost" && person) load();
    }, { signal });
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "drums" && detail.what === "session" && detail.item === person?.id) load();
    }, { signal });
    try {
        await overview.known();
    } catch (error) {
        if (signal.aborted) return;
        fill(hours);
        fill(month);
        fill(songs, problemNotice(error, { retry: () => go(location.pathname, { replace: true }) }));
        return;
    }
    await drawOverview();
}

function isDay(text) {
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function row(session, { timeZone }) {
    const { id, level, right, judged, reaction, end, milliseconds } = session;
    const data = [levelName(level), durationText(milliseconds / 1000),
        session.hands !== "both" && handsOf(session), tempoOf(session)]
        .filter(Boolean).join(", ");
    return make("a", { class: "row", href: `/drums/session/${encodeURIComponent(id)}` },
        make("span", { class: "day-time strong small" }, beganAt(session, timeZone)),
        make("span", { class: "words" },
            make("span", { class: "name" }, session.song.title),
            make("span", { class: "fine" }, end === "finished" ? data
                : `${data}; ${endOf(session)}`),
            session.selfReport && make("span", { class: "fine" }, selfReportText(session))),
        make("span", { class: "value small" }, t`${number(right)} of ${number(judged)}`, make("br"),
            make("span", { class: "fine" }, session.mode === "flow" ? t`on the beat`
                : reaction ? `${number(reaction.median)} ms, n = ${number(reaction.n)}` : t`no reaction time`)),
        icon("forward", "s"));
}
