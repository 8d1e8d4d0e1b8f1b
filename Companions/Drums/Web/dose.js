import { make } from "../elements/make.js";
import { t } from "../language/text.js";

const UNITS = [5, 10, 15, 20, 30, 60]; // minutes that a brick of the ruler may stand for
const MOST = 12; // bricks

/**
 * A week's minutes against the plan on a ruled scale: a brick for every ten minutes, or what makes them few enough.
 * @param {{minutes: number, plannedMinutes?: number}} week
 * @param {string} label
 * @returns {HTMLElement?}  null where nothing is planned: there is nothing to rule
 */
export function doseRuler({ minutes, plannedMinutes: planned }, label) {
    if (!planned) return null;
    const unit = UNITS.find((one) => planned % one === 0 && planned / one <= MOST)
        ?? UNITS.find((one) => planned / one <= MOST) ?? UNITS.at(-1);
    return make("span", {
        class: "dose", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": planned,
        "aria-valuenow": Math.min(minutes, planned), "aria-valuetext": t`${minutes} of ${planned} minutes`,
        vars: { units: planned / unit, done: Math.min(minutes, planned) / unit },
    });
}

/** The ruler of the week with who planned it and what is left: what stands on a painted header. */
export function weekPlan(week) {
    const ruler = week && doseRuler(week, t`Minutes practised this week`);
    if (!ruler) return null;
    return make("div", { class: "plan" }, ruler,
        make("p", { class: "plan-text fine" }, make("span", {}, week.planWords), make("span", {}, week.leftWords)));
}
