import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { askToStop } from "../../elements/stop-question.js";
import { toast } from "../../elements/toast.js";
import { keyOf, wholeScreen } from "../../elements/whole-screen.js";
import { wordsOf } from "../../house/problem.js";
import { go } from "../../house/shell.js";
import { durationWords } from "../../words/durations.js";
import { give, unlockSound } from "./cues.js";
import { keptRun } from "./kept-run.js";
import { goOn } from "./run.js";
import { stage } from "./stage.js";
import { zoneName } from "./zone-words.js";

const HERE = "/brushing/session";

/** The session, over the whole screen: the one that this page has begun, or that this device has kept. */
export async function openSession({ room, signal, title }) {
    title("Brushing");
    const run = await goOn();
    if (signal.aborted) return;
    if (!run) return go("/brushing", { replace: true });
    if (run === "elsewhere") return elsewhere(room, (await keptRun())?.person);
    await play(run, { room, signal });
}

async function play(run, { room, signal }) {
    const { isChildMode } = run.kept;
    const heard = make("p", { class: "unseen", "aria-live": "polite" });
    const acts = {
        toggle: () => (run.isPaused ? run.resume() : run.pause()),
        skip: () => run.skip(),
        stop: () => ask(run),
        stopNow: () => run.stop(),
        sound: async () => {
            await run.setSound(!run.kept.cues.sound);
            drawn?.show();
        },
    };
    let drawn = null;
    const draw = async () => {
        const build = isChildMode ? (await import("./child-stage.js")).childStage : stage;
        drawn = await build(run, acts);
        if (signal.aborted) return;
        room.append(drawn.node, heard);
        drawn.show();
    };
    const say = () => {
        const { kind, repetition, repetitions, remaining, isPaused } = run.view;
        heard.textContent = `${isPaused ? "Paused. " : ""}${zoneName({ kind, repetition, repetitions })}, `
            + `${durationWords(Math.ceil(remaining / 1000))}`;
    };
    const listen = (type, heed) => run.addEventListener(type, heed, { signal });
    listen("tick", () => drawn?.show());
    listen("cue", ({ detail }) => {
        if (drawn) give(detail, run.kept.cues, drawn.node);
        if (detail !== "end") say();
    });
    listen("pause", () => {
        drawn?.show();
        say();
        screen.show();
    });
    listen("ended", ({ detail: id }) => {
        const done = isChildMode ? `/brushing/hooray/${id}` : `/brushing/done/${id}`;
        go(id ? done : `/brushing?person=${encodeURIComponent(run.kept.person.id)}`, { replace: true });
    });
    listen("taken", () => elsewhere(room, run.kept.person));
    listen("trouble", ({ detail }) => toast(wordsOf(detail), { icon: "warning" }));
    document.addEventListener("keydown", (event) => key(event, acts), { signal });
    // A browser lets nothing be heard before something is touched.
    document.addEventListener("pointerdown", unlockSound, { signal });
    document.addEventListener("keydown", unlockSound, { signal });
    if (run.trouble) toast(wordsOf(run.trouble), { icon: "warning" });
    const screen = wholeScreen(run, signal, { left: () => run.isPaused || run.pause() });
    await run.goOn();
    if (signal.aborted || run.isOver) return;
    await draw();
    screen.show();
    if (!signal.aborted) say();
}

/** Keys for who has some: space pauses, the right arrow skips, escape stops. */
function key(event, acts) {
    const act = { " ": acts.toggle, ArrowRight: acts.skip, Escape: acts.stop }[keyOf(event)];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
}

function ask(run) {
    return askToStop(run, {
        goOn: "Go on brushing",
        lead: () => `${durationWords(run.says.elapsedMilliseconds() / 1000)} are done, and are kept.`,
    });
}

/** Two pages that count the same brushing would count it twice. */
function elsewhere(room, person) {
    delete document.documentElement.dataset.session;
    room.replaceChildren(make("div", { class: "wall stage-note" },
        make("h1", { class: "say", tabindex: "-1" }, "It runs in another window"),
        make("p", { class: "lead" },
            person ? `${person.name} is brushing: there, or here.` : "A brushing runs once: there, or here."),
        make("div", { class: "row-of-buttons" },
            button("Brush here", {
                kind: "primary", size: "l",
                press: async () => {
                    unlockSound();
                    try {
                        await goOn({ take: true });
                        go(HERE, { replace: true });
                    } catch (error) {
                        room.append(problemNotice(error));
                    }
                },
            }),
            button("Close", { size: "l", press: () => go("/brushing", { replace: true }) }))));
}
