import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { toggle } from "../../elements/switch.js";
import { patch, put } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { overview } from "../overview.js";
import { t } from "../../language/text.js";

const PER_DAY = [
    { value: "1", word: t`Once a day` }, { value: "2", word: t`Twice a day` }, { value: "3", word: t`Three times` },
];

/**
 * What is asked of a person: how many brushings a day, the children's mode, and by whose clock a day goes.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function habitSection(path) {
    const { node, body, show, save } = savedSection(t`How it counts`, (person) => {
        perDay.show(String(person.perDay));
        mode.input.checked = person.isChildMode;
        zone.show(person.timeZone);
    });
    const change = (changes, control) => save(
        async (person) => overview.take(await put(path(person, "settings"), changes)), control);
    const perDay = segmented(t`Brushings a day`, PER_DAY, "2", (value) => change({ perDay: Number(value) }, perDay));
    const mode = toggle({
        name: t`Children’s mode`, hint: t`Big, playful, and no reading needed`, on: false,
        change: (isChildMode) => change({ isChildMode }, mode.input),
    });
    const zone = zoneField((timeZone) => save(async ({ id }) => {
        const own = timeZone === signIn.hub.timeZone ? null : timeZone; // who lives as the house does moves with it
        await patch(`/api/people/${encodeURIComponent(id)}`, { timeZone: own });
        await Promise.all([overview.load(), signIn.load()]);
    }, zone.select));
    fill(body,
        signIn.isAdult && make("div", { class: "field", data: { field: "" } },
            make("span", { class: "label" }, t`Brushings a day`), perDay),
        make("div", { class: "rows" }, mode.node),
        signIn.isAdult && zone.node);
    return { node, show };
}

/** By which clock somebody’s days and reminders go: who is away for long takes their own along. */
function zoneField(choose) {
    const select = make("select", { class: "input", id: "b-zone", name: "timeZone" });
    select.addEventListener("change", () => choose(select.value));
    const householdZone = () => signIn.hub.timeZone;
    const show = (zone) => {
        const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const first = [...new Set([householdZone(), here, zone])];
        const rest = (Intl.supportedValuesOf?.("timeZone") ?? []).filter((one) => !first.includes(one));
        if (!first.every((one) => [...select.options].some(({ value }) => value === one))) {
            fill(select,
                make("optgroup", { label: t`Nearby` }, first.map((one) => make("option", { value: one }, one === householdZone()
                    ? t`${words(one)}, as at home` : one === here ? t`${words(one)}, as this device` : words(one)))),
                make("optgroup", { label: t`Elsewhere` },
                    rest.map((one) => make("option", { value: one }, words(one)))));
        }
        select.value = zone;
    };
    const node = make("div", { class: "field", data: { field: "" } },
        make("label", { for: "b-zone" }, t`Time zone`),
        make("span", { class: "with-arrow" }, select, icon("down", "s")),
        make("span", { class: "hint" }, t`Days end and reminders come by this clock. Summer time is taken care of.`));
    return { node, select, show };
}

function words(zone) {
    return zone.replace(/^Etc\//, "").replaceAll("_", " ").replace("/", ", ");
}
