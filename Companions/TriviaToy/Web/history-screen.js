import { get, isAborted } from "../app/api.js";
import { here } from "../app/cached-resource.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { signIn } from "../app/sign-in.js";
import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice, problemNotice } from "../elements/notice.js";
import { rowsSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { whoRow } from "../elements/who-row.js";
import { localDay, longDate } from "../text/dates.js";
import { t } from "../language/text.js";
import { CATEGORIES } from "./categories.js";
import { cached, store } from "../offline/cache.js";
import { nothingToSee, playRow } from "./fact-row.js";
import { overview, pathOf } from "./overview.js";
import { tabs } from "./tabs.js";
import { onVote } from "./votes.js";

const TOYS = 2; // of which the header says how they are
const TYPED = 300; // milliseconds after the last letter until it is searched for

/**
 * What stands for all of whom one may see what they heard.
 * @type {Partial<TriviaToy.OverviewResponse.Person> & {id: string, name: string, icon: string}}
 */
const EVERYBODY = { id: "", name: t`Everybody`, icon: "people" };

/** What somebody has heard, or everybody, the newest first, with search and by subject. */
export async function openHistory({ screen, signal, title }) {
    title(t`Toy`);
    const state = make("div", { class: "toy-state" });
    const top = header({
        name: t`Toy`, icon: "toy", lead: " ",
        below: [
            state,
            make("div", { class: "row-of-buttons toy-hear" },
                make("a", { class: "button", data: { kind: "primary" }, href: "/toy/play" }, icon("sound", "s"), t`Hear a fact`)),
            tabs("/toy"),
        ],
    });
    fill(top.say, sayingSkeleton(t`facts`));
    const who = make("div", { class: "settings-who" });
    const search = make("input", {
        class: "input", type: "search", name: "search", placeholder: t`Search what was heard`,
        "aria-label": t`Search what was heard`, enterkeyhint: "search",
    });
    const subject = make("select", {
        class: "input", "aria-label": t`What it is about`, on: { change: () => { if (person) load(); } },
    }, make("option", { value: "" }, t`All subjects`),
        [...CATEGORIES].map(([name, [word]]) => make("option", { value: name }, word)));
    const left = make("p", { class: "strong", hidden: true });
    const links = make("div", { class: "row-of-buttons" });
    const list = make("div", { class: "toy-list", "aria-live": "polite" }, rowsSkeleton(5));
    const content = make("div", { class: "content" },
        make("div", { class: "toy-finder" }, who, make("span", { class: "with-icon" }, icon("search"), search),
            make("span", { class: "with-arrow" }, subject, icon("down", "s")), left), list, links);
    screen.append(top.node, content);

    let person = null;
    let asked = 0;
    const history = (before) => {
        const words = encodeURIComponent(search.value.trim());
        const more = new URLSearchParams({ ...(subject.value && { category: subject.value }),
            ...(before && { before: String(before) }) }).toString();
        return person === EVERYBODY ? get(`/api/toy/history?search=${words}&${more}`, { signal })
            : get(`${pathOf(person, "history")}?search=${words}&${more}`, { signal });
    };
    const load = async () => {
        const mine = asked += 1;
        // What the last visit saw stands there until the hub has answered, and while it is away.
        const name = search.value.trim() || subject.value ? null : `toy.history.${person.id}`;
        const last = name && cached(name);
        const known = last?.of === here() ? last.data : null;
        if (known) show(known);
        try {
            const answer = await history(null);
            if (mine !== asked || signal.aborted) return;
            if (name) store(name, { of: here(), data: answer });
            if (JSON.stringify(answer) !== JSON.stringify(known)) show(answer);
        } catch (error) {
            if (mine !== asked || signal.aborted || isAborted(error) || known) return;
            fill(list, calmNotice(error, { retry: load }));
        }
    };
    /** @param {{plays: any[], next?: number}} answer */
    const show = ({ plays, next }) => {
        if (plays.length === 0) {
            fill(list, make("p", { class: "second" }, search.value.trim() || subject.value
                ? t`Nothing that was heard is like that.`
                : person === EVERYBODY ? t`Nobody has heard anything yet. Press “Hear a fact”, or throw the toy.` : t`${person.name} has heard nothing yet. Press “Hear a fact”, or throw the toy.`));
            return;
        }
        const days = new Map();
        fill(list);
        add(plays, next, days);
    };
    const add = (plays, next, days) => {
        for (const play of plays) {
            const day = localDay(play.at);
            if (!days.has(day)) {
                const rows = make("ul", { class: "rows" });
                days.set(day, rows);
                const ago = localDay(now()) - day;
                list.append(section(ago === 0 ? t`Today` : ago === 1 ? t`Yesterday` : longDate(play.at), rows));
            }
            days.get(day).append(playRow(play, person === EVERYBODY ? overview.person(play.person)?.name : undefined));
        }
        if (!next) return;
        const more = button(t`Show more`, {
            icon: "down",
            press: async () => {
                try {
                    const answer = await history(next);
                    more.remove();
                    add(answer.plays, answer.next, days);
                } catch (error) {
                    if (!isAborted(error)) more.after(problemNotice(error));
                }
            },
        });
        list.append(more);
    };
    let shown = null;
    const draw = () => {
        top.say.textContent = overview.data.headline.text;
        top.lead.textContent = overview.data.headline.lead;
        fill(state, overview.data.toys.slice(0, TOYS).map(({ name, battery, lastSeen }) => make("span", { class: "toy-now" },
            make("span", { class: "strong" }, name),
            battery && make("span", { class: "tag", data: { state: battery.isLow ? "now" : undefined } },
                icon("battery"), t`${battery.percent}%`),
            lastSeen && age(lastSeen))));
        const people = overview.readable;
        if (person !== EVERYBODY || people.length < 2) {
            person = people.find(({ id }) => id === (person ?? overview.reader())?.id) ?? people[0];
        }
        if (!person) return fill(list, nothingToSee());
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose history`, [...people, EVERYBODY], person.id, (id) => {
                if (id) overview.choose(id);
                person = people.find((one) => one.id === id) ?? EVERYBODY;
                draw();
            }));
        }
        left.hidden = person.leftToday === undefined;
        left.textContent = left.hidden ? "" : t`${person.leftToday} facts left for ${person.name} today`;
        fill(links,
            person !== EVERYBODY && make("a", { class: "button", href: `/toy/week?person=${person.id}` }, icon("calendar", "s"), t`The week`),
            person.mayDecide && signIn.isAdult && make("a", { class: "button", href: `/toy/rules?person=${person.id}` },
                icon("moon", "s"), t`House rules`),
            make("a", { class: "button", href: "/toy/messages" }, icon("voice", "s"), t`Messages`));
        const key = `${person.id} ${overview.data.lastHeardAt} ${person.heardToday}`;
        if (key === shown) return;
        shown = key;
        load();
    };
    let timer = null;
    search.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => { if (person && !signal.aborted) load(); }, TYPED);
    });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost" && person) load();
    }, { signal });
    onVote(signal, () => { if (person) load(); });
    await overview.follow(signal, {
        draw,
        missing: (error, retry) => {
            top.say.textContent = t`What was heard cannot be shown right now`;
            fill(list, problemNotice(error, { retry }));
        },
    });
}
