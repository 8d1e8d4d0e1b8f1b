import { make } from "../elements/make.js";
import { now } from "../app/clock.js";
import { reminders } from "../reminders/reminders.js";
import { dayIn } from "../text/civil.js";
import { overview } from "./overview.js";
import { durationText } from "../text/durations.js";
import { disc, discText } from "./pips.js";
import { t } from "../language/text.js";

const MOST = 4; // people whose discs stand side by side; where there are more, those who have yet to brush

/** The card on Today: the hub's own sentences, and each person's day as two half discs. */
export async function today({ fresh }) {
    const { headline, people } = await overview.forToday(fresh);
    reminders.want();
    const sessions = people.flatMap((person) => person.today.map((one) => ({ ...one, person })));
    const at = people.map(({ lastSession }) => lastSession?.startedAt).filter(Boolean);
    return {
        headline: headline.text, weight: headline.weight, says: [headline.text, headline.lead].filter(Boolean).join(" "), figure: faces(people),
        at: at.length > 0 ? Math.max(...at) : null,
        events: [...sessions.map(eventOf), ...ahead()],
    };
}

/** Has the card drawn anew when anything changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
    reminders.addEventListener("change", draw, { signal });
}

function eventOf({ person, startedAt, brushSeconds, flossSeconds, rinseSeconds }) {
    return {
        at: startedAt, icon: "brushing",
        words: t`${person.name} brushed, ${durationText(brushSeconds + flossSeconds + rinseSeconds)}`,
    };
}

/** The reminders that are still to come, hollow on the ruler. */
function ahead() {
    return (reminders.data?.reminders ?? []).filter(({ companion, next }) => companion === "brushing" && next)
        .map(({ next, title }) => ({ at: next, icon: "bell", words: title, isAhead: true }));
}

/** Everybody’s day, as the hub counts days: only those who brush here, or all where nobody has begun. */
function faces(people) {
    // How often a brother has brushed is his own: a child is shown of each other whether it is done.
    const isWhole = people.every(({ progress }) => progress);
    const begun = people.filter(({ progress, role, done }) => (isWhole ? progress.sessions > 0
        : role === "child" || done.morning || done.evening));
    const all = (begun.length > 0 ? begun : people).map((person) => ({ name: person.name, shape: shapeOf(person) }));
    const words = all.map(({ name, shape }) => `${name}: ${discText(shape)}`).join("; ");
    const shown = all.length > MOST ? all.toSorted((a, b) => halves(a) - halves(b)).slice(0, MOST) : all;
    return make("span", { class: "card-discs", role: "img", "aria-label": words || t`Nobody brushes yet` },
        shown.map(({ name, shape }) => make("span", { class: "card-disc" },
            disc(shape), make("span", { class: "fine person-name" }, name))),
        all.length > MOST && make("span", { class: "card-more" }, `+${all.length - MOST}`));
}

/** How much of the day is done, or not asked. */
function halves({ shape: { morning, evening, isFrozen } }) {
    return isFrozen ? 2 : Number(morning) + Number(evening);
}

function shapeOf({ today: sessions, week, timeZone, done }) {
    const day = sessions[0]?.day ?? dayIn(timeZone, now());
    const isFrozen = week.some((one) => one.day === day && one.isFrozen);
    return { ...done, isFrozen, isToday: true };
}
