import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { savedSection } from "../../elements/saved-section.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { toggle } from "../../elements/switch.js";
import { now } from "../../app/clock.js";
import { signIn } from "../../app/sign-in.js";
import { reminders } from "../../reminders/reminders.js";
import {
    dayIn, listed, minuteInput, minuteOf, minuteText, shortWeekday, timeIn, WEEKDAYS, weekdayOf,
} from "../../text/civil.js";
import { t } from "../../language/text.js";

const SLUG = "brushing";
const SIGNS = { morning: "sun", midday: "clock", evening: "moon" };
const NAMES = { morning: t`Morning`, midday: t`Midday`, evening: t`Evening` };
const LABELS = { morning: t`Remind in the morning`, midday: t`Remind at midday`, evening: t`Remind in the evening` };
const SNOOZES = [5, 10, 20];

/** When a person is reminded: each time with its days, and how long a snooze is. */
export function reminderSection() {
    const { node, body, show, save } = savedSection(t`When`, (data) => draw(data));
    fill(body, linesSkeleton(60, 90));
    const rows = new Map();
    const list = make("div", { class: "rows" });
    const quiet = quietSwitch(save);
    const snooze = snoozeChips(save);
    let person = null;

    const draw = (data) => {
        if (!reminders.data) return;
        const own = ownOf(data);
        if (list.parentNode !== body) fill(body, list, snooze.node);
        for (const [id, row] of rows) {
            if (own.some((one) => one.id === id)) continue;
            row.node.remove();
            rows.delete(id);
        }
        own.forEach((reminder, i) => {
            if (!rows.has(reminder.id)) rows.set(reminder.id, reminderRow(reminder, save));
            const row = rows.get(reminder.id);
            row.show(reminder, data);
            if (list.children[i] !== row.node) list.insertBefore(row.node, list.children[i] ?? null);
        });
        if (quiet.node.parentNode !== list) list.append(quiet.node);
        quiet.show(own);
        snooze.show();
    };
    return {
        node,
        show: (data) => {
            person = data;
            show(data);
        },
        /** The reminders were loaded anew. */
        draw: () => { if (person) show(person); },
        trouble: (error, retry) => { if (!reminders.data) fill(body, calmNotice(error, { retry })); },
    };
}

/** A person's reminders that stand here: midday's where three a day are asked, or it is on. */
const ownOf = ({ id, perDay }) => reminders.of(SLUG, id)
    .filter(({ name, isOn }) => name in SIGNS && (name !== "midday" || perDay > 2 || isOn));

function reminderRow({ id, name }, save) {
    const stored = () => reminders.data.reminders.find((one) => one.id === id);
    const title = NAMES[name];
    const fine = make("span", { class: "fine" });
    const time = make("input", {
        class: "input time", type: "time", name: "minute", required: true, "aria-label": t`${title}, at what time`,
    });
    const input = make("input", { type: "checkbox", role: "switch", "aria-label": LABELS[name] });
    const days = make("div", { class: "segmented weekdays", role: "group", "aria-label": t`${title}, on which days` },
        WEEKDAYS.map((day, i) => make("button", {
            type: "button", "aria-label": day, on: { click: ({ currentTarget }) => turn(currentTarget) },
        }, day.slice(0, 2))));
    const change = (changes, control) => save(() => reminders.change(stored(), changes), control);
    const isPressed = (day) => day.getAttribute("aria-pressed") === "true";
    const turn = (day) => {
        day.setAttribute("aria-pressed", String(!isPressed(day)));
        change({ weekdays: [...days.children].flatMap((one, i) => (isPressed(one) ? [i + 1] : [])) }, day);
    };
    input.addEventListener("change", () => change({ isOn: input.checked }, input));
    time.addEventListener("change", () => {
        const minute = minuteOf(time.value);
        if (!Number.isNaN(minute) && minute !== stored().minute) change({ minute }, time);
    });
    time.addEventListener("blur", () => { if (!time.value) time.value = minuteInput(stored().minute); });
    const node = make("div", { class: "reminder", data: { field: "" } },
        make("div", { class: "row" }, icon(SIGNS[name]),
            make("span", { class: "words" }, make("span", { class: "name" }, title), fine),
            time, make("label", { class: "switch only" }, input, make("i"))),
        days);
    const show = (reminder, person) => {
        time.value = minuteInput(reminder.minute);
        input.checked = reminder.isOn;
        time.disabled = !reminder.isOn;
        days.hidden = !reminder.isOn;
        node.dataset.state = reminder.isOn ? "on" : "off";
        fine.textContent = reminder.isOn ? daysText(reminder.weekdays) : t`off`;
        [...days.children].forEach((one, i) => {
            one.setAttribute("aria-pressed", String(reminder.weekdays.includes(i + 1)));
        });
        node.title = reminder.next ? t`Next ${momentText(reminder.next, person.timeZone)}` : "";
    };
    return { node, show };
}

