import { button, iconButton } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { header, section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { whoRow } from "../../elements/who-row.js";
import { get, isAborted, post, put } from "../../app/api.js";
import { live } from "../../app/live.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { longDay } from "../../text/civil.js";
import { overview } from "../overview.js";
import { showOverview } from "../shown-overview.js";
import { scoresSection } from "./scores-section.js";

/** What somebody wants to be able to do, in their own words; for grown-ups what the clinic measured, beside it. */
export async function openGoals({ screen, signal, title }) {
    title(t`Goals`);
    const who = make("div", { class: "settings-who" });
    const top = header({
        back: { href: "/drums/data", word: t`Drums` }, above: who,
        lead: t`What you want to be able to do, in your own words.`,
    });
    fill(top.say, sayingSkeleton(t`goals`));
    const list = make("div", { class: "stack" }, linesSkeleton(70, 60, 80));
    const goalsPart = section(t`Goals`, list);
    const scores = scoresSection(signal);
    const content = make("div", { class: "content" }, goalsPart, scores.node);
    screen.append(top.node, content);
    let person = null;
    const path = () => /** @type {const} */ (`/api/drums/people/${encodeURIComponent(person.id)}/goals`);

    const take = (data) => { draw(data); scores.show(person, data.goals); };
    const load = async () => {
        const asked = person.id;
        try {
            const data = await get(path(), { signal });
            if (asked === person.id) take(data);
        } catch (error) {
            if (isAborted(error) || asked !== person.id) return;
            top.say.textContent = t`The goals cannot be shown right now`;
            fill(list, problemNotice(error, { retry: load }));
        }
    };
    const change = async (goal, changes, words) => {
        const goalPath = /** @type {const} */ (`${path()}/${encodeURIComponent(goal.id)}`);
        try {
            take(await put(goalPath, changes));
            toast(words, { icon: "check", undo: async () => take(await put(goalPath, { text: goal.text, state: goal.state })) });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const write = (goal, longest) => {
        const text = field({ label: t`Goal`, name: "text", value: goal?.text ?? "", required: true,
            hint: t`Such as: tie my shoes by myself`, attributes: { maxlength: longest } });
        const opened = sheet(goal ? t`Say it otherwise` : t`Add a goal`, {
            body: [form({
                word: t`Save`, fields: [text],
                send: async () => {
                    const words = text.value.trim();
                    take(goal ? await put(/** @type {const} */ (`${path()}/${encodeURIComponent(goal.id)}`), { text: words })
                        : await post(path(), { text: words }));
                    opened.close();
                },
            })],
        });
    };
    const row = (goal, longest) => make("li", { class: "row goal-row" },
        goal.state === "reached" && icon("award"),
        make("span", { class: "words" }, make("bdi", { class: "name" }, goal.text),
            make("span", { class: "fine" }, goal.reachedDay ? t`Reached on ${longDay(goal.reachedDay)}`
                : t`Since ${longDay(goal.day)}`)),
        make("span", { class: "goal-acts" },
            goal.state === "open" && named(button(t`Reached`, { icon: "check",
                press: () => change(goal, { state: "reached" }, t`Reached. Well done!`) }), t`Reached: ${goal.text}`),
            iconButton(t`Say it otherwise: ${goal.text}`, "edit", () => write(goal, longest)),
            goal.state === "archived"
                ? iconButton(t`Take up again: ${goal.text}`, "undo", () => change(goal, { state: "open" }, t`The goal is open again.`))
                : iconButton(t`Archive: ${goal.text}`, "keep", () => change(goal, { state: "archived" }, t`The goal was archived.`))));
    const draw = ({ goals, longest }) => {
        const now = goals.filter(({ state }) => state !== "archived");
        top.say.textContent = now.length === 0 ? t`${person.name} has no goal yet` : t`What ${person.name} wants to do`;
        const archived = goals.filter(({ state }) => state === "archived");
        fill(list, now.length > 0 ? make("ul", { class: "rows" }, now.map((one) => row(one, longest)))
            : make("p", { class: "second" }, t`A goal is something from every day, such as: cut my own bread.`),
            make("div", { class: "row-of-buttons" }, button(t`Add a goal`, { icon: "plus", press: () => write(null, longest) })),
            archived.length > 0 && make("details", {}, make("summary", { class: "label" }, t`Archived`),
                make("ul", { class: "rows" }, archived.map((one) => row(one, longest)))));
    };
    const drawOverview = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        const was = person?.id;
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0] ?? null;
        if (!person) {
            top.say.textContent = t`Nothing here yet`;
            scores.node.hidden = true;
            return fill(list, make("p", { class: "second" }, t`Who plays is added under Settings, People.`));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose goals`, people, person.id, choose));
        }
        /** @type {HTMLAnchorElement} */ (top.node.querySelector("a.header-name")).href
            = `/drums/data?person=${encodeURIComponent(person.id)}`;
        if (was !== person.id) load();
    };
    const choose = (id) => {
        person = overview.person(id);
        overview.choose(id);
        history.replaceState(history.state, "", `/drums/goals?person=${encodeURIComponent(id)}`);
        load();
    };
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "drums" && detail.what === "settings" && detail.item === person?.id) load();
    }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost" && person) load();
    }, { signal });
    await showOverview(drawOverview, { signal, say: top.say, words: t`The goals cannot be shown right now`, place: list });
}

/** With a name for screen readers that says of what it is. */
function named(node, name) {
    node.setAttribute("aria-label", name);
    return node;
}
