import { button } from "../../elements/button.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { rowsSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { whoRow } from "../../elements/who-row.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { firstOffer } from "../first-song/offer.js";
import { overview, songs } from "../overview.js";
import { weekPlan } from "../dose.js";
import { playSong } from "../play/begin.js";
import { linkLine } from "./link-line.js";
import { playChoices } from "./play-choices.js";
import { lengthText, songList } from "./song-list.js";
import { underWay } from "./under-way.js";

/** The songs and the one thing to do: who plays, how much is left of the week, "Play". */
export async function openSongs({ screen, signal, title }) {
    title(t`Drums`);
    const say = make("h1", { class: "say", tabindex: "-1" });
    const who = make("div", { class: "settings-who" });
    const plan = make("div", {});
    const note = make("p", { class: "lead" });
    const next = make("p", { class: "next-song" });
    const trouble = make("div", { "aria-live": "assertive" });
    const start = button(t`Play`, {
        kind: "primary", size: "l", wide: true, icon: "play",
        press: () => (others.here ? goOn() : begin(suggested())),
    });
    const choices = playChoices();
    const link = linkLine(signal);
    const first = make("div", { class: "row-of-buttons first-offer" });
    const content = make("div", { class: "content" });
    const query = () => (person ? `?person=${encodeURIComponent(person.id)}` : "");
    const header = make("header", { class: "header songs-header" },
        make("div", { class: "header-bar" },
            button(t`Data`, { kind: "quiet", icon: "timeline", press: () => go(`/drums/data${query()}`) }),
            button(t`Settings`, { kind: "quiet", icon: "settings", press: () => go(`/drums/settings${query()}`) })),
        who, say, plan, note, first, choices.node, next, trouble, start, link.node);
    screen.append(header, content);
    let person = null;
    const list = songList({ play: (song) => begin(song), signal });
    const others = underWay(signal, (words) => fill(trouble, words));

    /** The song that is next: as the plan or the last days say, else the first of the list. */
    const suggested = () => {
        const playable = overview.songs.filter((song) => song.bytes && overview.isAllowed(song, person));
        const wished = person?.play?.suggested ?? [];
        return playable.find(({ id }) => id === wished[0]) ?? playable[0] ?? null;
    };
    const goOn = () => go(`/drums/play/${encodeURIComponent(others.here.song.id)}`);
    const begin = async (song) => {
        fill(trouble);
        try {
            if (others.here?.person.id === person.id) return goOn();
            overview.choose(person.id);
            await playSong(song, { person, level: person.play.level });
        } catch (error) {
            if (signal.aborted) return;
            fill(trouble, problemNotice(error));
            others.look(); // another page may have begun one
        }
    };
    const draw = () => {
        if (!overview.data || !songs.data || signal.aborted) return;
        person = overview.here() ?? null;
        if (!person) return drawNobody();
        drawWho();
        const { week, play } = person;
        const song = suggested();
        text(say, others.here ? t`${others.here.person.name} is playing ${others.here.song.title}` : headlineOf(person));
        fill(plan, weekPlan(week));
        note.hidden = !noteOf(person);
        text(note, noteOf(person) ?? "");
        choices.show(person);
        choices.node.hidden = Boolean(others.here) || !person.mayDeliver;
        fill(next, song && !others.here && [make("b", {}, song.title),
            make("span", { class: "fine" }, lengthText(song, play.level))]);
        fill(start, icon("play"), others.here ? t`Go on` : t`Play`);
        start.hidden = !person.mayDeliver || (!others.here && (play.isOver || !song));
        next.hidden = start.hidden || Boolean(others.here);
        if (!content.contains(list.node)) fill(content, others.node, list.node);
        drawOffer();
        others.show();
        list.show(person);
    };
    const drawOffer = (isDeclined = false) => {
        const about = `${person.id} ${person.hasPlayed} ${Boolean(others.here)}`;
        if (first.dataset.about === about && !isDeclined) return;
        first.dataset.about = about;
        fill(first, !others.here && firstOffer(person, () => drawOffer(true)));
    };
    const drawWho = () => {
        const people = overview.players;
        const shape = `${person.id} ${people.map((one) => `${one.id}${one.name}${one.face}`).join()}`;
        if (who.dataset.shape === shape) return;
        who.dataset.shape = shape;
        const focused = who.contains(document.activeElement);
        fill(who, people.length > 1 && whoRow(t`Who plays`, people, person.id, choose));
        if (focused) who.querySelector("[aria-pressed=true]")?.focus();
    };
    const drawNobody = () => {
        text(say, t`Nobody drums here yet`);
        for (const one of [plan, note, first, choices.node, next, start]) one.hidden = true;
        fill(content, make("div", { class: "empty" }, art("drums", "art drum-art"),
            make("p", { class: "second" },
                t`Add the people of this household. Then everybody has songs and a week of their own.`),
            make("a", { class: "button", href: "/settings" }, t`People`)));
    };
    const choose = (id) => {
        overview.choose(id);
        history.replaceState(history.state, "", `/drums?person=${encodeURIComponent(id)}`);
        draw();
    };
    others.addEventListener("change", draw, { signal });
    overview.recall();
    songs.recall();
    if (!overview.data || !songs.data) {
        fill(say, sayingSkeleton(t`songs`));
        for (const one of [note, choices.node, next, start]) one.hidden = true;
        fill(content, rowsSkeleton(6));
    }
    others.look();
    const missing = (error, retry) => {
        text(say, t`The songs cannot be shown right now`);
        fill(content, problemNotice(error, { retry }));
    };
    await Promise.all([overview, songs].map((one) => one.follow(signal, { draw, missing })));
    choices.node.hidden ||= !person;
}

/**
 * What the header says: the week, or for who has not begun what there is to do.
 * @param {Drums.OverviewPerson} person
 */
function headlineOf({ week, name }) {
    return week?.headline ?? t`What does ${name} play?`;
}

/**
 * What else is worth a sentence: that today is done, or how to begin.
 * @param {Drums.OverviewPerson} person
 */
function noteOf({ play, week, plan }) {
    if (play?.words) return play.words;
    if (week && week.sessions === 0 && !plan) {
        return t`Four pads on the screen are enough: a drum lights up, you hit it, and the music waits for you.`;
    }
    return null;
}
