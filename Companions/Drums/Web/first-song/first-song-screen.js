import { button, iconButton } from "../../elements/button.js";
import { icon, use } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { keyOf } from "../../elements/whole-screen.js";
import { wakeLock } from "../../elements/wake-lock.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { LINK, VERDICT } from "../engine-constants.js";
import { links } from "../links/links.js";
import { overview, songs } from "../overview.js";
import { PADS, padShape } from "../pads.js";
import { happened, padsRow } from "../play/pads-row.js";
import { playHit, playEnd, soundReady, unlockSound } from "../play/sound.js";
import { GuidedSong } from "./guided-song.js";

const BEATS = 8; // of the song, once each drum has been hit
const REST = 700; // milliseconds in which a hit is seen before the next drum is asked for

/**
 * The first beats of somebody who has never played: one hit on each drum, which waits for it, then the beginning of a song.
 * A hand shows where, so that a child needs no word; grown-ups are told besides.
 */
export async function openFirstSong({ screen, signal, title }) {
    title(t`The first song`);
    await Promise.all([overview, songs].map((one) => one.known()));
    if (signal.aborted) return;
    const person = overview.here();
    const song = person && songFor(person);
    if (!person || !song) return go("/drums", { replace: true });
    document.documentElement.dataset.session = "";
    signal.addEventListener("abort", () => { delete document.documentElement.dataset.session; });
    wakeLock(signal).hold();
    const drums = PADS.map((_, drum) => drum).filter((drum) => person.play.drums[drum]);
    /** @type {GuidedSong?} */
    let current = null;
    const view = firstSongView(person, drums, {
        skip: () => leave(person),
        hit: (drum, at, link = LINK.screen) => {
            const isAsked = current?.session.cueDrum === drum;
            if (!current?.strike(drum, at, link)) return;
            playHit(drum, isAsked);
            view.flash(drum, isAsked ? "right" : "other");
        },
    });
    screen.append(view.node);
    signal.addEventListener("abort", () => current?.leave());
    document.addEventListener("keydown", (event) => {
        const name = keyOf(event);
        const drum = PADS.findIndex(({ keys }) => keys.includes(name));
        if (name !== "Escape" && drum < 0) return;
        event.preventDefault();
        if (name === "Escape") leave(person);
        else if (!event.repeat) view.hit(drum, happened(event), LINK.keyboard);
    }, { signal });
    // A page that was hidden has paused it.
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden && current?.isPaused) current.resume();
    }, { signal });
    for (const type of ["pointerdown", "click", "keydown"]) document.addEventListener(type, unlockSound, { signal });
    const lead = async () => {
        await Promise.all([links.restore(), soundReady()]);
        const steps = [...drums.map((drum) => ({ asked: [drum], beats: 1 })), { asked: drums, beats: BEATS }];
        for (const [place, { asked, beats }] of steps.entries()) {
            if (signal.aborted) return;
            view.step(place);
            current = await GuidedSong.of({ person, song, drums: PADS.map((_, drum) => asked.includes(drum)), beats });
            if (signal.aborted) return;
            await played(current, view);
            view.ask(null);
            await new Promise((done) => { setTimeout(done, REST); });
        }
        if (signal.aborted) return;
        playEnd();
        view.end({
            play: () => leave(person),
            again: () => go(location.pathname + location.search, { replace: true }),
        });
    };
    // The screen stands already: nobody waits for the end.
    lead().catch((error) => {
        if (signal.aborted) return;
        fill(screen, make("div", { class: "content" }, problemNotice(error, { retry: () => leave(person) })));
    });
}