/** Whether the reminders of one person stay silent when it is done already: of all their times at once. */
function quietSwitch(save) {
    const { node, input } = toggle({
        name: t`Keep quiet when already brushed`, on: true,
        change: (silencedByDone) => save(async (person) => {
            for (const reminder of ownOf(person)) await reminders.change(reminder, { silencedByDone });
        }, input),
    });
    node.dataset.field = "";
    const show = (own) => {
        node.hidden = own.length === 0;
        input.checked = own.every(({ silencedByDone }) => silencedByDone);
    };
    return { node, show };
}

function snoozeChips(save) {
    const group = make("div", { class: "chips", role: "group", "aria-labelledby": "b-snooze" },
        SNOOZES.map((minutes) => make("button", {
            class: "chip", type: "button", data: { minutes },
            on: {
                click: ({ currentTarget }) => {
                    press(minutes);
                    save(() => reminders.snoozeFor(minutes), currentTarget);
                },
            },
        }, t`${minutes} min`)));
    const node = make("div", { class: "snooze", data: { field: "" } },
        make("span", { class: "strong small", id: "b-snooze" }, t`Snooze for`), group);
    node.hidden = !signIn.isAdult;
    const press = (minutes) => {
        for (const one of group.children) {
            one.setAttribute("aria-pressed", String(Number(one.dataset.minutes) === minutes));
        }
    };
    return { node, show: () => press(reminders.data.snoozeMinutes) };
}

/**
 * "every day", "Monday to Friday", "Mon, Wed and Sun".
 * @param {number[]} weekdays  Monday is 1
 */
function daysText(weekdays) {
    const key = weekdays.join("");
    if (key === "1234567") return t`every day`;
    if (key === "12345") return t`Monday to Friday`;
    if (key === "67") return t`at weekends`;
    if (weekdays.length === 0) return t`on no day`;
    if (weekdays.length === 1) return t`every ${WEEKDAYS[weekdays[0] - 1]}`;
    return listed(weekdays.map((day) => shortWeekday(WEEKDAYS[day - 1])));
}

/** What stands in the header: the times of a person's reminders, and which of all comes next. */
export function reminderText(person) {
    const on = reminders.of(SLUG, person.id).filter(({ name, isOn }) => name in SIGNS && isOn);
    const times = listed(on.map(({ minute }) => minuteText(minute)));
    const next = reminders.data?.reminders.filter((one) => one.companion === SLUG && one.next)
        .toSorted((a, b) => a.next - b.next) ?? [];
    const first = next[0];
    const names = first && listed([...new Set(next.filter((one) => one.next === first.next)
        .map((one) => signIn.people.find(({ id }) => id === one.person)?.name).filter(Boolean))]);
    const place = person.timeZone.split("/").at(-1).replaceAll("_", " ");
    return {
        say: times ? t`Reminders at ${times}` : t`No reminders for ${person.name}`,
        lead: first ? t`The next one is ${momentText(first.next, person.timeZone)}, for ${names}. The times are those of ${place}.`
            : t`Turn one on below and choose how it should arrive.`,
        first: on[0] ?? null,
    };
}

/** "today at 19:30", "tomorrow at 7:00", "Sun at 7:00". */
function momentText(at, zone) {
    const [day, today, tomorrow] = [at, now(), now() + 86_400_000].map((one) => dayIn(zone, one));
    const time = timeIn(zone, at);
    if (day === today) return t`today at ${time}`;
    return day === tomorrow ? t`tomorrow at ${time}` : t`${weekdayOf(day)} at ${time}`;
}
