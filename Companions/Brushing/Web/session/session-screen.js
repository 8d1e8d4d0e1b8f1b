import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { askToStop } from "../../elements/stop-question.js";
import { toast } from "../../elements/toast.js";
import { keyOf, wholeScreen } from "../../elements/whole-screen.js";
import { messageOf } from "../../app/problem.js";
import { storedSessions } from "../../sessions/stored-session.js";
import { go } from "../../app/shell.js";
import { durationText } from "../../text/durations.js";
import { musicForSession } from "../music/music-player.js";
import { brushLine } from "./brush-line.js";
import { give, unlockSound } from "./cues.js";
import { goOn } from "./active-session.js";
import { sessionView } from "./session-view.js";
import { zoneName } from "./zone-text.js";
import { t } from "../../language/text.js";

const HERE = "/brushing/session";

/** The session, over the whole screen: the one that this page has begun, or that this device has kept; or two of them. */
export async function openSession({ screen, signal, title }) {
    title(t`Brushing`);
    const group = await goOn();
    if (signal.aborted) return;
    if (!group) return go("/brushing", { replace: true });
    if (group === "elsewhere") return elsewhere(screen, (await storedSessions("brushing")).map(({ person }) => person));
    await play(group, { screen, signal });
}

async function play(group, { screen, signal }) {
    const heard = make("p", { class: "unseen", "aria-live": "polite" });
    const acts = {
        toggle: () => (group.isPaused ? group.resume() : group.pause()),
        skip: () => group.skip(),
        stop: () => ask(group),
        stopNow: () => group.stop(),
        stopOne: (one) => group.stopOne(one),
        sound: async () => {
            await group.setSound(!group.cues.sound);
            music?.setSound(group.cues.sound);
            drawn?.show();
        },
    };
    const brushes = brushLine(group.all.map(({ stored }) => stored.person), signal);
    let music = null;
    let drawn = null;
    const draw = async () => {
        const build = group.isChildMode ? (await import("./child-view.js")).childView : sessionView;
        const view = await build(group, acts);
        if (signal.aborted) return;
        drawn?.node.remove();
        drawn = view;
        screen.prepend(drawn.node);
        drawn.node.querySelector(".controls").before(brushes);
        if (!heard.isConnected) screen.append(heard);
        drawn.show();
    };
    const say = () => {
        const { view } = group.lead;
        const zone = zoneName(view);
        const left = durationText(Math.ceil(view.remainingMilliseconds / 1000));
        heard.textContent = view.isPaused ? t`Paused. ${zone}, ${left}` : `${zone}, ${left}`;
    };
    const listen = (type, heed) => group.addEventListener(type, heed, { signal });
    listen("tick", () => drawn?.show());
    listen("cue", ({ detail }) => {
        if (drawn) give(detail, group.cues, drawn.node);
        if (detail === "end") music?.fade();
        else if (group.cues.sound) music?.duck();
        if (detail !== "end") say();
    });
    listen("pause", () => {
        if (group.isPaused) music?.pause();
        else music?.play();
        drawn?.show();
        say();
        display.show();
    });
    listen("alone", async ({ detail: { stored } }) => {
        toast(t`${stored.person.name} has stopped.`);
        if (drawn) await draw();
    });
    listen("ended", ({ detail: [id] }) => {
        const done = group.isChildMode ? `/brushing/hooray/${id}` : `/brushing/done/${id}`;
        go(id ? done : `/brushing?person=${encodeURIComponent(group.all[0].stored.person.id)}`, { replace: true });
    });
    listen("taken", () => elsewhere(screen, group.all.map(({ stored }) => stored.person)));
    listen("trouble", ({ detail }) => toast(messageOf(detail), { icon: "warning" }));
    document.addEventListener("keydown", (event) => key(event, acts), { signal });
    // A browser lets nothing be heard before something is touched.
    document.addEventListener("pointerdown", () => {
        unlockSound();
        if (music?.isPlaying) music.play();
    }, { signal });
    signal.addEventListener("abort", () => music?.leave());
    document.addEventListener("keydown", unlockSound, { signal });
    if (group.trouble) toast(messageOf(group.trouble), { icon: "warning" });
    const display = wholeScreen(group, signal, { left: () => group.isPaused || group.pause() });
    await group.goOn();
    if (signal.aborted || group.isOver) return;
    await draw();
    music = await musicForSession(group.lead.stored.person.id);
    if (signal.aborted) return music?.leave();
    music?.setSound(group.cues.sound);
    if (!group.isPaused) music?.play();
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

function ask(group) {
    const { brushing } = group;
    const stops = brushing.map((one) => ({
        word: t`${one.stored.person.name} stops`, act: () => group.stopOne(one),
    }));
    return askToStop(group, {
        goOn: t`Go on brushing`,
        lead: () => (group.isWorthKeeping
            ? t`${durationText(group.lead.view.elapsedMilliseconds / 1000)} are done and will be kept.`
            : t`This was too short to be kept.`),
        stops: brushing.length > 1 ? [...stops, { word: t`Both stop`, act: () => group.stop() }] : undefined,
    });
}

/** Two pages that count the same brushing would count it twice. */
function elsewhere(screen, people) {
    delete document.documentElement.dataset.session;
    screen.replaceChildren(make("div", { class: "header fullscreen-note" },
        make("h1", { class: "say", tabindex: "-1" }, t`Brushing is open in another window`),
        make("p", { class: "lead" },
            people.length === 1 ? t`${people[0].name} can brush there or here, but not in both.`
                : t`You can brush there or here, but not in both.`),
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
