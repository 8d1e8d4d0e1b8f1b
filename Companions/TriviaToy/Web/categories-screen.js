import { get, isAborted, put } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { header } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { savedSection } from "../elements/saved-section.js";
import { segmented } from "../elements/segmented.js";
import { rowsSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toggle } from "../elements/switch.js";
import { whoRow } from "../elements/who-row.js";
import { t } from "../language/text.js";
import { CATEGORIES } from "./categories.js";
import { nothingToSee } from "./fact-row.js";
import { overview, pathOf } from "./overview.js";
import { tabs } from "./tabs.js";

/** What somebody wants to hear of, and in which language. */
export async function openCategories({ screen, signal, title }) {
    title(t`Categories`);
    const top = header({ name: t`Toy`, icon: "toy", below: [tabs("/toy/categories")] });
    fill(top.say, sayingSkeleton(t`categories`));
    const who = make("div", { class: "settings-who" });
    const content = make("div", { class: "content" }, who, rowsSkeleton(6));
    screen.append(top.node, content);
    let person = null;
    let chosen = null;
    const change = (said, control) => saved.save(async () => {
        chosen = { ...await put(pathOf(person, "settings"), said), id: person.id };
        return chosen;
    }, control);
    const saved = savedSection(t`What it is about`, (data) => {
        const total = overview.data.factCounts.reduce((sum, { language, facts }) => sum + (language === data.effectiveLanguage ? facts : 0), 0);
        top.say.textContent = t`${total} facts to choose from`;
        const counts = new Map();
        for (const { category, language, facts } of overview.data.factCounts) {
            if (language === data.effectiveLanguage) counts.set(category, (counts.get(category) ?? 0) + facts);
        }
        const rows = [...CATEGORIES].filter(([name]) => counts.has(name)).map(([name, [word]]) => toggle({
            name: word, hint: t`${counts.get(name)} facts`, on: data.categories.includes(name),
            change: (on) => change({
                categories: on ? [...data.categories, name] : data.categories.filter((one) => one !== name),
            }),
        }).node);
        fill(saved.body, make("div", { class: "toy-choices rows" }, rows));
    });
    const spoken = savedSection(t`In which language`, (data) => {
        fill(spoken.body,
            segmented(t`In which language`, [
                // not shown: each language's own name
                { value: "house", word: t`The family’s` }, { value: "en", word: "English" }, { value: "de", word: "Deutsch" },
            ], data.language ?? "house", (language) => spoken.save(async () => {
                chosen = {
                    ...await put(pathOf(person, "settings"), language === "house" ? { isHouseholdLanguage: true } : { language }),
                    id: person.id,
                };
                saved.show(chosen);
                return chosen;
            })),
            make("p", { class: "small second" }, t`The toy itself speaks English, whatever is chosen here.`));
    });
    const load = async () => {
        try {
            chosen = { ...await get(pathOf(person, "settings"), { signal }), id: person.id };
            if (signal.aborted) return;
            saved.show(chosen);
            spoken.show(chosen);
            fill(content, who, saved.node, spoken.node,
                signIn.isAdult && make("p", {}, make("a", { class: "button", href: "/toy/import" },
                    icon("download", "s"), t`Add facts of your own`)));
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            top.say.textContent = t`The categories cannot be shown right now`;
            fill(content, who, problemNotice(error, { retry: load }));
        }
    };
    let loaded = null;
    await overview.follow(signal, {
        draw: () => {
            const people = overview.readable;
            person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0];
            if (!person) {
                top.say.textContent = t`Categories`;
                return fill(content, nothingToSee());
            }
            if (who.dataset.of !== people.map(({ id }) => id).join()) {
                who.dataset.of = people.map(({ id }) => id).join();
                fill(who, people.length > 1 && whoRow(t`For whom`, people, person.id, (id) => {
                    overview.choose(id);
                    person = people.find((one) => one.id === id);
                    load();
                }));
            }
            if (loaded !== person.id) {
                loaded = person.id;
                load();
            }
        },
        missing: (error, retry) => {
            top.say.textContent = t`The categories cannot be shown right now`;
            fill(content, problemNotice(error, { retry }));
        },
    });
}
