import { iconButton } from "../elements/button.js";
import { fadeEnds } from "../elements/fade-ends.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { stylesheet } from "../elements/stylesheet.js";
import { wakeLock } from "../elements/wake-lock.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { go } from "../app/shell.js";
import { signIn } from "../app/sign-in.js";
import { reminders } from "../reminders/reminders.js";
import { clockTime, longDate, shortDayAndTime } from "../text/dates.js";
import { todayCards } from "./today-cards.js";
import { t } from "../language/text.js";

const FEW = 5; // of what happened today

/**
 * A tablet on the wall: the time, what matters most, and how everything is, to be read from across the room. The screen
 * stays lit; in the quiet hours of who is signed in it is dark and shows the time.
 */
export async function openWall({ screen, signal, title, companions }) {
    title(t`On the wall`);
    await stylesheet("styles/wall.css");
    if (signal.aborted) return;
    const time = make("p", { class: "wall-time", "aria-live": "off" });
    const date = make("p", { class: "wall-date" });
    const say = make("h1", { class: "wall-say", tabindex: "-1" });
    const state = make("p", { class: "wall-state", role: "status" });
    const happened = make("ol", { class: "wall-events" });
    const cards = todayCards(companions, signal);
    const top = make("header", { class: "wall-now" }, iconButton(t`Close`, "close", () => go("/")), time, date, say, state, happened);
    const node = make("div", { class: "wall" }, top, cards.node);
    screen.append(node);
    for (const one of [top, cards.node]) fadeEnds(one);
    wakeLock(signal).hold();

    const tick = () => {
        time.textContent = clockTime(now());
        date.textContent = longDate(now());
    };
    const connection = () => {
        node.dataset.state = live.state;
        fill(state, live.state === "open" ? null : [icon("offline", "s"),
            t`No hub since ${shortDayAndTime(live.since)}. Values are as they were then.`]);
    };
    const night = () => node.toggleAttribute("data-night", reminders.rulesOf(signIn.profile.id)?.isNow === true);
    const draw = async (fresh) => {
        const known = await cards.load(fresh);
        if (!known) return;
        say.textContent = known.headline ?? t`Hello, ${signIn.profile.name}`;
        fill(happened, known.events.filter(({ isAhead }) => !isAhead).toSorted((a, b) => b.at - a.at).slice(0, FEW)
            .map((event) => make("li", {}, icon(event.icon, "s"), make("time", {}, clockTime(event.at)),
                make("span", {}, event.words))));
    };
    const minute = () => {
        tick();
        draw(true);
        reminders.soon();
    };
    const timers = [setInterval(tick, 1000), setInterval(minute, 60_000)];
    signal.addEventListener("abort", () => timers.forEach(clearInterval));
    reminders.addEventListener("change", night, { signal });
    live.addEventListener("state", connection, { signal });
    cards.watch(() => draw(false));
    tick();
    connection();
    night();
    reminders.load(signal).catch(() => {}); // at the next minute again
    await draw(true);
}
