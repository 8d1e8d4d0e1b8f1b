import { get, isAborted, put } from "../app/api.js";
import { header } from "../elements/header.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { savedSection } from "../elements/saved-section.js";
import { segmented } from "../elements/segmented.js";
import { linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toggle } from "../elements/switch.js";
import { whoRow } from "../elements/who-row.js";
import { minuteInput, minuteOf } from "../text/civil.js";
import { t } from "../language/text.js";
import { overview, pathOf } from "./overview.js";

const EVENING = { from: 1200, until: 420 }; // minutes: what quiet hours are suggested as
const DAY = 10; // facts: what a limit is suggested as

/** Quiet hours, the limit of a day and the volume, for each child. */
export async function openRules({ screen, signal, title }) {
    title(t`House rules`);
    const who = make("div", { class: "settings-who" });
    const top = header({
        back: { href: "/toy", word: t`Toy` }, above: who,
        lead: t`A toy keeps them by itself, without the hub too, and this page keeps them as well.`,
    });
    fill(top.say, sayingSkeleton(t`rules`));
    const content = make("div", { class: "content" }, linesSkeleton(60, 80, 40));
    screen.append(top.node, content);
    let person = null;
    const change = (section, said, control) => section.save(
        async () => ({ ...await put(pathOf(person, "rules"), said), id: person.id }), control);

    const quiet = savedSection(t`Quiet hours`, (data) => {
        const hours = data.quietHours ?? EVENING;
        const time = (label, minute, take) => {
            const input = make("input", {
                class: "input", type: "time", name: "quietHours", value: minuteInput(minute), "aria-label": label,
            });
            input.addEventListener("change", () => {
                if (input.value) change(quiet, { quietHours: take(minuteOf(input.value)) }, input);
            });
            return make("label", { class: "field" }, make("span", { class: "label" }, label), input);
        };
        fill(quiet.body,
            toggle({
                name: t`The toy is silent at night`, on: Boolean(data.quietHours),
                change: (on) => change(quiet, on ? { quietHours: EVENING } : { hasQuietHours: false }),
            }).node,
            data.quietHours && make("div", { class: "toy-pair" },
                time(t`From`, hours.from, (from) => ({ ...hours, from })),
                time(t`Until`, hours.until, (until) => ({ ...hours, until }))),
            data.isQuietNow && make("p", { class: "small second" }, t`It is a quiet hour now.`));
    });
    const limit = savedSection(t`Limit of a day`, (data) => {
        const input = make("input", {
            class: "input", type: "number", inputmode: "numeric", name: "dailyLimit", min: 1,
            value: data.dailyLimit ?? DAY, "aria-label": t`Facts in a day`,
        });
        input.addEventListener("change", () => change(limit, { dailyLimit: Math.trunc(Number(input.value)) }, input));
        fill(limit.body,
            toggle({
                name: t`So many facts, then the toy rests`, on: data.dailyLimit !== undefined,
                change: (on) => change(limit, on ? { dailyLimit: DAY } : { hasDailyLimit: false }),
            }).node,
            data.dailyLimit !== undefined && make("label", { class: "field" },
                make("span", { class: "label" }, t`Facts in a day`), input));
    });
    const loud = savedSection(t`How loud at most`, (data) => {
        fill(loud.body, segmented(t`How loud at most`, [
            { value: "whisper", word: t`Whisper` }, { value: "quiet", word: t`Quiet` },
            { value: "normal", word: t`Normal` }, { value: "loud", word: t`Loud` },
        ], data.loudness, (loudness) => change(loud, { loudness })));
    });
    const thrown = savedSection(t`What counts as a throw`, (data) => {
        fill(thrown.body, toggle({
            name: t`As the first toys did`, on: data.usesOriginalThrowRule,
            hint: t`Any jolt counts. Otherwise it has to fall and land, or be shaken.`,
            change: (on) => change(thrown, { usesOriginalThrowRule: on }),
        }).node);
    });
    const all = [quiet, limit, loud, thrown];
    const load = async () => {
        try {
            const rules = { ...await get(pathOf(person, "rules"), { signal }), id: person.id };
            if (signal.aborted) return;
            top.say.textContent = t`House rules for ${person.name}`;
            for (const section of all) section.show(rules);
            fill(content, all.map(({ node }) => node));
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            top.say.textContent = t`The rules cannot be shown right now`;
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    await overview.follow(signal, {
        draw: () => {
            const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
            if (person || people.length === 0) return;
            const here = overview.reader();
            person = people.find(({ id }) => id === here?.id) ?? people[0];
            fill(who, people.length > 1 && whoRow(t`For whom`, people, person.id, (id) => {
                overview.choose(id);
                person = people.find((one) => one.id === id);
                load();
            }));
            load();
        },
        missing: (error, retry) => fill(content, problemNotice(error, { retry })),
    });
}
