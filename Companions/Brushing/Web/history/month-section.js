import { iconButton } from "../../elements/button.js";
import { focusedIn } from "../../elements/focused.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { get, isAborted } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { dayIn, longDay, monthOf, placesBefore, shortWeekday, WEEKDAYS } from "../../text/civil.js";
import { dayPanel } from "./day-panel.js";
import { disc, discText } from "../pips.js";
import { t } from "../../language/text.js";

/** How far each arrow leads, days. */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A calendar, month by month; the chosen day stands below it with what was brushed. */
export function monthSection(signal) {
    const heading = make("h2", { id: "b-month" });
    const back = iconButton(t`The month before`, "back", () => turn(data.previous));
    const ahead = iconButton(t`The month after`, "forward", () => turn(data.next));
    const place = make("div", {}, linesSkeleton(100, 100, 100, 100));
    const panel = dayPanel(() => load());
    const node = make("section", { class: "section month-section", "aria-labelledby": "b-month" },
        make("div", { class: "section-head" }, heading, back, ahead), place, key(), panel.node);
    let person = null;
    let month = null;
    let data = null;
    let chosen = null;

    const today = () => dayIn(person.timeZone, now());
    const turn = (other) => {
        if (!other) return;
        month = other;
        chosen = null;
        return load();
    };
    const load = async () => {
        const asked = `${person.id} ${month}`;
        heading.textContent = monthOf(month, today().slice(0, 4));
        try {
            const path = /** @type {const} */ (`/api/brushing/people/${encodeURIComponent(person.id)}/history?month=${month}`);
            const answer = await get(path, { signal });
            if (asked !== `${person.id} ${month}`) return;
            data = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || asked !== `${person.id} ${month}`) return;
            data = null;
            panel.clear();
            back.disabled = true;
            ahead.disabled = true;
            fill(place, calmNotice(error, { retry: load }));
        }
    };
    const draw = () => {
        back.disabled = !data.previous;
        ahead.disabled = !data.next;
        const had = focusedIn(place)?.dataset.day ?? null;
        chosen ??= (data.days.find(({ day }) => day === today())
            ?? data.days.findLast(({ sessions }) => sessions.length > 0) ?? data.days[0]).day;
        const lead = Array.from({ length: placesBefore(month) }, () => make("li", { "aria-hidden": true }));
        fill(place,
            make("div", { class: "pips weekday-names fine", "aria-hidden": true },
                WEEKDAYS.map((one) => make("span", {}, shortWeekday(one)))),
            make("ol", { class: "pips month" }, lead, data.days.map(cell)));
        mark();
        if (had) place.querySelector(`[data-day="${had}"]`)?.focus();
        panel.show(person, data.days.find(({ day }) => day === chosen));
    };
    /** One day is pressed, and it alone is a stop of the tab key: the arrows lead to the others. */
    const mark = () => {
        for (const one of place.querySelectorAll(".day")) {
            one.setAttribute("aria-pressed", String(one.dataset.day === chosen));
            one.tabIndex = one.dataset.day === chosen ? 0 : -1;
        }
    };
    const step = (event) => {
        const all = [...place.querySelectorAll(".day")];
        const to = all[all.indexOf(event.currentTarget) + (STEPS[event.key] ?? NaN)];
        if (!to) return;
        event.preventDefault();
        to.focus();
    };
    const cell = (day) => {
        const isNow = day.day === today();
        const shape = shapeOf(day, isNow);
        return make("li", {}, make("button", {
            class: "pip day", type: "button", data: { day: day.day },
            "aria-current": isNow ? "date" : undefined, "aria-label": `${longDay(day.day)}: ${discText(shape)}`,
            on: {
                click: () => {
                    chosen = day.day;
                    mark();
                    panel.show(person, day);
                },
                keydown: step,
            },
        }, disc(shape), make("span", {}, Number(day.day.slice(8)))));
    };
    return {
        node,
        show: (shown) => {
            if (person?.id !== shown.id) {
                person = shown;
                month = today().slice(0, 7);
                chosen = null;
            }
            person = shown;
            load();
        },
    };
}

function shapeOf({ state, sessions }, isToday) {
    const has = (slot) => sessions.some((one) => one.counts && one.slot === slot);
    return {
        morning: has("morning"), evening: has("evening"), isFrozen: state === "frozen",
        isToCome: state === "to-come" && !isToday, isBefore: state === "before", isToday,
    };
}

function key() {
    const sample = (shape, words) => make("span", {}, disc(shape), words);
    return make("p", { class: "key discs" },
        sample({ morning: true, evening: false }, t`Morning brushed, evening not`),
        sample({ morning: false, evening: false, isFrozen: true }, t`Day off, not counted`),
        sample({ isToCome: true }, t`To come, or before the start`));
}
