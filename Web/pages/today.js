import { icon, wordmark } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { sayingSkeleton } from "../elements/skeleton.js";
import "../elements/who-button.js";
import { now } from "../app/clock.js";
import { signIn } from "../app/sign-in.js";
import { clockTime, longDate } from "../text/dates.js";
import { dayRuler } from "./day-ruler.js";
import { todayCards } from "./today-cards.js";
import { t } from "../language/text.js";

/** Today: each companion's card, and the day on its ruler, on which what is ahead stands hollow. */
export async function openToday({ screen, signal, title, companions }) {
    const date = make("p", { class: "fine" }, longDate(now()));
    const say = make("h1", { class: "say", tabindex: "-1" }, sayingSkeleton(t`Today`));
    const day = make("div", { class: "day" });
    const soFar = make("section", { class: "sofar", "aria-labelledby": "sofar", hidden: true });
    const cards = todayCards(companions, signal);
    fill(screen,
        make("header", { class: "header" },
            make("div", { class: "header-bar" },
                make("span", { class: "header-name" }, wordmark("home-word")),
                companions.length > 3 && settingsLink(), make("tandem-who")),
            date, say, day, soFar),
        cards.node);
    title(t`Today`);

    const draw = async (fresh) => {
        const known = await cards.load(fresh);
        if (!known) return;
        say.textContent = known.headline ?? t`Hello, ${signIn.profile.name}`;
        date.textContent = longDate(now());
        fill(day, dayRuler(known.events, now()));
        showSoFar(soFar, known.events);
    };
    const timer = setInterval(() => draw(true), 60_000);
    signal.addEventListener("abort", () => clearInterval(timer));
    cards.watch(() => draw(false));
    await draw(true);
}

function showSoFar(node, events) {
    const done = events.filter(({ isAhead }) => !isAhead);
    fill(node, make("h2", { id: "sofar", class: "small strong" }, t`So far today`),
        make("ol", {}, done.sort((a, b) => b.at - a.at).slice(0, 6).map((event) => make("li", {},
            icon(event.icon, "s"), make("time", {}, clockTime(event.at)), make("span", {}, event.words)))));
    node.hidden = done.length === 0;
}

/** Where the bar of places is full, a phone finds the settings here. */
function settingsLink() {
    return make("a", { class: "icon-button on-phone", href: "/settings", "aria-label": t`Settings` }, icon("settings"));
}
