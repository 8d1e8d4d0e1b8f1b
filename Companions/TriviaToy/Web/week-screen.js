import { get, isAborted } from "../app/api.js";
import { button } from "../elements/button.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { readout } from "../elements/readout.js";
import { linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { whoRow } from "../elements/who-row.js";
import { longDay, weekdayOf } from "../text/civil.js";
import { number } from "../text/numbers.js";
import { t } from "../language/text.js";
import { categoryIcon, categoryWord } from "./categories.js";
import { factRow, nothingToSee } from "./fact-row.js";
import { overview, pathOf } from "./overview.js";
import { onVote } from "./votes.js";

/** A week of somebody's facts, for parents: how many on which day, of what, and which they liked. */
export async function openWeek({ screen, signal, title }) {
    title(t`The week`);
    const who = make("div", { class: "settings-who" });
    const top = header({ back: { href: "/toy", word: t`Toy` }, above: who });
    fill(top.say, sayingSkeleton(t`the week`));
    const content = make("div", { class: "content" }, linesSkeleton(90, 60, 70));
    screen.append(top.node, content);
    let person = null;
    let ago = 0;
    const load = async () => {
        try {
            const week = await get(`${pathOf(person, "week")}?weeksAgo=${ago}`, { signal });
            if (!signal.aborted) show(week);
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            top.say.textContent = t`The week cannot be shown right now`;
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    const show = (week) => {
        top.say.textContent = week.headline;
        const most = Math.max(1, ...week.days.map(({ finished, others }) => finished + others));
        const shares = Math.max(1, ...week.categories.map(({ facts }) => facts));
        fill(content,
            make("section", { class: "section", "aria-labelledby": "toy-days" },
                make("div", { class: "section-head" }, make("h2", { id: "toy-days" }, t`Day by day`),
                    make("span", { class: "fine" }, `${longDay(week.days[0].day)} – ${longDay(week.days.at(-1).day)}`)),
                make("ol", { class: "toy-days" }, week.days.map(({ day, finished, others }) => make("li", { class: "toy-day" },
                    make("span", { class: "bar", vars: { share: (finished + others) / most }, "aria-hidden": true },
                        make("span", { class: "toy-count" }, number(finished + others))),
                    make("span", { class: "fine" }, weekdayOf(day)),
                    make("span", { class: "unseen" }, t`${finished + others} facts`)))),
                make("div", { class: "row-of-buttons" },
                    button(t`The week before`, { icon: "back", press: () => { ago += 1; return load(); } }),
                    ago > 0 && button(t`The week after`, { icon: "forward", press: () => { ago -= 1; return load(); } }))),
            make("dl", { class: "readouts" },
                readout(t`New`, number(week.newFacts), null, t`never heard before`),
                readout(t`Good ones`, number(week.upvotes), null, t`voted for`),
                readout(t`Not these`, number(week.downvotes), null, t`voted against`)),
            week.categories.length > 0 && section(t`What it was about`,
                make("ul", { class: "toy-shares" }, week.categories.map(({ category, facts }) => make("li", { class: "toy-share" },
                    icon(categoryIcon(category)), make("span", {}, categoryWord(category)),
                    make("span", { class: "bar", vars: { share: facts / shares }, "aria-hidden": true }),
                    make("span", { class: "value" }, number(facts)))))),
            week.favourites.length > 0 && section(t`Liked best`, make("ul", { class: "rows" }, week.favourites.map(factRow))));
    };
    onVote(signal, () => { if (person) load(); });
    await overview.follow(signal, {
        draw: () => {
            const people = overview.readable;
            if (people.length === 0) return fill(content, nothingToSee());
            // Something was heard since.
            if (person) return void load();
            const here = overview.reader();
            person = people.find(({ id }) => id === here?.id) ?? people[0];
            fill(who, people.length > 1 && whoRow(t`Whose week`, people, person.id, (id) => {
                overview.choose(id);
                person = people.find((one) => one.id === id);
                load();
            }));
            load();
        },
        missing: (error, retry) => fill(content, problemNotice(error, { retry })),
    });
}
