import { make } from "../elements/make.js";
import { t } from "../language/text.js";
import { overview, songs } from "./overview.js";
import { doseRuler } from "./dose.js";

const MOST = 3; // people whose week stands on the card

/** The card on Today: the hub's own sentences, and each person's week on its ruler. */
export async function today({ fresh }) {
    const { headline, people } = await overview.forToday(fresh);
    return {
        headline: headline.text, weight: headline.weight, says: [headline.text, headline.lead].filter(Boolean).join(" "), at: latest(people), figure: weeks(people),
        events: played(people),
    };
}

/** Has the card drawn anew when anything changed. */
export function watch(draw, signal) {
    overview.addEventListener("change", draw, { signal });
    songs.keep();
}

/** @param {Drums.OverviewPerson[]} people */
function latest(people) {
    const at = people.map(({ today: of }) => of?.lastAt ?? null).filter(Boolean);
    return at.length > 0 ? Math.max(...at) : null;
}

/** @param {Drums.OverviewPerson[]} people */
function played(people) {
    return people.flatMap(({ name, today: of }) => (of?.played ?? []).map(({ at, title }) => ({
        at, icon: "drums", words: t`${name} played ${title}`,
    })));
}

/**
 * Whose week is planned, on a ruler each; where nobody’s is, how long was played.
 * @param {Drums.OverviewPerson[]} people
 */
function weeks(people) {
    const shown = people.filter(({ week }) => week && (week.plannedMinutes || week.minutes > 0)).slice(0, MOST);
    if (shown.length === 0) return null;
    return make("span", { class: "card-weeks" }, shown.map(({ name, week }) => make("span", { class: "card-week" },
        doseRuler(week, t`${name}, minutes this week`),
        make("span", { class: "fine" }, minutesOf(week, shown.length > 1 ? name : null)))));
}

/**
 * @param {{minutes: number, plannedMinutes?: number}} week
 * @param {string?} name  where several are shown
 */
function minutesOf({ minutes, plannedMinutes: planned }, name) {
    if (name) return planned ? t`${name}: ${minutes} of ${planned} min` : t`${name}: ${minutes} min`;
    return planned ? t`${minutes} of ${planned} min` : t`${minutes} min`;
}
