import { fill, make } from "../../elements/make.js";
import { header } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { calmNotice } from "../../elements/notice.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { toggle } from "../../elements/switch.js";
import { whoRow } from "../../elements/who-row.js";
import { get, isAborted } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { reminders } from "../../reminders/reminders.js";
import { minuteInput, minuteOf, minuteText } from "../../text/civil.js";
import { clockTime, localDay, weekdayDate } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/**
 * Everything that somebody can be reminded of, by every companion: when, how much of it, when not at all, and what became of
 * it lately.
 */
export async function openReminders({ screen, signal, title, companions }) {
    title(t`Reminders`);
    const top = header({
        back: { href: "/settings", word: t`Settings` }, say: t`Reminders`,
        lead: t`What Tandem reminds of, when, and when it leaves you in peace.`,
    });
    const body = make("div", { class: "content settings" }, linesSkeleton(60, 90, 70));
    screen.append(top.node, body);
    const show = () => {
        if (body.dataset.drawn) return;
        body.dataset.drawn = "";
        draw(body, top, { signal, companions });
    };
    const load = async () => {
        try {
            await reminders.load(signal);
            show();
        } catch (error) {
            if (!isAborted(error) && !body.dataset.drawn) fill(body, calmNotice(error, { retry: load }));
        }
    };
    if (reminders.data) show();
    await load();
}

function draw(body, top, { signal, companions }) {
    const people = signIn.people.filter(({ id }) => reminders.rulesOf(id));
    let person = (people.find(({ id }) => id === signIn.profile.id) ?? people[0]).id;
    const parts = [quietSection(), muchSection(), listSection(companions)];
    const lately = latelySection(companions, signal, () => person);
    const show = () => {
        for (const part of parts) part.show(person);
        top.say.textContent = sayOf(people.find(({ id }) => id === person));
    };
    const choose = (id) => {
        person = id;
        show();
        lately.reload();
    };
    fill(body,
        people.length > 1 && whoRow(t`Whose reminders`, people, person, choose),
        make("div", { class: "sections" }, parts.map(({ node }) => node), lately.node));
    show();
    reminders.addEventListener("change", show, { signal });
}

/** "Ines hears of five things." */
function sayOf(person) {
    const on = reminders.data.reminders.filter((one) => one.person === person.id && one.isOn).length;
    return on === 0 ? t`${person.name} is reminded of nothing` : t`${person.name} is reminded of ${on} things`;
}

function quietSection() {
    const { node, body, show, save } = savedSection(t`When it is quiet`, (rules) => draw(rules));
    const on = toggle({
        name: t`Quiet hours`, hint: t`No notification comes to a phone`, on: false,
        change: (isQuiet) => save((rules) => reminders.changeRules(rules.id, { isQuiet }), on.input),
    });
    const time = (name, label) => {
        const input = make("input", { class: "input time", type: "time", name, required: true });
        input.addEventListener("change", () => {
            const minute = minuteOf(input.value);
            if (!Number.isNaN(minute)) save((rules) => reminders.changeRules(rules.id, { [name]: minute }), input);
        });
        return { input, node: make("label", { class: "row", data: { field: "" } }, make("span", { class: "words" }, label), input) };
    };
    const from = time("quietFrom", t`From`);
    const until = time("quietUntil", t`Until`);
    const times = make("div", { class: "rows" }, from.node, until.node);
    fill(body, on.node, times,
        make("p", { class: "fine" }, t`What belongs to its hour still shows on an open page. What can wait comes when they end.`));
    const draw = (rules) => {
        on.input.checked = rules.isQuiet;
        times.hidden = !rules.isQuiet;
        from.input.value = minuteInput(rules.quietFrom);
        until.input.value = minuteInput(rules.quietUntil);
    };
    return { node, show: (person) => show({ ...reminders.rulesOf(person), id: person }) };
}

function muchSection() {
    const { node, body, show, save } = savedSection(t`How much`, (rules) => draw(rules));
    const choice = segmented(t`Notices a day`, [
        { value: "1", word: t`One a day` }, { value: "2", word: t`Two` }, { value: "3", word: t`Three` },
        { value: "0", word: t`Each` },
    ], "1", (value) => save((rules) => reminders.changeRules(rules.id, { noticesPerDay: Number(value) }), choice));
    const says = make("p", { class: "fine" });
    fill(body, make("div", { data: { field: "" } }, choice), says);
    const draw = ({ noticesPerDay }) => {
        choice.show(String(noticesPerDay));
        says.textContent = noticesPerDay === 0
            ? t`Each of what can wait comes at its own time.`
            : t`What can wait comes together, in one notice instead of five. What belongs to its hour comes at its hour all the same.`;
    };
    return { node, show: (person) => show({ ...reminders.rulesOf(person), id: person }) };
}