/** Plays to the end of what is asked for, and shows it meanwhile. @param {GuidedSong} song */
function played(song, view) {
    return new Promise((done, failed) => {
        song.addEventListener("frame", () => {
            const { asked, wrong } = song.view;
            view.ask(asked?.drum ?? null, wrong);
        });
        song.addEventListener("judged", ({ detail: { drum, verdict, link } }) => {
            const isHit = verdict === VERDICT.right || verdict === VERDICT.wrongFirst;
            if (!isHit || (link !== LINK.bluetooth && link !== LINK.wifi)) return; // others have answered already
            view.flash(drum, "right");
            playHit(drum, true);
        });
        song.addEventListener("struck", ({ detail: drum }) => {
            const isAsked = song.session.cueDrum === drum;
            playHit(drum, isAsked);
            view.flash(drum, isAsked ? "right" : "other");
        });
        song.addEventListener("ended", done);
        song.goOn().catch(failed);
    });
}

/** @param {{id: string}} person */
const leave = (person) => go(`/drums?person=${encodeURIComponent(person.id)}`, { replace: true });

/** The song that the plan or the last days say, else the first that there is with notes of its own. */
function songFor({ play }) {
    const playable = overview.songs.filter((song) => song.bytes && song.levels?.length > 0 && !song.hasAudio);
    return playable.find(({ id }) => play.suggested?.includes(id)) ?? playable[0];
}

/**
 * What is seen of it.
 * @param {Drums.OverviewPerson} person
 * @param {number[]} drums  that are played
 * @param {{skip: () => any, hit: (drum: number, at: number, link?: number) => void}} acts
 */
function firstSongView(person, drums, acts) {
    const say = make("h1", { class: "say", tabindex: "-1", role: "status" }, t`Hit the drum that the hand shows`);
    const marks = drums.map((drum) => make("li", { class: "first-mark" }, padShape(drum)));
    marks.push(make("li", { class: "first-mark" }, icon("music")));
    const way = make("ol", { class: "first-way", role: "img" }, marks);
    const pads = padsRow(drums.reduce((bits, drum) => bits | (1 << drum), 0), (drum, at) => acts.hit(drum, at));
    const hand = make("svg:svg", { class: "tap-hand", "aria-hidden": true }, use("tap"));
    const place = make("div", { class: "pads-place" }, pads.node);
    const node = make("div", { class: "play first-song", data: { wordless: person.role === "child" ? "" : undefined } },
        make("header", { class: "header" },
            make("div", { class: "header-bar" }, way, iconButton(t`Skip`, "close", acts.skip)), say),
        make("div", { class: "content" }, place));
    let shown = null;
    let step = 0;
    return {
        node, hit: acts.hit, flash: pads.flash,
        /** Which of the drums, or the song behind them, it is. */
        step: (index) => {
            step = index;
            marks.forEach((mark, i) => { mark.dataset.state = i < index ? "done" : i === index ? "now" : "ahead"; });
            way.setAttribute("aria-label", t`Step ${index + 1} of ${marks.length}`);
        },
        ask: (drum, isWrong = false) => {
            const looks = `${drum} ${isWrong}`;
            if (looks === shown) return;
            shown = looks;
            pads.show(drum);
            if (drum === null) return hand.remove();
            pads.node.children[drum].append(hand);
            hand.dataset.state = isWrong ? "wrong" : "calm";
            const { word } = PADS[drum];
            text(say, isWrong ? t`Another drum. ${word}` : step < drums.length ? t`Hit ${word}` : t`${word}. The music waits for you.`);
        },
        end: ({ play, again }) => {
            hand.remove();
            marks.forEach((mark) => { mark.dataset.state = "done"; });
            text(say, t`That is how it goes`);
            const big = (word, name, kind, press) => {
                const one = button(word, { kind, size: "l", press });
                fill(one, icon(name), make("span", { class: person.role === "child" ? "unseen" : null }, word));
                return one;
            };
            fill(place, make("div", { class: "first-end" }, make("div", { class: "first-award" }, icon("award")),
                big(t`Play a song`, "play", "primary", play), big(t`Once more`, "undo", undefined, again)));
            place.querySelector("button")?.focus({ preventScroll: true });
        },
    };
}
