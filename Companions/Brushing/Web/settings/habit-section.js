import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { segmented } from "../../elements/segmented.js";
import { toggle } from "../../elements/switch.js";
import { patch, put } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { overview } from "../overview.js";
import { now } from "../../app/clock.js";
import { whenIdle } from "../../app/when-idle.js";
import { language, t } from "../../language/text.js";

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
    /** The zones that stand there while nobody has looked at the others. @type {string[]?} */
    let known = null;
    for (const type of ["focus", "pointerdown"]) {
        select.addEventListener(type, () => {
            if (known) select.append(...elsewhere(known));
            known = null;
        });
    }
    const householdZone = () => signIn.hub.timeZone;
    /** This device's, once there is time: the first use of `Intl` costs a slow phone 120 ms. @type {string[]} */
    let here = [];
    whenIdle(() => {
        here = [Intl.DateTimeFormat().resolvedOptions().timeZone];
        if (select.value && document.activeElement !== select) show(select.value);
    });
    const show = (zone) => {
        const first = [...new Set([householdZone(), ...here, zone])];
        if (!first.every((one) => [...select.options].some(({ value }) => value === one))) {
            fill(select,
                make("optgroup", { label: t`Nearby` }, first.map((one) => make("option", { value: one }, one === householdZone()
                    ? t`${words(one)}, as at home` : here.includes(one) ? t`${words(one)}, as this device` : words(one)))));
            known = first;
        }
        select.value = zone;
    };
    const node = make("div", { class: "field", data: { field: "" } },
        make("label", { for: "b-zone" }, t`Time zone`),
        make("span", { class: "with-arrow" }, select, icon("down", "s")),
        make("span", { class: "hint" }, t`Days end and reminders come by this clock. Summer time is taken care of.`));
    return { node, select, show };
}

/** The place that a zone is named after. @param {string} zone */
function words(zone) {
    return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/**
 * All other zones, those together that have one name in the language of the page. They are
 * asked for when somebody looks: a slow phone takes a while for four hundred.
 * @param {string[]} first
 */
function elsewhere(first) {
    const groups = new Map();
    for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) {
        if (first.includes(zone)) continue;
        const said = new Intl.DateTimeFormat(language(), { timeZone: zone, timeZoneName: "longGeneric" });
        const name = said.formatToParts(now()).find(({ type }) => type === "timeZoneName")?.value ?? zone;
        groups.set(name, [...groups.get(name) ?? [], zone]);
    }
    return [...groups].sort(([one], [other]) => one.localeCompare(other, language())).map(([name, zones]) =>
        make("optgroup", { label: name }, zones.map((zone) => make("option", { value: zone }, words(zone)))));
}
