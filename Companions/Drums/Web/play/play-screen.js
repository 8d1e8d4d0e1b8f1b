import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { askToStop } from "../../elements/stop-question.js";
import { toast } from "../../elements/toast.js";
import { keyOf, wholeScreen } from "../../elements/whole-screen.js";
import { wordsOf } from "../../house/problem.js";
import { go } from "../../house/shell.js";
import { desk } from "../desk.js";
import { LINK } from "../links/link.js";
import { links } from "../links/links.js";
import { PADS } from "../pads.js";
import { playSong } from "./begin.js";
import { VERDICT } from "./engine-says.js";
import { keptRun } from "./kept-run.js";
import { linkWords } from "./link-state.js";
import { ownScore } from "./own-score.js";
import { happened } from "./pads-row.js";
import { goOn } from "./runs.js";
import { isOnStage, openPlaySettings, vibrates } from "./settings-sheet.js";
import { playEnd, playHit, soundReady, unlockSound } from "./sound.js";
import { stage } from "./stage.js";

const SPOKEN = 1100; // milliseconds at least between two things that a screen reader is given to say
const EMPTY = 50; // milliseconds in which nothing stands there to be said, so that the same word is news
const LINKED = 500; // milliseconds between two looks at how the drums are joined
const RIGHT = [12];
const OTHER = [18, 50, 18];

/** The song, over the whole screen: the one that this page has begun, or that this device has kept. */
export async function openPlay({ room, params, signal, title }) {
    title("Play");
    desk.recall();
    const run = await goOn();
    if (signal.aborted) return;
    if (run === "elsewhere") return inAnotherWindow(room, (await keptRun())?.song);
    if (!run) return begin(room, params.song, signal);
    title(run.kept.song.title);
    await play(run, { room, signal });
}

/** Nothing is played yet: an address that was kept, or a link of somebody. The sound wants a press. */
async function begin(room, id, signal) {
    if (!desk.told) await desk.load();
    if (signal.aborted) return;
    const song = desk.song(id);
    if (!song) return go("/drums", { replace: true });
    const trouble = make("div", { "aria-live": "assertive" });
    room.append(make("div", { class: "wall play-note" },
        make("h1", { class: "say", tabindex: "-1" }, song.title),
        make("p", { class: "lead" }, desk.here()?.play?.words ?? "The drums wait for you."),
        trouble,
        make("div", { class: "row-of-buttons" },
            button("Play", {
                kind: "primary", size: "l", icon: "play",
                press: () => playSong(song).catch((error) => trouble.replaceChildren(problemNotice(error))),
            }),
            button("Songs", { size: "l", press: () => go("/drums", { replace: true }) }))));
}

async function play(run, { room, signal }) {
    const heard = make("p", { class: "unseen", "aria-live": "polite" });
    const speak = speaker(heard);
    let drawn = null;
    const acts = {
        toggle: () => (run.isPaused ? run.resume() : run.pause()),
        stop: () => ask(run),
        settings: () => openPlaySettings(run),
        hit: (drum, at) => hit(run, drum, at, LINK.screen, drawn),
        reconnect: async () => {
            await links.current?.connect();
            if (links.current?.says && !links.current.isOn) toast(links.current.says, { icon: "warning" });
        },
        withScreen: () => links.use(null),
    };
    const listen = (type, heed) => run.addEventListener(type, heed, { signal });
    let linked = 0;
    const link = () => {
        linked = performance.now();
        drawn.link(linkWords(run));
    };
    listen("frame", () => {
        if (!drawn) return;
        speak(drawn.show());
        if (performance.now() - linked > LINKED) link();
    });
    listen("judged", ({ detail }) => judged(run, detail, drawn));
    listen("other", ({ detail }) => {
        if (detail === null || !drawn) return;
        drawn.flash(detail, "other");
        if (vibrates()) navigator.vibrate?.(OTHER);
    });
    listen("struck", ({ detail }) => {
        const isAsked = run.says.cueDrum() === detail;
        if (run.sounds.hits) playHit(detail, isAsked);
        drawn?.flash(detail, isAsked ? "right" : "hit");
    });
    listen("change", () => screen.show());
    listen("ended", ({ detail: id }) => {
        if (run.isFinished && run.sounds.song) playEnd();
        go(id ? `/drums/done/${id}` : `/drums?person=${encodeURIComponent(run.kept.person.id)}`, { replace: true });
    });
    listen("taken", () => inAnotherWindow(room, run.kept.song));
    listen("handed", () => elsewhere(room, run.kept.song, "on another device", ownScore(run.kept.id, signal)));
    listen("trouble", ({ detail }) => toast(wordsOf(detail), { icon: "warning" }));
    document.addEventListener("keydown", (event) => key(event, run, acts, drawn), { signal });
    // A browser lets nothing be heard before something is touched, some not before the finger is up again.
    for (const type of ["pointerdown", "pointerup", "click", "keydown"]) document.addEventListener(type, unlockSound, { signal });
    if (run.trouble) toast(wordsOf(run.trouble), { icon: "warning" });
    // One that is left before its first note has not been.
    const screen = wholeScreen(run, signal, { left: () => (run.hasBegun ? run.pause() : run.drop()) });
    await Promise.all([links.restore(), run.hasBegun || soundReady()]);
    if (signal.aborted) return;
    try {
        await run.goOn();
    } catch (error) {
        room.replaceChildren(make("div", { class: "floor" }, problemNotice(error, { retry: () => go("/drums") })));
        return;
    }
    if (signal.aborted || run.isOver) return;
    drawn = stage(run, acts);
    room.append(drawn.node, heard);
    drawn.show();
    link();
    screen.show();
    const silence = await run.loadSound(signal);
    if (silence && !signal.aborted) toast(silence, { icon: "muted" });
}