/** Every reminder of a person, by companion. */
function listSection(companions) {
    const { node, body, show, save } = savedSection(t`Of what, and when`, (person) => draw(person));
    const rows = new Map();
    let shown = null;
    const draw = ({ id }) => {
        const own = reminders.data.reminders.filter((one) => one.person === id);
        if (shown !== id) {
            shown = id;
            rows.clear();
            for (const one of own) rows.set(one.id, reminderRow(one, save));
            fill(body, companions.flatMap(({ slug, title }) => {
                const its = own.filter((one) => one.companion === slug);
                return its.length === 0 ? [] : [
                    make("h3", { class: "label" }, title),
                    make("div", { class: "rows" }, its.map((one) => rows.get(one.id).node)),
                ];
            }));
        }
        for (const one of own) rows.get(one.id)?.show(one);
    };
    return { node, show: (person) => show({ id: person }) };
}

function reminderRow({ id, title }, save) {
    const stored = () => reminders.data.reminders.find((one) => one.id === id);
    const fine = make("span", { class: "fine" });
    const time = make("input", {
        class: "input time", type: "time", name: "minute", required: true, "aria-label": t`${title}, at what time`,
    });
    const input = make("input", { type: "checkbox", role: "switch", "aria-label": title });
    input.addEventListener("change", () => save(() => reminders.change(stored(), { isOn: input.checked }), input));
    time.addEventListener("change", () => {
        const minute = minuteOf(time.value);
        if (!Number.isNaN(minute) && minute !== stored().minute) save(() => reminders.change(stored(), { minute }), time);
    });
    const node = make("div", { class: "row reminder-row", data: { field: "" } },
        make("span", { class: "words" }, make("span", { class: "name" }, title), fine),
        time, make("label", { class: "switch only" }, input, make("i")));
    const show = (reminder) => {
        input.checked = reminder.isOn;
        time.value = minuteInput(reminder.minute);
        time.hidden = !reminder.isOn;
        fine.textContent = whenText(reminder);
    };
    return { node, show };
}

function whenText({ isOn, isQuiet, canWait, minute, person }) {
    if (!isOn) return t`off`;
    if (isQuiet && canWait) return t`waits until ${minuteText(reminders.rulesOf(person).quietUntil)}`;
    if (isQuiet) return t`in the quiet hours: on open pages only`;
    return canWait ? t`around ${minuteText(minute)}, with what else there is` : t`at ${minuteText(minute)}`;
}

/** What came and what was kept silent, the newest day first. */
function latelySection(companions, signal, person) {
    const part = loaded(
        () => get(/** @type {const} */ (`/api/reminders/${encodeURIComponent(person())}/events`), { signal }),
        ({ events }) => events.length === 0
            ? make("p", { class: "second" }, t`Nothing has come yet. What is said, and what is kept silent, will stand here.`)
            : byDay(events).flatMap((day) => [
                make("h3", { class: "label" }, weekdayDate(day[0].at)),
                make("ul", { class: "rows" }, day.map((event) => eventRow(event, companions))),
            ]), signal);
    const node = make("section", { class: "section", "aria-labelledby": "reminders-lately" },
        make("h2", { id: "reminders-lately" }, t`The last two weeks`), part.node);
    return { node, reload: part.reload };
}

/** Those of each day, in the order that they have. */
function byDay(events) {
    const days = new Map();
    for (const event of events) {
        const day = localDay(event.at);
        days.set(day, [...days.get(day) ?? [], event]);
    }
    return [...days.values()];
}

const SAID = new Set(["said", "again", "quiet", "together"]);

function eventRow({ companion, title, text, at, outcome }, companions) {
    const its = companions.find(({ slug }) => slug === companion);
    const isSaid = SAID.has(outcome);
    return make("li", { class: "row", data: { state: isSaid ? "on" : "off" } }, icon(its?.icon ?? "bell"),
        make("span", { class: "words" }, make("span", { class: "name" }, title),
            text && make("span", { class: "small second" }, text),
            make("span", { class: "fine" }, outcomeText(outcome))),
        make("span", { class: "value small" }, clockTime(at)));
}

/** @param {string} outcome  as the hub names it */
function outcomeText(outcome) {
    switch (outcome) {
        case "said": return t`said`;
        case "again": return t`said again, after it was put off`;
        case "together": return t`said along with another`;
        case "quiet": return t`quiet hours: on open pages only`;
        case "nothing": return t`kept silent: nothing was left to do`;
        case "known": return t`kept silent: said some days ago, and nothing has changed`;
        case "enough": return t`kept silent: the day had had its notices`;
        default: return t`kept silent: it was too late for it`;
    }
}
