import { button } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { unseen } from "../../elements/unseen.js";
import { section, wall } from "../../elements/wall.js";
import { whoRow } from "../../elements/who-row.js";
import { isAborted } from "../../house/api.js";
import { live } from "../../house/live.js";
import { wordsOf } from "../../house/problem.js";
import { session } from "../../house/session.js";
import { calendarFeeds } from "../../reminders/calendar-feeds.js";
import { reminders } from "../../reminders/reminders.js";
import { thisDevice } from "../../reminders/this-device.js";
import { appointmentSection } from "./appointments.js";
import { brushHeadSection } from "./brush-head.js";
import { cueSection } from "./cue-section.js";
import { daysOffSection } from "./days-off.js";
import { desk } from "../desk.js";
import { habitSection } from "./habit-section.js";
import { reminderSection, reminderWords } from "./reminder-section.js";
import { routineSection } from "./routine-section.js";

/**
 * A path about a person.
 * @typedef {<Rest extends string>(person: {id: string}, rest: Rest) => `/api/brushing/people/${string}/${Rest}`} PathOf
 * @type {PathOf}
 */
const pathOf = (person, rest) => `/api/brushing/people/${encodeURIComponent(person.id)}/${rest}`;

/** The settings of one person: reminders, routine, cues, brush head, appointments, days off. */
export async function openBrushingSettings({ room, signal, title }) {
    title("Brushing settings");
    const who = make("div", { class: "settings-who" });
    const now = button("Send one now", { icon: "bell", press: () => sendNow() });
    const buttons = make("div", { class: "row-of-buttons wall-buttons", hidden: true }, now);
    const top = wall({
        back: { href: "/brushing", word: "Brushing" }, above: who, lead: " ",
        below: [buttons, art("bell", "wall-art bell-art")],
    });
    const floor = make("div", { class: "floor brushing-settings" }, linesSkeleton(50, 90, 70), linesSkeleton(40, 80));
    fill(top.say, sayingSkeleton("reminders"));
    room.append(top.node, floor);

    const when = reminderSection();
    const sections = [when, routineSection(pathOf), cueSection(pathOf), habitSection(pathOf), brushHeadSection(pathOf),
        appointmentSection(pathOf), daysOffSection(pathOf)];
    let person = null;
    let isDrawn = false;
    let first = null;
    const drawWall = () => {
        if (!person || !reminders.told) return;
        const words = reminderWords(person);
        top.say.textContent = words.say;
        top.lead.textContent = words.lead;
        first = words.first ?? reminders.of("brushing", person.id)[0];
        buttons.hidden = !first;
    };
    const draw = () => {
        if (!desk.told || signal.aborted) return;
        const people = desk.told.people.filter(({ mayDecide }) => mayDecide);
        person = people.find(({ id }) => id === (person ?? desk.here())?.id) ?? people[0];
        if (!person) {
            isDrawn = false;
            top.say.textContent = "Brushing, as you like it";
            return fill(floor, unseen("How somebody brushes is for them and the grown-ups to say."));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow("Whose settings", people, person.id, choose));
        }
        if (!isDrawn) {
            isDrawn = true;
            const [first, ...others] = sections;
            fill(floor, first.node,
                section("How they arrive", thisDevice(signal), session.isAdult && calendarFeeds(signal),
                    make("p", { class: "fine" }, icon("info", "s"),
                        "These are for every companion of the house, and stand in Settings too.")),
                others.map((one) => one.node));
        }
        for (const one of sections) one.show(person);
        drawWall();
    };
    const choose = (id) => {
        person = desk.person(id);
        history.replaceState(history.state, "", `/brushing/settings?person=${encodeURIComponent(id)}`);
        draw();
    };
    const sendNow = async () => {
        try {
            await reminders.sendNow(first);
            toast(`Sent: “${first.title}”, for ${person.name}.`, { icon: "bell" });
        } catch (error) {
            toast(wordsOf(error), { icon: "warning" });
        }
    };
    const loadReminders = async () => {
        try {
            await reminders.load(signal);
        } catch (error) {
            if (isAborted(error)) return;
            when.trouble(error, loadReminders);
            if (!reminders.told) top.say.textContent = "Brushing, as you like it";
        }
    };
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && (detail.was === "lost" || !reminders.told)) loadReminders();
    }, { signal });
    reminders.addEventListener("change", () => { when.draw(); drawWall(); }, { signal });
    await Promise.all([loadReminders(), desk.follow(signal, {
        draw,
        missing: (error, retry) => {
            top.say.textContent = "The settings cannot be seen now";
            top.lead.hidden = true;
            fill(floor, problemNotice(error, { retry }));
        },
    })]);
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
