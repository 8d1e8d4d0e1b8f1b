import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { askToStop } from "../../elements/stop-question.js";
import { toast } from "../../elements/toast.js";
import { keyOf, wholeScreen } from "../../elements/whole-screen.js";
import { messageOf } from "../../app/problem.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { overview, songs } from "../overview.js";
import { LINK, VERDICT } from "../engine-constants.js";
import { links } from "../links/links.js";
import { PADS } from "../pads.js";
import { playSong } from "./begin.js";
import { storedSong } from "./stored-session.js";
import { linkText } from "./link-state.js";
import { ownScore } from "./own-score.js";
import { happened } from "./pads-row.js";
import { goOn } from "./active-sessions.js";
import { isFullscreen, openPlaySettings, vibrates } from "./settings-sheet.js";
import { playEnd, playHit, playUnheard, soundReady, unlockSound } from "./sound.js";
import { sessionView } from "./session-view.js";

const SPOKEN = 1100; // milliseconds at least between two things that a screen reader is given to say
const EMPTY = 50; // milliseconds in which nothing stands there to be said, so that the same word is news
const LINKED = 500; // milliseconds between two looks at how the drums are joined
const RIGHT = [12];
const OTHER = [18, 50, 18];

/** The song, over the whole screen: the one that this page has begun, or that this device has kept. */
export async function openPlay({ screen, params, signal, title }) {
    title(t`Play`);
    overview.recall();
    songs.recall();
    const active = await goOn();
    if (signal.aborted) return;
    if (active === "elsewhere") return inAnotherWindow(screen, (await storedSong())?.song);
    if (!active) return begin(screen, params.song, signal);
    title(active.stored.song.title);
    await play(active, { screen, signal });
}

/** Nothing is played yet: an address that was stored, or a link of somebody. The sound wants a press. */
async function begin(screen, id, signal) {
    await Promise.all([overview, songs].map((one) => one.known()));
    if (signal.aborted) return;
    const song = overview.song(id);
    if (!song) return go("/drums", { replace: true });
    const trouble = make("div", { "aria-live": "assertive" });
    screen.append(make("div", { class: "header play-note" },
        make("h1", { class: "say", tabindex: "-1" }, song.title),
        make("p", { class: "lead" }, overview.here()?.play?.words ?? t`The drums wait for you.`),
        trouble,
        make("div", { class: "row-of-buttons" },
            button(t`Play`, {
                kind: "primary", size: "l", icon: "play",
                press: () => playSong(song).catch((error) => trouble.replaceChildren(problemNotice(error))),
            }),
            button(t`Songs`, { size: "l", press: () => go("/drums", { replace: true }) }))));
}

async function play(active, { screen, signal }) {
    const heard = make("p", { class: "unseen", "aria-live": "polite" });
    const speak = speaker(heard);
    /** @type {ReturnType<typeof sessionView>?} */
    let drawn = null;
    const acts = {
        toggle: () => (active.isPaused ? active.resume() : active.pause()),
        stop: () => ask(active),
        settings: () => openPlaySettings(active),
        hit: (drum, at) => hit(active, drum, at, LINK.screen, drawn),
        reconnect: async () => {
            await links.current?.connect();
            if (links.current?.says && !links.current.isOn) toast(links.current.says, { icon: "warning" });
        },
        withScreen: () => links.use(null),
    };
    const listen = (type, heed) => active.addEventListener(type, heed, { signal });
    const draw = () => {
        const news = drawn.show();
        if (news) speak(news);
    };
    let linked = 0;
    const link = () => {
        linked = performance.now();
        drawn.link(linkText(active));
    };
    listen("rehearsal", ({ detail }) => rehearseHit(screen, active, acts, detail));
    listen("frame", () => {
        if (!drawn) return;
        draw();
        if (performance.now() - linked > LINKED) link();
    });
    listen("judged", ({ detail }) => judged(active, detail, drawn));
    listen("other", ({ detail }) => {
        if (detail === null || !drawn) return;
        drawn.flash(detail, "other");
        if (vibrates()) navigator.vibrate?.(OTHER);
    });
    listen("struck", ({ detail }) => {
        const isAsked = active.session.cueDrum === detail;
        if (active.sounds.hits) playHit(detail, isAsked);
        drawn?.flash(detail, isAsked ? "right" : "hit");
    });
    listen("change", () => display.show());
    listen("ended", ({ detail: id }) => {
        if (active.isFinished && active.sounds.song) playEnd();
        go(id ? `/drums/done/${id}` : `/drums?person=${encodeURIComponent(active.stored.person.id)}`, { replace: true });
    });
    listen("taken", () => inAnotherWindow(screen, active.stored.song));
    listen("handed", () => elsewhere(screen, active.stored.song, t`It is being played on another device`, ownScore(active.stored.id, signal)));
    listen("trouble", ({ detail }) => toast(messageOf(detail), { icon: "warning" }));
    document.addEventListener("keydown", (event) => key(event, active, acts, drawn), { signal });
    // A browser lets nothing be heard before something is touched, some not before the finger is up again.
    for (const type of ["pointerdown", "pointerup", "click", "keydown"]) document.addEventListener(type, unlockSound, { signal });
    if (active.trouble) toast(messageOf(active.trouble), { icon: "warning" });
    // One that is left before its first note has not been.
    const display = wholeScreen(active, signal, { left: () => (active.hasBegun ? active.pause() : active.drop()) });
    await Promise.all([links.restore(), active.hasBegun || soundReady()]);
    if (signal.aborted) return;
    try {
        await active.goOn();
    } catch (error) {
        screen.replaceChildren(make("div", { class: "content" }, problemNotice(error, { retry: () => go("/drums") })));
        return;
    }
    if (signal.aborted || active.isOver) return;
    drawn = sessionView(active, acts);
    screen.append(drawn.node, heard);
    draw();
    link();
    display.show();
    const silence = await active.loadSound(signal);
    if (silence && !signal.aborted) toast(silence, { icon: "muted" });
}