/** A pad or a key was hit: it answers at once, whatever the engine makes of it. */
function hit(run, drum, at, link, drawn) {
    const isAsked = run.says.cueDrum() === drum;
    if (!run.strike(drum, at, link)) return;
    if (run.sounds.hits) playHit(drum, isAsked);
    if (isAsked && vibrates()) navigator.vibrate?.(RIGHT);
    drawn?.flash(drum, isAsked ? "right" : "hit");
}

function judged(run, { drum, verdict, link }, drawn) {
    const isHit = verdict === VERDICT.right || verdict === VERDICT.wrongFirst || verdict === VERDICT.offTime;
    const isKit = link === LINK.bluetooth || link === LINK.wifi;
    if (!isHit || !isKit) return; // a pad of the screen, or a key, has answered already
    drawn?.flash(drum, "right");
    if (run.sounds.hits) playHit(drum, true);
}

/** The keys of the four drums; space pauses, escape stops. */
function key(event, run, acts, drawn) {
    const name = keyOf(event);
    const drum = PADS.findIndex(({ keys }) => keys.includes(name));
    const act = { " ": acts.toggle, Escape: acts.stop }[name];
    if (drum < 0 && !act) return;
    event.preventDefault();
    if (event.repeat) return;
    if (drum < 0) act();
    else hit(run, drum, happened(event), LINK.keyboard, drawn);
}

/** Asks whether to stop; nothing is asked where nothing was played. */
function ask(run) {
    return askToStop(run, {
        goOn: "Go on playing", mayGoOn: isOnStage,
        lead: () => {
            const { beatsDone: count } = run;
            return `${count} ${count === 1 ? "beat is" : "beats are"} played, and ${count === 1 ? "is" : "are"} kept.`;
        },
    });
}

/** Says each drum that is asked for, and what has changed, but no more than can be listened to. */
function speaker(node) {
    let said = null;
    let timer = null;
    let next = null;
    let step = null;
    const say = () => {
        timer = null;
        if (next === null || next === said) return;
        said = next;
        next = null;
        node.textContent = said;
        timer = setTimeout(say, SPOKEN);
    };
    return ({ phase, asked, isWaiting, wrong, link }) => {
        const drum = asked && PADS[asked.drum].word;
        if (asked && asked.step !== step) {
            // The same drum once more is news.
            step = asked.step;
            said = null;
            node.textContent = "";
        }
        next = phase === "paused" ? "Paused" : phase === "lost" ? link ?? "The drums are away"
            : drum && wrong ? `Another drum. ${drum}` : drum && isWaiting ? `${drum}. The music waits for you.` : drum;
        if (next === null) return;
        timer ??= setTimeout(say, EMPTY);
    };
}

function inAnotherWindow(room, song) {
    const trouble = make("div", { "aria-live": "assertive" });
    const take = button("Play here", {
        kind: "primary", size: "l",
        press: async () => {
            unlockSound();
            try {
                await goOn({ take: true });
                go(location.pathname, { replace: true });
            } catch (error) {
                trouble.replaceChildren(problemNotice(error));
            }
        },
    });
    elsewhere(room, song, "in another window", trouble, take);
}

/**
 * One song that is played in two places would be played twice.
 * @param {Node} below
 * @param {Node} [take]
 */
function elsewhere(room, song, where, below, take) {
    delete document.documentElement.dataset.session;
    room.replaceChildren(make("div", { class: "wall play-note" },
        make("h1", { class: "say", tabindex: "-1" }, `It is played ${where}`),
        make("p", { class: "lead" }, song ? `${song.title}: there, or here.` : "A song is played once: there, or here."),
        below,
        make("div", { class: "row-of-buttons" }, take,
            button("Songs", { size: "l", press: () => go("/drums", { replace: true }) }))));
}
