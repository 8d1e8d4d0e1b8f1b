import { button } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { unseen } from "../../elements/unseen.js";
import { section, header } from "../../elements/header.js";
import { whoRow } from "../../elements/who-row.js";
import { isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { frameDrawn } from "../../app/when-idle.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { calendarFeeds } from "../../reminders/calendar-feeds.js";
import { reminders } from "../../reminders/reminders.js";
import { thisDevice } from "../../reminders/this-device.js";
import { appointmentSection } from "./appointments.js";
import { brushHeadSection } from "./brush-head.js";
import { cueSection } from "./cue-section.js";
import { daysOffSection } from "./days-off.js";
import { overview } from "../overview.js";
import { musicSection } from "../music/music-section.js";
import { habitSection } from "./habit-section.js";
import { reminderSection, reminderText } from "./reminder-section.js";
import { routineSection } from "./routine-section.js";
import { toothbrushSection } from "./toothbrush-section.js";
import { t } from "../../language/text.js";

/**
 * A path about a person.
 * @typedef {<Rest extends string>(person: {id: string}, rest: Rest) => `/api/brushing/people/${string}/${Rest}`} PathOf
 * @type {PathOf}
 */
const pathOf = (person, rest) => `/api/brushing/people/${encodeURIComponent(person.id)}/${rest}`;

/** The settings of one person: reminders, routine, cues, brush head, appointments, days off. */
export async function openBrushingSettings({ screen, signal, title }) {
    title(t`Brushing settings`);
    const who = make("div", { class: "settings-who" });
    const now = button(t`Send one now`, { icon: "bell", press: () => sendNow() });
    const buttons = make("div", { class: "row-of-buttons header-buttons", hidden: true }, now);
    const top = header({
        back: { href: "/brushing", word: t`Brushing` }, above: who, lead: " ",
        below: [buttons, art("bell", "header-art bell-art")],
    });
    const content = make("div", { class: "content brushing-settings" }, linesSkeleton(50, 90, 70), linesSkeleton(40, 80));
    fill(top.say, sayingSkeleton(t`reminders`));
    screen.append(top.node, content);

    const when = reminderSection();
    /** @type {{node: HTMLElement, show: (person: object) => void}[]} */
    const sections = [when];
    const nodes = [when.node];
    let person = null;
    let isDrawn = false;
    let hasAsked = false; // for the reminders
    let others = null;
    let first = null;
    const drawHeader = () => {
        if (!person || !reminders.data) return;
        const words = reminderText(person);
        top.say.textContent = words.say;
        top.lead.textContent = words.lead;
        first = words.first ?? reminders.of("brushing", person.id)[0];
        buttons.hidden = !first;
    };
    const draw = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0];
        if (!person) {
            isDrawn = false;
            top.say.textContent = t`Brushing, as you like it`;
            return fill(content, unseen(t`Only they and the grown-ups can choose how somebody brushes.`));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose settings`, people, person.id, choose));
        }
        if (!isDrawn) {
            isDrawn = true;
            fill(content, nodes);
        }
        drawHeader();
        for (const one of sections) one.show(person);
        drawOthers();
    };
    /** What stands below the screen's edge, a section a frame: a slow phone shows the first sooner by it. */
    const drawOthers = () => {
        if (isDrawn && hasAsked) others ??= drawEach();
    };
    const drawEach = async () => {
        const add = (node) => {
            nodes.push(node);
            if (isDrawn) content.append(node);
        };
        await frameDrawn();
        if (signal.aborted) return;
        add(section(t`How they arrive`, thisDevice(signal), signIn.isAdult && calendarFeeds(signal),
            make("p", { class: "fine" }, icon("info", "s"),
                t`These are for all companions in the house. You find them in Settings too.`)));
        for (const sectionOf of [routineSection, cueSection, music, habitSection, brushHeadSection, toothbrushSection,
            appointmentSection, daysOffSection]) {
            await frameDrawn();
            if (signal.aborted) return;
            const one = sectionOf(pathOf);
            sections.push(one);
            add(one.node);
            if (person) one.show(person);
        }
    };
    const music = () => {
        const one = musicSection();
        signal.addEventListener("abort", one.close);
        return one;
    };
    const choose = (id) => {
        person = overview.person(id);
        history.replaceState(history.state, "", `/brushing/settings?person=${encodeURIComponent(id)}`);
        draw();
    };
    const sendNow = async () => {
        try {
            await reminders.sendNow(first);
            toast(t`Sent: “${first.title}”, for ${person.name}.`, { icon: "bell" });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const loadReminders = async () => {
        try {
            await reminders.load(signal);
        } catch (error) {
            if (isAborted(error)) return;
            when.trouble(error, loadReminders);
            if (!reminders.data) top.say.textContent = t`Brushing, as you like it`;
        }
        hasAsked = true;
        drawOthers();
    };
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && (detail.was === "lost" || !reminders.data)) loadReminders();
    }, { signal });
    reminders.addEventListener("change", async () => {
        drawHeader();
        await frameDrawn(); // what is said first is read first
        if (!signal.aborted) when.draw();
    }, { signal });
    await Promise.all([loadReminders(), overview.follow(signal, {
        draw,
        missing: (error, retry) => {
            top.say.textContent = t`The settings cannot be shown right now`;
            top.lead.hidden = true;
            fill(content, problemNotice(error, { retry }));
        },
    })]);
    await others;
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
