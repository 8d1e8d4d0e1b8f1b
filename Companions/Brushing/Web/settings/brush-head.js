import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { confirm } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { post, put } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { t } from "../../language/text.js";
import { dayIn, fullDay, longDay } from "../../text/civil.js";
import { overview } from "../overview.js";

const WEEKS_A_MONTH = 4.345;

/**
 * The brush head: how long it is in use, when another is suggested, and that it was replaced.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function brushHeadSection(path) {
    const value = make("span", { class: "strong" });
    const { node, body, show, save } = savedSection(t`Brush head`, (data) => draw(data), { value });
    const slider = make("input", {
        type: "range", name: "weeks", step: 1, "aria-label": t`Replace the brush head every`,
    });
    const [shortest, longest] = [make("span"), make("span")];
    const says = make("p", { class: "second" });
    let person = null;
    const bound = () => {
        const { least, most } = overview.data.limits.headWeeks;
        Object.assign(slider, { min: least, max: most + 1 }); // the last position is never, as in Great Teeth
        shortest.textContent = t`${least} weeks`;
        longest.textContent = t`Never`;
    };
    const move = (weeks) => {
        const [least, most] = [Number(slider.min), Number(slider.max)];
        slider.style.setProperty("--value", String(((weeks - least) / Math.max(1, most - least)) * 100));
        const words = weeks === most ? t`Never` : weeksText(weeks);
        slider.setAttribute("aria-valuetext", words);
        value.textContent = words;
    };
    slider.addEventListener("input", () => move(Number(slider.value)));
    slider.addEventListener("change", () => {
        const weeks = slider.value === slider.max ? null : Number(slider.value);
        save(async (whose) => overview.take(await put(path(whose, "brush-head"), { weeks })), slider);
    });
    const replaced = button(t`Replaced today`, {
        icon: "check",
        press: () => confirm({
            title: t`A new brush head for ${person.name}?`, yes: t`Yes, replaced today`, kind: "primary",
            lead: t`The count starts again today, and the reminder moves with it.`,
            act: async () => {
                overview.take(await post(path(person, "brush-head/replaced"), {}));
                toast(t`Saved: ${person.name} has a new brush head.`);
            },
        }),
    });
    const onDay = make("input", { class: "input", type: "date", name: "day" });
    onDay.addEventListener("change", () => {
        const day = onDay.value;
        if (day) save(async (whose) => overview.take(await post(path(whose, "brush-head/replaced"), { day })), onDay);
    });
    fill(body,
        make("div", { class: "slider", data: { field: "" } }, slider,
            make("span", { class: "ends fine" }, shortest, longest)),
        says,
        make("div", { class: "row-of-buttons" }, replaced,
            make("label", { class: "field replaced-on", data: { field: "" } }, make("span", { class: "label" }, t`Replaced on`), onDay)));
    const draw = (data) => {
        person = data;
        const { replacedDay, weeks, suggestedDay, isDue } = person.brushHead;
        bound();
        slider.value = weeks === undefined ? slider.max : String(weeks); // the hub tells no weeks of never
        move(Number(slider.value));
        Object.assign(onDay, { value: replacedDay ?? "", max: dayIn(person.timeZone, now()) });
        const since = replacedDay && make("span", {}, t`In use since ${fullDay(replacedDay)}.`);
        const until = suggestedDay && make("b", { class: "strong" }, isDue
            ? t`It should have been replaced on ${longDay(suggestedDay)}.` : t`Replace it on ${longDay(suggestedDay)}.`);
        fill(says, replacedDay ? [since, " ", until]
            : t`Nobody has said yet when it was last replaced. Say so when you replace it, and the hub suggests a day for the next one.`);
        node.dataset.state = isDue ? "due" : "";
    };
    return { node, show };
}

function weeksText(weeks) {
    if (weeks < 9) return t`${weeks} weeks`;
    return t`${weeks} weeks, about ${Math.round(weeks / WEEKS_A_MONTH)} months`;
}
