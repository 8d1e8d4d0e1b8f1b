import { art } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { unseen } from "../../elements/unseen.js";
import { header } from "../../elements/header.js";
import { whoRow } from "../../elements/who-row.js";
import { live } from "../../app/live.js";
import { outbox } from "../../offline/outbox.js";
import { number } from "../../text/numbers.js";
import { awardShelf } from "./award-shelf.js";
import { overview } from "../overview.js";
import { durationText } from "../../text/durations.js";
import { progressOf } from "../progress.js";
import { monthSection } from "./month-section.js";
import { statisticsSection } from "./statistics-section.js";
import { t } from "../../language/text.js";

/** What a person has brushed: the months, a day, statistics, awards. */
export async function openHistory({ screen, signal, title }) {
    title(t`Brushing history`);
    const who = make("div", { class: "settings-who" });
    const top = header({
        back: { href: "/brushing", word: t`Brushing` }, above: who, lead: " ",
        below: [art("calendar", "header-art bell-art")],
    });
    const figures = make("dl", { class: "readouts" });
    const content = make("div", { class: "content brushing-history" }, linesSkeleton(60, 90, 90, 80));
    fill(top.say, sayingSkeleton(t`history`));
    screen.append(top.node, content);

    const month = monthSection(signal);
    const statistics = statisticsSection(signal);
    const shelf = awardShelf();
    let person = null;
    let drawn = null;
    let ahead = null; // the progress with what still waits on this device, where something does
    const draw = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayRead }) => mayRead);
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0];
        if (!person) return drawNobody();
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose history`, people, person.id, choose));
        }
        if (month.node.parentNode !== content) fill(content, figures, month.node, statistics.node, shelf.node);
        if (ahead?.person !== person.id) ahead = null;
        drawHeader();
        countWaiting();
        shelf.show(person);
        // What the hub tells anew without a change of hands is one brushing more, in the same month.
        const key = `${person.id} ${person.lastSession?.id} ${JSON.stringify(person.week)}`;
        if (key !== drawn) {
            drawn = key;
            month.show(person);
            statistics.show(person);
        }
    };
    const drawNobody = () => {
        top.say.textContent = t`Brushing history`;
        fill(content, unseen(t`Only they and the grown-ups can see what somebody has brushed.`));
    };
    const countWaiting = async () => {
        const { id } = person;
        const progress = await progressOf(person).catch(() => null);
        if (signal.aborted || id !== person.id) return;
        ahead = progress?.waiting > 0 ? { ...progress, person: id } : null;
        drawHeader();
    };
    const drawHeader = () => {
        const progress = ahead ?? person.progress;
        const { sessions, streakDays, longestStreakDays } = progress;
        top.say.textContent = sessions === 0 ? t`${person.name} has not started yet`
            : streakDays > 1 ? t`${streakDays} days in a row, ${person.name}`
                : t`${person.name} has brushed ${sessions} times`;
        const row = sessions === 0 ? t`From now on you see here what was brushed, day by day.`
            : longestStreakDays > streakDays ? t`The longest row so far was ${longestStreakDays} days.`
                : streakDays > 1 ? t`It is the longest row so far.` : t`A row starts with the first whole day.`;
        top.lead.textContent = [
            row, ahead && t`${ahead.waiting} sessions are still on this device and included here.`,
        ].filter(Boolean).join(" ");
        fill(figures,
            readout(t`This week`, number(progress.sessionsThisWeek), null, t`brushings`),
            readout(t`In all`, number(sessions), null, t`brushings`),
            readout(t`Habit`, number(progress.habitPercent), t`of 100`, t`recent days count most`),
            readout(t`Total time`, durationText(progress.totalSeconds), null, t`brush, floss and rinse`));
    };
    const choose = (id) => {
        person = overview.person(id);
        history.replaceState(history.state, "", `/brushing/history?person=${encodeURIComponent(id)}`);
        draw();
    };
    const load = async () => {
        try {
            await overview.refresh();
        } catch (error) {
            if (signal.aborted || overview.data) return;
            top.say.textContent = t`The history cannot be shown right now`;
            top.lead.hidden = true;
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    overview.addEventListener("change", draw, { signal });
    outbox.addEventListener("changed", () => { if (person) countWaiting(); }, { signal });
    // What could not be loaded without the hub is loaded when it is back.
    live.addEventListener("state", ({ detail }) => {
        if (detail.state !== "open" || detail.was !== "lost") return;
        drawn = null;
        load();
    }, { signal });
    overview.recall();
    if (overview.data) draw();
    await load();
}
