import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { askToStop } from "../../elements/stop-question.js";
import { toast } from "../../elements/toast.js";
import { keyOf, wholeScreen } from "../../elements/whole-screen.js";
import { messageOf } from "../../app/problem.js";
import { go } from "../../app/shell.js";
import { durationText } from "../../text/durations.js";
import { give, unlockSound } from "./cues.js";
import { storedBrushing } from "./stored-session.js";
import { goOn } from "./active-session.js";
import { sessionView } from "./session-view.js";
import { zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

const HERE = "/brushing/session";

/** The session, over the whole screen: the one that this page has begun, or that this device has kept. */
export async function openSession({ screen, signal, title }) {
    title(t`Brushing`);
    const active = await goOn();
    if (signal.aborted) return;
    if (!active) return go("/brushing", { replace: true });
    if (active === "elsewhere") return elsewhere(screen, (await storedBrushing())?.person);
    await play(active, { screen, signal });
}

async function play(active, { screen, signal }) {
    const { isChildMode } = active.stored;
    const heard = make("p", { class: "unseen", "aria-live": "polite" });
    const acts = {
        toggle: () => (active.isPaused ? active.resume() : active.pause()),
        skip: () => active.skip(),
        stop: () => ask(active),
        stopNow: () => active.stop(),
        sound: async () => {
            await active.setSound(!active.stored.cues.sound);
            drawn?.show();
        },
    };
    let drawn = null;
    const draw = async () => {
        const build = isChildMode ? (await import("./child-view.js")).childView : sessionView;
        drawn = await build(active, acts);
        if (signal.aborted) return;
        screen.append(drawn.node, heard);
        drawn.show();
    };
    const say = () => {
        const { remaining, isPaused } = active.view;
        const zone = zoneName(active.view);
        const left = durationText(Math.ceil(remaining / 1000));
        heard.textContent = isPaused ? t`Paused. ${zone}, ${left}` : `${zone}, ${left}`;
    };
    const listen = (type, heed) => active.addEventListener(type, heed, { signal });
    listen("tick", () => drawn?.show());
    listen("cue", ({ detail }) => {
        if (drawn) give(detail, active.stored.cues, drawn.node);
        if (detail !== "end") say();
    });
    listen("pause", () => {
        drawn?.show();
        say();
        display.show();
    });
    listen("ended", ({ detail: id }) => {
        const done = isChildMode ? `/brushing/hooray/${id}` : `/brushing/done/${id}`;
        go(id ? done : `/brushing?person=${encodeURIComponent(active.stored.person.id)}`, { replace: true });
    });
    listen("taken", () => elsewhere(screen, active.stored.person));
    listen("trouble", ({ detail }) => toast(messageOf(detail), { icon: "warning" }));
    document.addEventListener("keydown", (event) => key(event, acts), { signal });
    // A browser lets nothing be heard before something is touched.
    document.addEventListener("pointerdown", unlockSound, { signal });
    document.addEventListener("keydown", unlockSound, { signal });
    if (active.trouble) toast(messageOf(active.trouble), { icon: "warning" });
    const display = wholeScreen(active, signal, { left: () => active.isPaused || active.pause() });
    await active.goOn();
    if (signal.aborted || active.isOver) return;
    await draw();
    display.show();
    if (!signal.aborted) say();
}

/** Keys for who has some: space pauses, the right arrow skips, escape stops. */
function key(event, acts) {
    const act = { " ": acts.toggle, ArrowRight: acts.skip, Escape: acts.stop }[keyOf(event)];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
}

function ask(active) {
    return askToStop(active, {
        goOn: t`Go on brushing`,
        lead: () => t`${durationText(active.says.elapsedMilliseconds() / 1000)} are done and will be kept.`,
    });
}

/** Two pages that count the same brushing would count it twice. */
function elsewhere(screen, person) {
    delete document.documentElement.dataset.session;
    screen.replaceChildren(make("div", { class: "header fullscreen-note" },
        make("h1", { class: "say", tabindex: "-1" }, t`Brushing is open in another window`),
        make("p", { class: "lead" },
            person ? t`${person.name} can brush there or here, but not in both.` : t`You can brush there or here, but not in both.`),
        make("div", { class: "row-of-buttons" },
            button(t`Brush here`, {
                kind: "primary", size: "l",
                press: async () => {
                    unlockSound();
                    try {
                        await goOn({ take: true });
                        go(HERE, { replace: true });
                    } catch (error) {
                        screen.append(problemNotice(error));
                    }
                },
            }),
            button(t`Close`, { size: "l", press: () => go("/brushing", { replace: true }) }))));
}
