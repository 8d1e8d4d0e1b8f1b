import { button } from "../../elements/button.js";
import { focusedIn } from "../../elements/focused.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";
import { clockOf } from "../../text/durations.js";
import { levelName } from "../levels.js";
import { overview } from "../overview.js";
import { rhythm } from "./rhythm.js";

/**
 * The songs of a person: what is suggested first, then the library, then the family's own.
 * @param {{play: (song: object) => any, signal: AbortSignal}} about  `play` is called in the press of a song's "Play"
 */
export function songList({ play, signal }) {
    const node = make("div", { class: "song-groups" });
    let shown = null;
    let shape = null;
    const show = (person) => {
        shown = person;
        const { songs } = overview;
        const next = JSON.stringify([person.id, person.play, songs.map(({ bytes, ...rest }) => [rest, bytes?.length])]);
        if (next === shape) return;
        shape = next;
        const focused = focusedIn(node)?.dataset.song ?? null;
        const there = songs.filter((song) => overview.isAllowed(song, person));
        const wished = (person.play.suggested ?? []).map((id) => there.find((one) => one.id === id)).filter(Boolean);
        const isSeveral = wished.length > 1; // one alone stands above its "Play" already
        const rest = isSeveral ? there.filter((one) => !wished.includes(one)) : [...new Set([...wished, ...there])];
        fill(node,
            group(t`Suggested`, isSeveral ? wished : []),
            group(isSeveral ? t`More songs` : t`Songs`, rest.filter((one) => one.isLibrary)),
            group(t`Your own`, rest.filter((one) => !one.isLibrary), ownFoot()));
        if (focused) node.querySelector(`[data-song="${CSS.escape(focused)}"]`)?.focus();
    };
    const group = (title, songs, foot) => {
        if (songs.length === 0 && !foot) return null;
        const id = `songs-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
        return make("section", { class: "section", "aria-labelledby": id },
            make("div", { class: "section-head" }, make("h2", { id }, title), foot?.action),
            songs.length > 0 ? make("ul", { class: "rows songs" }, songs.map((song) => make("li", {}, row(song))))
                : make("p", { class: "second small" }, foot.empty));
    };
    const ownFoot = () => signIn.isAdult && {
        action: button(t`Add a song`, {
            kind: "quiet", icon: "plus", press: async () => (await import("./add-song.js")).openAddSong(),
        }),
        empty: t`A MIDI file, a song written as text, or a recording of your own can be played here too.`,
    };
    const row = (song) => {
        const { level, isOver } = shown.play;
        const mayPlay = shown.mayDeliver && !isOver;
        const open = async () => (await import("./song-sheet.js")).openSongSheet(song, shown, play);
        return make("div", { class: "row song" },
            make("button", { class: "words song-about", type: "button", "aria-haspopup": "dialog",
                data: { song: song.id }, on: { click: open } },
                make("span", { class: "name" }, song.title),
                make("span", { class: "fine" }, song.composer || t`From the family`),
                song.bytes && rhythm(song, level, signal),
                make("span", { class: "fine" }, song.bytes ? lengthText(song, level)
                    : t`Its tempo is not tapped yet`)),
            song.bytes ? mayPlay && playButton(song) : signIn.isAdult && button(t`Tap the tempo`, {
                press: async () => (await import("./tap-sheet.js")).openTapSheet(song),
            }));
    };
    const playButton = (song) => {
        const node = button("", { icon: "play", press: () => play(song) });
        node.classList.add("song-play");
        node.setAttribute("aria-label", t`Play ${song.title}`);
        return node;
    };
    return { node, show };
}

/** "0:34, 36 beats, Medium". */
export function lengthText(song, level) {
    const chart = song.levels?.find((one) => one.level === level);
    const clock = clockOf((song.milliseconds ?? 0) / 1000);
    return chart ? t`${clock}, ${chart.beats} beats, ${levelName(level)}` : clock;
}