/** A pad or a key was hit: it answers at once, whatever the engine makes of it. */
function hit(active, drum, at, link, drawn, sound = playHit) {
    const isAsked = active.session.cueDrum === drum;
    if (!active.strike(drum, at, link)) return;
    if (active.sounds.hits) sound(drum, isAsked);
    drawn?.flash(drum, isAsked ? "right" : "hit");
}

/**
 * The first hit takes a browser long, which makes all of its code and its sounds ready: a hit ahead of the song, on drums that
 * nobody sees, and heard by nobody.
 */
function rehearseHit(screen, active, acts, { drum, at }) {
    const shadow = sessionView(active, {
        ...acts, hit: (struck) => hit(active, struck, at, LINK.screen, shadow, playUnheard),
    });
    shadow.node.classList.add("unseen");
    shadow.node.inert = true;
    screen.append(shadow.node);
    shadow.show();
    shadow.node.addEventListener("keydown", (event) => {
        keyOf(event);
        event.stopPropagation();
    });
    shadow.node.dispatchEvent(new KeyboardEvent("keydown", { key: PADS[drum].keys[0] }));
    shadow.node.querySelectorAll(".pad")[drum].dispatchEvent(new MouseEvent("click"));
    shadow.show();
    shadow.node.remove();
}

/** A pad of the screen, or a key, has answered already, but for the nudge. */
function judged(active, { drum, verdict, link }, drawn) {
    const isHit = verdict === VERDICT.right || verdict === VERDICT.wrongFirst || verdict === VERDICT.offTime;
    if (!isHit) return;
    if (link === LINK.bluetooth || link === LINK.wifi) {
        drawn?.flash(drum, "right");
        if (active.sounds.hits) playHit(drum, true);
    } else if ((link === LINK.screen || link === LINK.keyboard) && vibrates()) navigator.vibrate?.(RIGHT);
}

/** The keys of the four drums; space pauses, escape stops. */
function key(event, active, acts, drawn) {
    const name = keyOf(event);
    const drum = PADS.findIndex(({ keys }) => keys.includes(name));
    const act = { " ": acts.toggle, Escape: acts.stop }[name];
    if (drum < 0 && !act) return;
    event.preventDefault();
    if (event.repeat) return;
    if (drum < 0) act();
    else hit(active, drum, happened(event), LINK.keyboard, drawn);
}

/** Asks whether to stop; nothing is asked where nothing was played. */
function ask(active) {
    return askToStop(active, {
        goOn: t`Go on playing`, mayGoOn: isFullscreen,
        lead: () => {
            const { beatsDone: count } = active;
            return t`${count} beats are played and will be kept.`;
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
        next = phase === "paused" ? t`Paused` : phase === "lost" ? link ?? t`The drums are away`
            : drum && wrong ? t`Another drum. ${drum}` : drum && isWaiting ? t`${drum}. The music waits for you.` : drum;
        if (next === null) return;
        timer ??= setTimeout(say, EMPTY);
    };
}

function inAnotherWindow(screen, song) {
    const trouble = make("div", { "aria-live": "assertive" });
    const take = button(t`Play here`, {
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
    elsewhere(screen, song, t`It is being played in another window`, trouble, take);
}

/**
 * One song that is played in two places would be played twice.
 * @param {Node} below
 * @param {Node} [take]
 */
function elsewhere(screen, song, says, below, take) {
    delete document.documentElement.dataset.session;
    screen.replaceChildren(make("div", { class: "header play-note" },
        make("h1", { class: "say", tabindex: "-1" }, says),
        make("p", { class: "lead" }, song ? t`${song.title} can be played there, or here.` : t`A song can be played there, or here.`),
        below,
        make("div", { class: "row-of-buttons" }, take,
            button(t`Songs`, { size: "l", press: () => go("/drums", { replace: true }) }))));
}
