import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { post, put, remove } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { dayIn, longDay, shortDay } from "../../text/civil.js";
import { overview } from "../overview.js";
import { t } from "../../language/text.js";

const REASONS = [
    { value: "ill", word: t`Sick` }, { value: "holiday", word: t`Holiday` }, { value: "skip", word: t`Other` },
];
const WORDS = { ill: t`Sick`, holiday: t`Holiday`, skip: t`Day off` };
const SIGNS = { ill: "temperature", holiday: "sun", skip: "silent" };
const DAY = 86_400_000;

/**
 * Days that count for nothing: they break no streak and lower no habit, and lengthen none either.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function daysOffSection(path) {
    const { node, body, show, save } = savedSection(t`Days off`, (data) => draw(data), {
        value: button(t`Add`, { kind: "quiet", icon: "plus", press: () => add() }),
    });
    let person = null;
    let shown = null;
    const add = () => {
        const today = dayIn(person.timeZone, now());
        let [{ value: reason }] = REASONS;
        const from = field({ label: t`From`, name: "from", type: "date", value: today, required: true });
        const to = field({ label: t`Up to and including`, name: "to", type: "date", value: today, required: true });
        from.input.addEventListener("change", () => { if (to.value < from.value) to.input.value = from.value; });
        const why = segmented(t`Why`, REASONS, reason, (value) => { reason = value; });
        const opened = sheet(t`Days off for ${person.name}`, {
            lead: t`A day off neither breaks a row nor makes it longer, and no reminder comes.`,
            body: [form({
                fields: [{ name: "reason", node: why, problem: () => {} }, from, to], word: t`Add`, icon: "check",
                className: "form days-off-form",
                send: async () => {
                    overview.take(await post(path(person, "days"), { from: from.value, to: to.value, reason }));
                    opened.close();
                    toast(from.value === to.value ? t`${longDay(from.value)} is a day off.`
                        : t`Days off from ${shortDay(from.value)} to ${shortDay(to.value)}.`);
                },
            })],
        });
    };
    const takeBack = (range) => save(async (whose) => {
        let last = null;
        for (const day of range.days) last = await remove(path(whose, `days/${day}`));
        if (last) overview.take(last);
        else await overview.load();
        toast(range.days.length === 1 ? t`${rangeText(range)} counts again.` : t`${rangeText(range)} count again.`, {
            icon: "undo",
            undo: async () => {
                for (const day of range.days) last = await put(path(whose, `days/${day}`), { reason: range.reason });
                overview.take(last);
            },
        });
    });
    const draw = (data) => {
        person = data;
        const key = JSON.stringify([person.id, person.frozenDays]);
        if (key === shown) return;
        shown = key;
        const ranges = rangesOf(person.frozenDays).toReversed();
        fill(body, ranges.length === 0
            ? make("p", { class: "second" }, t`No days off. If somebody is sick or away, add it here. A day off does not break the row.`)
            : make("ul", { class: "rows" }, ranges.map((range) => row(range, takeBack))));
    };
    return { node, show };
}

function row(range, takeBack) {
    const end = button(t`Take back`, { kind: "quiet", press: () => takeBack(range) });
    end.setAttribute("aria-label", t`Take back: ${WORDS[range.reason]}, ${rangeText(range)}`);
    return make("li", { class: "row" }, icon(SIGNS[range.reason] ?? "silent"),
        make("span", { class: "words" }, make("span", { class: "name" }, rangeText(range)),
            make("span", { class: "fine" }, WORDS[range.reason] ?? t`Day off`)),
        end);
}

function rangeText({ days }) {
    return days.length === 1 ? longDay(days[0]) : t`${shortDay(days[0])} to ${shortDay(days.at(-1))}`;
}

/** Days that follow each other for the same reason, as one. */
function rangesOf(daysOff) {
    const ranges = [];
    for (const { day, reason } of daysOff.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
        const last = ranges.at(-1);
        const isNext = last?.reason === reason && Date.parse(day) - Date.parse(last.days.at(-1)) === DAY;
        if (isNext) last.days.push(day);
        else ranges.push({ reason, days: [day] });
    }
    return ranges;
}
