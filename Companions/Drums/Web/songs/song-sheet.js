import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { make } from "../../elements/make.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { put, remove } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";
import { isCached } from "../../offline/file-cache.js";
import { clockOf } from "../../text/durations.js";
import { levelName } from "../levels.js";
import { songs } from "../overview.js";
import { LONGEST, TOO_LONG } from "../play/recording.js";
import { rhythm } from "./rhythm.js";

/** What a song is: whose, how long, its four levels; one's own can be named anew, tapped anew, deleted. */
export function openSongSheet(song, person, play) {
    const isOwn = !song.isLibrary && signIn.isAdult;
    const { play: chosen } = person;
    const closing = new AbortController(); // what is still to be drawn when it closes is left out
    const opened = sheet(song.title, {
        closed: () => closing.abort(),
        lead: [song.composer, song.year].filter(Boolean).join(", ") || t`A song from the family`,
        body: [
            song.bytes && make("ul", { class: "rows" }, song.levels.map((one) => make("li", { class: "row level-row" },
                make("span", { class: "words" },
                    make("span", { class: "name" }, levelName(one.level),
                        one.level === chosen.level && [" ", make("span", { class: "fine" }, t`chosen`)]),
                    rhythm(song, one.level, closing.signal)),
                make("span", { class: "value small" }, t`${one.beats} beats to hit`)))),
            make("p", { class: "small second" }, [song.bytes
                && t`${clockOf(song.milliseconds / 1000)} at ${Math.round(song.tempo)} beats a minute.`,
                song.source && `${song.source.replace(/\.?$/, ".")}`].filter(Boolean).join(" ")),
            song.audio && recordingLine(song.audio),
            make("div", { class: "sheet-actions" },
                song.bytes && person.mayDeliver && !chosen.isOver && button(t`Play this song`, {
                    kind: "primary", icon: "play", press: () => { opened.close(); return play(song); },
                }),
                isOwn && song.hasAudio && button(t`Tap the tempo`,
                    { icon: "music", press: () => { opened.close(); tap(song); } })),
            isOwn && renaming(song, () => opened.close()),
            isOwn && button(t`Delete this song`, { kind: "danger", icon: "trash",
                press: () => { opened.close(); askDelete(song); } }),
        ],
    });
    return opened;
}

/** Whether its recording is heard without the hub. */
function recordingLine({ path, milliseconds }) {
    const node = make("p", { class: "small second" });
    if (milliseconds > LONGEST) node.textContent = TOO_LONG;
    else {
        isCached(path).catch(() => false).then((is) => {
            node.textContent = is ? t`The recording is kept on this device, and plays without the hub too.`
                : t`The recording comes from the hub. Once it was played here, this device keeps it.`;
        });
    }
    return node;
}

async function tap(song) {
    (await import("./tap-sheet.js")).openTapSheet(song);
}

function renaming(song, done) {
    const title = field({ label: t`Title`, name: "title", value: song.title, required: true,
        attributes: { maxlength: 80 } });
    return form({
        word: t`Save`, isPlain: true, fields: [title],
        send: async () => {
            await put(`/api/drums/songs/${encodeURIComponent(song.id)}`, { title: title.value.trim() });
            songs.soon();
            done();
            toast(t`Saved.`, { icon: "check" });
        },
    });
}

function askDelete(song) {
    confirm({
        title: t`Delete ${song.title}?`, yes: t`Delete this song`,
        lead: t`It leaves the songs of this house. What was played with it stays.`,
        act: async () => {
            await remove(`/api/drums/songs/${encodeURIComponent(song.id)}`);
            songs.soon();
        },
    });
}
