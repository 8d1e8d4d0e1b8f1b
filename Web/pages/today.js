import { age } from "../elements/age.js";
import { icon, wordmark } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { sayingSkeleton } from "../elements/skeleton.js";
import "../elements/who-button.js";
import { isAborted } from "../app/api.js";
import { now } from "../app/clock.js";
import { signIn } from "../app/sign-in.js";
import { clockTime, localDay, longDate } from "../text/dates.js";
import { dayRuler } from "./day-ruler.js";
import { t } from "../language/text.js";

/**
 * Today: each companion as a painted card that says how it is, and the day on its ruler. A companion gives a
 * `today({signal, fresh})` that answers `{headline, weight, says, at, figure, events: [{at, icon, words, isAhead?}]}`; what is
 * ahead stands hollow on the ruler only.
 */
export async function openToday({ screen, signal, title, companions }) {
    const date = make("p", { class: "fine" }, longDate(now()));
    const say = make("h1", { class: "say", tabindex: "-1" }, sayingSkeleton(t`Today`));
    const day = make("div", { class: "day" });
    const soFar = make("section", { class: "sofar", "aria-labelledby": "sofar", hidden: true });
    const shown = companions.filter((companion) => companion.today);
    const cards = shown.map((companion) => ({ companion, ...card(companion) }));
    fill(screen,
        make("header", { class: "header" },
            make("div", { class: "header-bar" },
                make("span", { class: "header-name" }, wordmark("home-word")),
                companions.length > 3 && settingsLink(), make("tandem-who")),
            date, say, day, soFar),
        make("ul", { class: "cards", "aria-label": t`Companions`, data: { count: shown.length } },
            cards.map(({ node }) => node)));
    title(t`Today`);

    const draw = async (fresh) => {
        const data = await Promise.all(cards.map(async ({ companion, show, trouble }) => {
            try {
                const today = await companion.today({ signal, fresh });
                show(today);
                return { ...today, slug: companion.slug };
            } catch (error) {
                if (!isAborted(error)) trouble(error);
                return null;
            }
        }));
        if (signal.aborted) return;
        const known = data.filter(Boolean);
        // Which of them matters most the hub says, by a weight; of equal ones the first in the navigation.
        const [first] = known.filter((one) => one.headline).toSorted((a, b) => (b.weight ?? 1) - (a.weight ?? 1));
        say.textContent = first?.headline ?? t`Hello, ${signIn.profile.name}`;
        const today = localDay(now());
        const events = known.flatMap((one) => one.events ?? []).filter((event) => localDay(event.at) === today);
        const done = events.filter(({ isAhead }) => !isAhead);
        date.textContent = longDate(now());
        fill(day, dayRuler(events, now()));
        fill(soFar, make("h2", { id: "sofar", class: "small strong" }, t`So far today`),
            make("ol", {}, done.sort((a, b) => b.at - a.at).slice(0, 6).map((event) => make("li", {},
                icon(event.icon, "s"), make("time", {}, clockTime(event.at)), make("span", {}, event.words)))));
        soFar.hidden = done.length === 0;
    };
    const timer = setInterval(() => draw(true), 60_000);
    signal.addEventListener("abort", () => clearInterval(timer));
    for (const { companion } of cards) companion.watch?.(() => draw(false), signal);
    await draw(true);
}

/** Where the bar of places is full, a phone finds the settings here. */
function settingsLink() {
    return make("a", { class: "icon-button on-phone", href: "/settings", "aria-label": t`Settings` }, icon("settings"));
}

function card(companion) {
    const says = make("span", { class: "card-says" }, sayingSkeleton(companion.title));
    const aged = make("span", { class: "fine" });
    const figure = make("span", { class: "card-figure" });
    const link = make("a", { class: "card", data: { companion: companion.slug }, href: companion.path },
        make("span", { class: "card-name" }, icon(companion.icon), companion.title, " ", aged), says, figure);
    const node = make("li", {}, link);
    const show = (today) => {
        if (node.firstElementChild !== link) node.replaceChildren(link);
        fill(says, today.says);
        fill(aged, today.at && age(today.at, { plain: true }));
        fill(figure, today.figure);
    };
    const trouble = (error) => {
        const said = problemNotice(error, {
            title: t`${companion.title} cannot be shown now`, retry: () => location.reload(),
        });
        node.replaceChildren(make("div", { class: "card-trouble", data: { companion: companion.slug } }, said));
    };
    return { node, show, trouble };
}
